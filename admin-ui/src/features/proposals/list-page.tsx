/** Changes that wait for the approval of a second administrator, and earlier decisions. */

import { useClient } from "../../api/context";
import type { ProposalView } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { Ticket } from "../../ui/ticket";
import { Time } from "../../ui/time";

const COLOURS: Readonly<Record<string, string>> = { pending: "orange", approved: "green", rejected: "gray" };

export function ProposalStatus({ status }: { status: string }) {
  return <Label color={COLOURS[status] ?? "gray"}>{status}</Label>;
}

const columns: readonly Column<ProposalView>[] = [
  {
    id: "operation",
    header: "Action",
    sort: "operation",
    grow: 1.4,
    cell: (proposal) => (
      <TextLink to={pathOf("proposals", proposal.id)} size="sm">
        {proposal.operation}
      </TextLink>
    ),
  },
  { id: "status", header: "Status", sort: "status", cell: ({ status }) => <ProposalStatus status={status} /> },
  { id: "createdBy", header: "Author", sort: "createdBy", grow: 1.2, cell: (proposal) => proposal.createdBy },
  { id: "created", header: "Time", sort: "created", grow: 1.2, cell: (proposal) => <Time at={proposal.created} /> },
  { id: "changed", isOptional: true, header: "Documents", grow: 0.8, cell: (proposal) => proposal.changed },
  { id: "comment", isOptional: true, header: "Comment", sort: "comment", grow: 2, cell: ({ comment }) => comment },
  {
    id: "ticket",
    isOptional: true,
    header: "Ticket",
    sort: "ticket",
    cell: ({ ticket }) => ticket && <Ticket ticket={ticket} />,
  },
  { id: "decidedBy", isOptional: true, header: "Decided by", sort: "decidedBy", cell: ({ decidedBy }) => decidedBy },
];

const filters: readonly Filter[] = [
  { name: "status", label: "Status", choices: Object.keys(COLOURS).map((value) => ({ value, label: value })) },
  { name: "decision", label: "Decision", choices: [{ value: "mine", label: "by you" }] },
  { name: "createdBy", label: "Author" },
  { name: "ticket", label: "Ticket" },
];

export function ProposalsPage() {
  const client = useClient();
  return (
    <ListPage
      title="Proposals"
      about="Changes that require the approval of a second administrator."
      queryKey={["proposals"]}
      fetchRows={async (query, signal) => (await client.call("listProposals", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(proposal) => proposal.id}
      defaultSort="-created"
      empty={
        <EmptyState title="No proposals">
          A proposal appears when an administrator makes a change that requires approval.
        </EmptyState>
      }
      refetchInterval={10_000}
    />
  );
}
