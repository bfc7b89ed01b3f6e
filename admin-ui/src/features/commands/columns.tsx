/** The columns and filters of the list of commands. */

import type { CommandView } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";

const COLOURS: Record<CommandView["status"], string> = {
  pending: "gray",
  delivered: "rostrum",
  done: "green",
  failed: "red",
  unsupported: "orange",
};

export const columns: readonly Column<CommandView>[] = [
  {
    id: "command",
    header: "Command",
    sort: "command",
    grow: 2,
    cell: (command) => (
      <TextLink to={pathOf("commands", command.id)} size="sm">
        {command.command}
      </TextLink>
    ),
  },
  { id: "status", header: "Status", sort: "status", cell: (command) => <CommandStatus command={command} /> },
  { id: "user", header: "User", sort: "user", grow: 1.4, cell: (command) => command.user },
  {
    id: "session",
    isOptional: true,
    header: "Session",
    grow: 1.4,
    cell: (command) => (
      <TextLink to={pathOf("sessions", command.session)} size="sm" className="mono">
        {command.session}
      </TextLink>
    ),
  },
  { id: "created", header: "Sent", sort: "created", grow: 1.4, cell: (command) => <Time at={command.created} /> },
  { id: "createdBy", isOptional: true, header: "By", sort: "createdBy", cell: (command) => command.createdBy },
  {
    id: "finished",
    header: "Answered",
    sort: "finished",
    grow: 1.4,
    cell: (command) => <Time at={command.finished} />,
  },
];

export function CommandStatus({ command }: { command: CommandView }) {
  return <Label color={COLOURS[command.status]}>{command.status}</Label>;
}

export const filters: readonly Filter[] = [
  {
    name: "status",
    label: "Status",
    choices: Object.keys(COLOURS).map((status) => ({ value: status, label: status })),
  },
  { name: "command", label: "Command" },
  { name: "user", label: "User" },
  { name: "created", label: "Sent", isPeriod: true },
];
