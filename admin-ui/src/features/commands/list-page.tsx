/** The list of commands with their results. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";

export function CommandsPage() {
  const client = useClient();
  const mayWrite = useMay("COMMANDS", "WRITE");
  const send = (
    <Button component={RouterLink} to="/commands/-/new" leftSection={<Icon name="send" size={16} />}>
      Send a command
    </Button>
  );
  return (
    <ListPage
      title="Commands"
      about="Commands sent to connected desktops, and their results."
      actions={mayWrite && send}
      queryKey={["commands"]}
      fetchRows={async (query, signal) => (await client.call("listCommands", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(command) => command.id}
      defaultSort="-created"
      rowName={(command) => `${command.command} for ${command.user}`}
      bulk={(selection) => <BulkBar kind="commands" {...selection} />}
      empty={
        <EmptyState title="No commands yet" button={mayWrite && send}>
          Send a command to a connected desktop, for example to restart it or to collect its logs.
        </EmptyState>
      }
      refetchInterval={10_000}
    />
  );
}
