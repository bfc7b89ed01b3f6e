/** What a user's desktops did: sessions, machines, commands, crash reports. */

import { useClient } from "../../api/context";
import { SmallList } from "../../ui/list/small-list";
import { columns as commandColumns } from "../commands/columns";
import { columns as crashColumns } from "../crashes/columns";
import { columns as machineColumns } from "../machines/columns";
import { columns as sessionColumns } from "../sessions/columns";

const NEWEST = 20;

export function UserSessions({ user }: { user: string }) {
  const client = useClient();
  const query = { user, sort: "-started", limit: NEWEST };
  return (
    <SmallList
      label={`Sessions of ${user}`}
      queryKey={["sessions", "of", user]}
      fetchRows={async (signal) => (await client.call("listSessions", { query, signal })).data}
      columns={sessionColumns}
      rowKey={(session) => session.id}
      empty="No desktop of this user has been seen yet."
      all={{ to: "/sessions", search: { user } }}
      refetchInterval={15_000}
    />
  );
}

export function UserMachines({ user }: { user: string }) {
  const client = useClient();
  const query = { user, sort: "-lastSeen", limit: NEWEST };
  return (
    <SmallList
      label={`Machines of ${user}`}
      queryKey={["machines", "of", user]}
      fetchRows={async (signal) => (await client.call("listMachines", { query, signal })).data}
      columns={machineColumns}
      rowKey={(machine) => machine.id}
      empty="No machine of this user is known."
      all={{ to: "/machines", search: { user } }}
    />
  );
}

export function UserCommands({ user }: { user: string }) {
  const client = useClient();
  const query = { user, sort: "-created", limit: NEWEST };
  return (
    <SmallList
      label={`Commands to ${user}`}
      queryKey={["commands", "of", user]}
      fetchRows={async (signal) => (await client.call("listCommands", { query, signal })).data}
      columns={commandColumns}
      rowKey={(command) => command.id}
      empty="No command was sent to this user's desktops."
      all={{ to: "/commands", search: { user } }}
    />
  );
}

export function UserCrashes({ user }: { user: string }) {
  const client = useClient();
  const query = { user, sort: "-received", limit: NEWEST };
  return (
    <SmallList
      label={`Crashes of ${user}`}
      queryKey={["crashes", "of", user]}
      fetchRows={async (signal) => (await client.call("listCrashes", { query, signal })).data}
      columns={crashColumns}
      rowKey={(crash) => crash.id}
      empty="No crash of this user's desktops was reported."
      all={{ to: "/crashes", search: { user } }}
    />
  );
}
