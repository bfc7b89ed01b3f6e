/** Sessions: the desktops that run, and those that ran. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { columns, filters } from "./columns";

export function SessionsPage() {
  const client = useClient();
  const mayCommand = useMay("COMMANDS", "WRITE");
  return (
    <ListPage
      title="Sessions"
      about="Desktops that are or were connected."
      actions={
        mayCommand && (
          <Button component={RouterLink} to="/commands/-/new" leftSection={<Icon name="send" size={16} />}>
            Send a command
          </Button>
        )
      }
      queryKey={["sessions"]}
      fetchRows={async (query, signal) => (await client.call("listSessions", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(session) => session.id}
      defaultSort="-started"
      empty={<EmptyState title="No sessions yet">Sessions appear here when desktops sign in.</EmptyState>}
      refetchInterval={10_000}
    />
  );
}
