/** The page that imports layouts. */

import { useClient } from "../../api/context";
import { ImportPage } from "../imports/import-page";

export function ImportLayoutsPage() {
  const client = useClient();
  return (
    <ImportPage
      kind="layouts"
      things="layouts"
      about="All layouts are imported as common layouts, or none if one is invalid."
      send={async ({ definitions, access, overwrite }, reason) => {
        const { public: isPublic, accessList } = access;
        const body = {
          layouts: [...definitions],
          owner: "*",
          public: isPublic,
          accessList: [...accessList],
          overwrite,
        };
        return (await client.call("importLayouts", { body, reason })).data;
      }}
    />
  );
}
