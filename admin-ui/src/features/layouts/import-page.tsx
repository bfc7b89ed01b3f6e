/** Many layouts at once. */

import { useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import { PageBody, PageHead } from "../../ui/page";
import { ImportWizard } from "../imports/import-wizard";

export function ImportLayoutsPage() {
  const client = useClient();
  const queries = useQueryClient();
  return (
    <PageBody>
      <PageHead
        title="Import layouts"
        back={{ to: "/layouts", label: "Layouts" }}
        about="All of them are taken, or none; they belong to everyone."
      />
      <ImportWizard
        things="layouts"
        listPath="/layouts"
        onImport={async ({ definitions, access, overwrite }) => {
          const body = {
            layouts: [...definitions],
            owner: "*",
            public: access.public,
            accessList: [...access.accessList],
            overwrite,
          };
          const { data } = await client.call("importLayouts", { body });
          void queries.invalidateQueries({ queryKey: ["layouts"] });
          return data;
        }}
      />
    </PageBody>
  );
}
