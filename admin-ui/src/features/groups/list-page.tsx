/** The list of groups. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";

export function GroupsPage() {
  const client = useClient();
  const mayWrite = useMay("GROUPS", "WRITE");
  return (
    <ListPage
      title="Groups"
      about="Members inherit the group's apps, layouts, configuration and permissions."
      actions={
        mayWrite && (
          <>
            <RollBackAll kind="groups" />
            <Button component={RouterLink} to="/groups/-/new" leftSection={<Icon name="plus" size={16} />}>
              New group
            </Button>
          </>
        )
      }
      queryKey={["groups"]}
      fetchRows={async (query, signal) => (await client.call("listGroups", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(group) => group.name}
      defaultSort="name"
      bulk={(selection) => <BulkBar kind="groups" {...selection} />}
      empty={<EmptyState title="No groups yet">Create a group here, or name one in a user, app or layout.</EmptyState>}
    />
  );
}
