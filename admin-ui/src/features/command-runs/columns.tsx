/** The columns and filters of the list of command runs. */

import type { CommandRunSummary } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { progressSentence } from "./sentences";

const COLOURS: Record<CommandRunSummary["status"], string> = {
  scheduled: "gray",
  running: "rostrum",
  paused: "orange",
  stopped: "red",
  cancelled: "gray",
  done: "green",
};

export const columns: readonly Column<CommandRunSummary>[] = [
  {
    id: "command",
    header: "Command",
    sort: "command",
    grow: 1.4,
    cell: (run) => (
      <TextLink to={pathOf("command-runs", run.id)} size="sm">
        {run.command}
      </TextLink>
    ),
  },
  { id: "status", header: "Status", sort: "status", grow: 1.3, cell: (run) => <RunStatus run={run} /> },
  {
    id: "progress",
    header: "Desktops",
    grow: 3,
    cell: (run) => (run.status === "scheduled" ? "selected at the start" : progressSentence(run)),
  },
  {
    id: "wave",
    isOptional: true,
    header: "Wave",
    grow: 0.7,
    cell: (run) => (run.waveCount > 0 ? `${run.wave} of ${run.waveCount}` : "–"),
  },
  {
    id: "started",
    header: "Start",
    sort: "started",
    grow: 1.2,
    cell: (run) => <Time at={run.started ?? run.startAt ?? run.created} />,
  },
  { id: "createdBy", isOptional: true, header: "By", sort: "createdBy", cell: (run) => run.createdBy },
  { id: "ticket", isOptional: true, header: "Ticket", cell: (run) => run.ticket },
];

export function RunStatus({ run }: { run: CommandRunSummary }) {
  return <Label color={COLOURS[run.status]}>{run.status}</Label>;
}

export const filters: readonly Filter[] = [
  {
    name: "status",
    label: "Status",
    choices: Object.keys(COLOURS).map((status) => ({ value: status, label: status })),
  },
  { name: "command", label: "Command" },
  { name: "createdBy", label: "By" },
];
