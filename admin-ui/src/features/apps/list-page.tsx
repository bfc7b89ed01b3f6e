/** The list of applications with their access. */

import { Button } from "@mantine/core";
import { saveAs } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { showError } from "../../ui/notices";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";

export function AppsPage() {
  const client = useClient();
  const mayWrite = useMay("APPS", "WRITE");
  const create = (
    <Button component={RouterLink} to="/apps/-/new" leftSection={<Icon name="plus" size={16} />}>
      New application
    </Button>
  );
  return (
    <ListPage
      title="Applications"
      about="App definitions, and the groups that each app is available to."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => void exportAll().catch(showError)}
          >
            Export all
          </Button>
          {mayWrite && (
            <>
              <RollBackAll kind="apps" />
              <Button
                component={RouterLink}
                to="/apps/-/import"
                variant="default"
                leftSection={<Icon name="upload" size={16} />}
              >
                Import
              </Button>
              {create}
            </>
          )}
        </>
      }
      queryKey={["apps"]}
      fetchRows={async (query, signal) => (await client.call("listApps", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(app) => app.name}
      defaultSort="name"
      bulk={(selection) => <BulkBar kind="apps" {...selection} />}
      empty={
        <EmptyState title="No applications yet" button={mayWrite && create}>
          Desktops receive their apps from this list. Create an app, or import a list of definitions.
        </EmptyState>
      }
    />
  );

  async function exportAll(): Promise<void> {
    const applications: unknown[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 1000) {
      const { data } = await client.call("listApps", { query: { limit: 1000, offset, sort: "name" } });
      applications.push(...data.items.map((app) => app.definition));
      total = data.total;
    }
    saveAs(new Blob([JSON.stringify({ applications }, null, 2)], { type: "application/json" }), "applications.json");
  }
}
