/** One proposal: its differences, and the decision of a second administrator. */

import { Alert, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useClient, useMe } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { ProposalDetails } from "../../api/generated/client";
import { Facts } from "../../ui/facts";
import { showDone } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { Ticket } from "../../ui/ticket";
import { exactTime } from "../../ui/time";
import { DocumentChange } from "../audit/document-change";
import { Effect } from "./effect";
import { ProposalStatus } from "./list-page";

export function ProposalPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const client = useClient();
  const found = useQuery({
    queryKey: ["proposals", id],
    queryFn: async ({ signal }) => (await client.call("readProposal", { path: { proposal_id: id }, signal })).data,
  });
  return (
    <PageBody>
      <PageHead title="Proposal" back={{ to: "/proposals", label: "Proposals" }} />
      <QueryState query={found}>{(proposal) => <Proposal proposal={proposal} />}</QueryState>
    </PageBody>
  );
}

function Proposal({ proposal }: { proposal: ProposalDetails }) {
  const outdated = proposal.changes.filter((change) => change.outdated);
  return (
    <>
      <Facts
        facts={[
          ["Status", <ProposalStatus key="status" status={proposal.status} />],
          ["Author", proposal.createdBy],
          ["Time", exactTime(proposal.created)],
          ["Action", proposal.operation],
          ["Comment", proposal.comment],
          ["Ticket", <Ticket key="ticket" ticket={proposal.ticket} />],
          ...(proposal.decided
            ? ([
                ["Decided by", proposal.decidedBy],
                ["Time of the decision", exactTime(proposal.decided)],
                ["Comment of the decision", proposal.decision],
              ] as const)
            : []),
        ]}
      />
      {outdated.length > 0 && (
        <Alert color="orange" variant="light" role="status" title="Outdated">
          Other changes were made since: {outdated.map(({ kind, id }) => `${kind} ${id}`).join(", ")}. The proposal
          cannot be approved. Reject it, and make the change again.
        </Alert>
      )}
      {proposal.changes.map((change) => (
        <DocumentChange key={`${change.kind} ${change.id}`} change={change} />
      ))}
      {proposal.changed > proposal.changes.length && (
        <Text size="sm">and {proposal.changed - proposal.changes.length} more documents</Text>
      )}
      {proposal.effect && <Effect effect={proposal.effect} />}
      {proposal.status === "pending" && <Decision proposal={proposal} isOutdated={outdated.length > 0} />}
    </>
  );
}

function Decision({ proposal, isOutdated }: { proposal: ProposalDetails; isOutdated: boolean }) {
  const client = useClient();
  const queries = useQueryClient();
  const isOwn = useMe().id === proposal.createdBy;
  const [comment, setComment] = useState("");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (operation: "approveProposal" | "rejectProposal", done: string) => {
    setBusy(operation);
    setError(null);
    try {
      const path = { proposal_id: proposal.id };
      await client.call(operation, { path, reason: { comment, ticket: "" } });
      await queries.invalidateQueries();
      showDone(done);
    } catch (failure) {
      setError(failure);
      void queries.invalidateQueries({ queryKey: ["proposals"] });
    } finally {
      setBusy(null);
    }
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {isOwn && <Text size="sm">This is your proposal. Another administrator must approve it.</Text>}
        <TextInput
          label="Comment of the decision"
          description="Optional. Stored in the audit log."
          maxLength={256}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {error !== null && (
          <Alert color="red" variant="light" role="alert" title="Refused">
            {messageOf(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={busy === "rejectProposal"}
            disabled={busy !== null}
            onClick={() => void decide("rejectProposal", isOwn ? "Withdrawn." : "Rejected.")}
          >
            {isOwn ? "Withdraw" : "Reject"}
          </Button>
          {!isOwn && (
            <Button
              loading={busy === "approveProposal"}
              disabled={isOutdated || busy !== null}
              onClick={() => void decide("approveProposal", "Approved.")}
            >
              Approve
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
