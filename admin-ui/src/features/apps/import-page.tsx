/** Many applications at once. */

import { useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import { PageBody, PageHead } from "../../ui/page";
import { ImportWizard } from "../imports/import-wizard";

export function ImportAppsPage() {
  const client = useClient();
  const queries = useQueryClient();
  return (
    <PageBody>
      <PageHead
        title="Import applications"
        back={{ to: "/apps", label: "Applications" }}
        about="All of them are taken, or none."
      />
      <ImportWizard
        things="applications"
        listPath="/apps"
        onImport={async ({ definitions, access, overwrite }) => {
          const body = {
            applications: [...definitions],
            public: access.public,
            accessList: [...access.accessList],
            overwrite,
          };
          const { data } = await client.call("importApps", { body });
          void queries.invalidateQueries({ queryKey: ["apps"] });
          return data;
        }}
      />
    </PageBody>
  );
}
