/** The list of layouts. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";

export function LayoutsPage() {
  const client = useClient();
  const mayWrite = useMay("LAYOUTS", "WRITE");
  return (
    <ListPage
      title="Layouts"
      about="Saved window arrangements: personal and common layouts."
      actions={
        mayWrite && (
          <>
            <RollBackAll kind="layouts" />
            <Button
              component={RouterLink}
              to="/layouts/-/import"
              variant="default"
              leftSection={<Icon name="upload" size={16} />}
            >
              Import
            </Button>
            <Button component={RouterLink} to="/layouts/-/new" leftSection={<Icon name="plus" size={16} />}>
              New layout
            </Button>
          </>
        )
      }
      queryKey={["layouts"]}
      fetchRows={async (query, signal) => (await client.call("listLayouts", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(layout) => layout.id}
      defaultSort="name"
      rowName={(layout) => layout.definition.name as string}
      bulk={(selection) => <BulkBar kind="layouts" {...selection} />}
      empty={
        <EmptyState title="No layouts yet">
          Layouts appear here when users save them on their desktops, or when you create or import one.
        </EmptyState>
      }
    />
  );
}
