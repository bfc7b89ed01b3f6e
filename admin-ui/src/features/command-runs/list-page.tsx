/** The list of command runs. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { columns, filters } from "./columns";

export function CommandRunsPage() {
  const client = useClient();
  const mayWrite = useMay("COMMANDS", "WRITE");
  const start = (
    <Button component={RouterLink} to="/command-runs/-/new" leftSection={<Icon name="send" size={16} />}>
      New command run
    </Button>
  );
  return (
    <ListPage
      title="Command runs"
      about="Commands for many desktops, sent in waves."
      actions={mayWrite && start}
      queryKey={["commands", "runs"]}
      fetchRows={async (query, signal) => (await client.call("listCommandRuns", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(run) => run.id}
      defaultSort="-created"
      empty={
        <EmptyState title="No command runs yet" button={mayWrite && start}>
          Send a command to a group in waves, for example to restart its desktops for a new version.
        </EmptyState>
      }
      refetchInterval={10_000}
    />
  );
}
