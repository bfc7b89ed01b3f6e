/** Layouts: what opens where. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";

export function LayoutsPage() {
  const client = useClient();
  const mayWrite = useMay("LAYOUTS", "WRITE");
  return (
    <ListPage
      title="Layouts"
      about="Arrangements of windows: people's own, and those that are shared."
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
      empty={
        <EmptyState title="No layouts yet">
          They come here when people save them on their desktops, or when you import or make one.
        </EmptyState>
      }
    />
  );
}
