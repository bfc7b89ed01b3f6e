/** The list of users. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { RollBackAll } from "../history/roll-back-all";
import { columns, filters } from "./columns";
import { LinkButton } from "./link-button";

export function UsersPage() {
  const client = useClient();
  const mayWrite = useMay("USERS", "WRITE");
  return (
    <ListPage
      title="Users"
      about="All users. Open a user to see their apps, layouts and settings, with reasons."
      actions={
        mayWrite && (
          <>
            <RollBackAll kind="users" />
            <Button
              component={RouterLink}
              to="/users/-/import"
              variant="default"
              leftSection={<Icon name="upload" size={16} />}
            >
              Import…
            </Button>
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
      bulk={(selection) => (
        <BulkBar
          kind="users"
          {...selection}
          more={(selected) =>
            mayWrite && (
              <LinkButton
                users={async () => (await selected()).map((user) => user.id)}
                label="Create password links…"
                isSmall
              />
            )
          }
        />
      )}
      empty={<EmptyState title="No users yet">Create the first user.</EmptyState>}
    />
  );
}
