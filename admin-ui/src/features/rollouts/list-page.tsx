/** Roll-outs of one kind of documents. */

import { SegmentedControl } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { may, useClient, useMe } from "../../api/context";
import { NotFound } from "../../shell/not-found";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { columnsOf, filters } from "./columns";
import { STAGED, STAGED_KINDS, type StagedKind } from "./kinds";

export function RolloutsPage() {
  const { kind } = useParams({ strict: false }) as { kind?: string };
  const me = useMe();
  const readable = STAGED_KINDS.filter((each) => may(me, STAGED[each].right, "READ"));
  const current = kind === undefined ? readable[0] : STAGED_KINDS.find((each) => each === kind);
  return current ? <Rollouts key={current} kind={current} readable={readable} /> : <NotFound />;
}

function Rollouts({ kind, readable }: { kind: StagedKind; readable: readonly StagedKind[] }) {
  const client = useClient();
  const navigate = useNavigate();
  return (
    <ListPage
      title="Roll-outs"
      about="Changes that users receive in stages."
      actions={
        <SegmentedControl
          aria-label="Kind"
          value={kind}
          onChange={(chosen) => void navigate({ to: `/rollouts/${chosen}` })}
          data={readable.map((each) => ({ value: each, label: STAGED[each].label }))}
        />
      }
      queryKey={[kind, "rollouts"]}
      fetchRows={async (query, signal) => (await client.call(STAGED[kind].list, { query, signal })).data}
      columns={columnsOf(kind)}
      filters={filters}
      rowKey={(rollout) => rollout.id}
      defaultSort="-created"
      empty={
        <EmptyState title="No roll-outs yet">
          Edit a document, and select “Roll out in stages…” next to “Save” to give the change to some users first.
        </EmptyState>
      }
      refetchInterval={10_000}
    />
  );
}
