/** One entry of the audit, with all its changes. */

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import type { AuditEntryView } from "../../api/generated/client";
import { Facts } from "../../ui/facts";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { Ticket } from "../../ui/ticket";
import { exactTime } from "../../ui/time";
import { DocumentChange } from "./document-change";

export function AuditEntryPage() {
  const { number = "" } = useParams({ strict: false }) as { number?: string };
  const client = useClient();
  const found = useQuery({
    queryKey: ["audit", number],
    queryFn: async ({ signal }) =>
      (await client.call("readAuditEntry", { path: { entry_number: number }, signal })).data,
  });
  return (
    <PageBody>
      <PageHead title={`Entry ${number}`} back={{ to: "/audit", label: "Audit" }} />
      <QueryState query={found}>{(entry) => <Entry entry={entry} />}</QueryState>
    </PageBody>
  );
}

function Entry({ entry }: { entry: AuditEntryView }) {
  return (
    <>
      <Facts
        facts={[
          ["Time", exactTime(entry.at)],
          ["User", entry.actor],
          ["Action", entry.operation],
          ["Comment", entry.comment],
          ["Ticket", <Ticket key="ticket" ticket={entry.ticket} />],
          ...(entry.approval
            ? ([
                ["Author", entry.approval.author],
                ["Approved by", entry.approval.approver],
                ["Comment of the approval", entry.approval.comment],
              ] as const)
            : []),
          ["Revision", entry.revision ?? "none (no document changed)"],
          ["Address", entry.origin.address],
          ["Client", entry.origin.agent || "–"],
          ...(entry.origin.token ? [["API token", entry.origin.token] as const] : []),
          ["Request", entry.origin.request],
          [
            "Hash",
            <span key="hash" className="mono">
              {entry.hash}
            </span>,
          ],
        ]}
      />
      {entry.changes.map((change) => (
        <DocumentChange key={`${change.kind} ${change.id}`} change={change} />
      ))}
      {entry.changed > entry.changes.length && <Text>and {entry.changed - entry.changes.length} more documents</Text>}
    </>
  );
}
