/** One entry of the audit, with everything it changed. */

import { Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import type { AuditChange, AuditEdit, AuditEntryView } from "../../api/generated/client";
import type { Change } from "../../ui/document/changes";
import { ChangesTable } from "../../ui/document/changes-table";
import { Facts } from "../../ui/facts";
import { pathOf, TextLink } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { exactTime } from "../../ui/time";

const PAGES: Readonly<Record<string, string>> = {
  app: "apps",
  layout: "layouts",
  preference: "preferences",
  config: "configs",
  user: "users",
  group: "groups",
};

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
          ["When", exactTime(entry.at)],
          ["Who", entry.actor],
          ["Did", entry.operation],
          ["Revision", entry.revision ?? "none: no document changed"],
          ["From", entry.origin.address],
          ["With", entry.origin.agent || "–"],
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
        <OneChange key={`${change.kind} ${change.id}`} change={change} />
      ))}
      {entry.changed > entry.changes.length && <Text>and {entry.changed - entry.changes.length} more documents</Text>}
    </>
  );
}

function OneChange({ change }: { change: AuditChange }) {
  const page = PAGES[change.kind];
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {change.kind}{" "}
        {page && change.action !== "deleted" ? (
          <TextLink to={pathOf(page, change.id)}>{change.id}</TextLink>
        ) : (
          change.id
        )}{" "}
        {change.action}
      </Title>
      <ChangesTable
        changes={change.diff.map(asChange)}
        before="Before"
        after="After"
        same="Nothing that is shown has changed."
      />
      {change.omitted ? <Text size="sm">and {change.omitted} more places</Text> : null}
    </Paper>
  );
}

/** A step of the audit as a change; large values are told by their size. */
export function asChange(edit: AuditEdit): Change {
  const path = edit.path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const before = edit.beforeSize ? `${edit.beforeSize} bytes` : edit.before;
  const after = edit.afterSize ? `${edit.afterSize} bytes` : edit.after;
  return { path, ...(edit.op === "add" ? {} : { before }), ...(edit.op === "remove" ? {} : { after }) };
}
