/** The page that imports applications. */

import { useClient } from "../../api/context";
import { ImportPage } from "../imports/import-page";

export function ImportAppsPage() {
  const client = useClient();
  return (
    <ImportPage
      kind="apps"
      things="applications"
      about="All definitions are imported, or none if one is invalid."
      send={async ({ definitions, access, overwrite }, reason) => {
        const { public: isPublic, accessList } = access;
        const body = { applications: [...definitions], public: isPublic, accessList: [...accessList], overwrite };
        return (await client.call("importApps", { body, reason })).data;
      }}
    />
  );
}
