/** The columns and filters of the lists of roll-outs. */

import type { RolloutSummary } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import type { StagedKind } from "./kinds";
import { stageUsers } from "./sentences";

const COLOURS: Record<RolloutSummary["status"], string> = {
  running: "rostrum",
  halted: "red",
  finished: "green",
  withdrawn: "gray",
};

export const columnsOf = (kind: StagedKind): readonly Column<RolloutSummary>[] => [
  {
    id: "name",
    header: "Document",
    sort: "name",
    grow: 2,
    cell: (rollout) => (
      <TextLink to={rolloutPath(kind, rollout.id)} size="sm">
        {rollout.name}
      </TextLink>
    ),
  },
  { id: "status", header: "Status", sort: "status", grow: 1.3, cell: (rollout) => <RolloutStatus rollout={rollout} /> },
  { id: "stage", header: "Stage", grow: 2, cell: stageText },
  { id: "created", header: "Started", sort: "created", cell: (rollout) => <Time at={rollout.created} /> },
  { id: "createdBy", isOptional: true, header: "By", sort: "createdBy", cell: (rollout) => rollout.createdBy },
  { id: "ticket", isOptional: true, header: "Ticket", cell: (rollout) => rollout.ticket },
];

export const rolloutPath = (kind: StagedKind, id: string): string => `/rollouts/${kind}/${encodeURIComponent(id)}`;

export function RolloutStatus({ rollout }: { rollout: Pick<RolloutSummary, "status"> }) {
  return <Label color={COLOURS[rollout.status]}>{rollout.status}</Label>;
}

function stageText(rollout: RolloutSummary): string {
  const stage = rollout.stages[rollout.stage - 1];
  const number = `${rollout.stage} of ${rollout.stages.length}`;
  return stage ? `${number}: ${stageUsers(stage)}` : number;
}

export const filters: readonly Filter[] = [
  {
    name: "status",
    label: "Status",
    choices: Object.keys(COLOURS).map((status) => ({ value: status, label: status })),
  },
  { name: "createdBy", label: "By" },
];
