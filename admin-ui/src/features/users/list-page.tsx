/** Users: who there is. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";

export function UsersPage() {
  const client = useClient();
  const mayWrite = useMay("USERS", "WRITE");
  return (
    <ListPage
      title="Users"
      about="Everyone who may sign in. Open one to see what they get, and why."
      actions={
        mayWrite && (
          <>
            <RollBackAll kind="users" />
            <Button component={RouterLink} to="/users/-/new" leftSection={<Icon name="plus" size={16} />}>
              New user
            </Button>
          </>
        )
      }
      queryKey={["users"]}
      fetchRows={async (query, signal) => (await client.call("listUsers", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(user) => user.id}
      defaultSort="id"
      empty={<EmptyState title="No users yet">Make the first one.</EmptyState>}
    />
  );
}
