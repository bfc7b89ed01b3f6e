/** The list of active and ended sessions. */

import { Button } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { filterValue } from "../../ui/list/columns";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters, machineName } from "./columns";
import { CommandButton } from "./command-button";

export function SessionsPage() {
  const client = useClient();
  const mayCommand = useMay("COMMANDS", "WRITE");
  const search = useSelection();
  return (
    <ListPage
      title="Sessions"
      about="Desktops that are or were connected."
      actions={
        mayCommand && (
          <>
            <Button component={RouterLink} to="/command-runs/-/new" search={search} variant="default">
              Send in waves
            </Button>
            <Button component={RouterLink} to="/commands/-/new" leftSection={<Icon name="send" size={16} />}>
              Send a command
            </Button>
          </>
        )
      }
      queryKey={["sessions"]}
      fetchRows={async (query, signal) => (await client.call("listSessions", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(session) => session.id}
      defaultSort="-started"
      rowName={(session) => `session of ${session.user} on ${machineName(session.machine)}`}
      bulk={(selection) => (
        <BulkBar
          kind="sessions"
          {...selection}
          more={(selected) => mayCommand && <CommandButton selected={selected} />}
        />
      )}
      empty={<EmptyState title="No sessions yet">Sessions appear here when desktops sign in.</EmptyState>}
      refetchInterval={10_000}
    />
  );
}

/** The filters of the list with which a command run can select desktops, in the format of the manager. */
function useSelection(): Record<string, string> {
  const search = useSearch({ strict: false }) as Record<string, string>;
  return Object.fromEntries(
    filters
      .filter(({ name }) => !["active", "user", "started", "outdated"].includes(name) && search[name])
      .map((filter) => [filter.name, filterValue(filter, search[filter.name] ?? "")]),
  );
}
