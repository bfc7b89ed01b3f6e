/** The activity of a user's desktops: sessions, machines, commands, crash reports. */

import { Text } from "@mantine/core";
import { useClient } from "../../api/context";
import { type Column, without } from "../../ui/list/columns";
import { ListPanel } from "../../ui/list/list-panel";
import { columns as commandColumns, filters as commandFilters } from "../commands/columns";
import { columns as crashColumns, filters as crashFilters } from "../crashes/columns";
import { columns as machineColumns, filters as machineFilters } from "../machines/columns";
import { columns as sessionColumns, filters as sessionFilters } from "../sessions/columns";

export function UserSessions({ user }: { user: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Sessions of ${user}`}
      queryKey={["sessions", "of", user]}
      fetchRows={async (query, signal) =>
        (await client.call("listSessions", { query: { ...query, user }, signal })).data
      }
      columns={others(sessionColumns)}
      filters={without(sessionFilters, "user")}
      rowKey={(session) => session.id}
      defaultSort="-started"
      empty={<Text c="dimmed">The user has no sessions.</Text>}
      refetchInterval={15_000}
    />
  );
}

export function UserMachines({ user }: { user: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Machines of ${user}`}
      queryKey={["machines", "of", user]}
      fetchRows={async (query, signal) =>
        (await client.call("listMachines", { query: { ...query, user }, signal })).data
      }
      columns={machineColumns}
      filters={without(machineFilters, "user")}
      rowKey={(machine) => machine.id}
      defaultSort="-lastSeen"
      empty={<Text c="dimmed">The user has no machines.</Text>}
    />
  );
}

export function UserCommands({ user }: { user: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Commands to ${user}`}
      queryKey={["commands", "of", user]}
      fetchRows={async (query, signal) =>
        (await client.call("listCommands", { query: { ...query, user }, signal })).data
      }
      columns={others(commandColumns)}
      filters={without(commandFilters, "user")}
      rowKey={(command) => command.id}
      defaultSort="-created"
      empty={<Text c="dimmed">No command was sent to this user&apos;s desktops.</Text>}
    />
  );
}

export function UserCrashes({ user }: { user: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Crashes of ${user}`}
      queryKey={["crashes", "of", user]}
      fetchRows={async (query, signal) =>
        (await client.call("listCrashes", { query: { ...query, user }, signal })).data
      }
      columns={others(crashColumns)}
      filters={without(crashFilters, "user")}
      rowKey={(crash) => crash.id}
      defaultSort="-received"
      empty={<Text c="dimmed">No crash of this user&apos;s desktops was reported.</Text>}
    />
  );
}

/** The page already shows the user. */
function others<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter((column) => column.id !== "user");
}
