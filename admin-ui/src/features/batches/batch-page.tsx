/** A batch: its progress and its report, at an address that can be shared. */

import { Alert, Button, Group, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { BatchView } from "../../api/generated/client";
import { NotFound } from "../../shell/not-found";
import { Facts } from "../../ui/facts";
import { pathOf, TextLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { Ticket } from "../../ui/ticket";
import { Time } from "../../ui/time";
import { BatchDialog } from "./batch-dialog";
import { actionOf, BATCHES, type BatchKind, counted, isBatchKind, listOf, titleOf, WITHOUT_PAGES } from "./kinds";

const POLL_MS = 500;
const SHOWN = 1000;

export function BatchPage() {
  const { kind = "", id = "" } = useParams({ strict: false }) as { kind?: string; id?: string };
  return isBatchKind(kind) ? <KnownBatch kind={kind} id={id} /> : <NotFound />;
}

function KnownBatch({ kind, id }: { kind: BatchKind; id: string }) {
  const client = useClient();
  const batch = useQuery({
    queryKey: ["batches", kind, id],
    queryFn: async ({ signal }) => (await client.call(BATCHES[kind].read, { path: { batch_id: id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === "running" || state.error ? POLL_MS : false),
  });
  return (
    <PageBody>
      <PageHead
        title={batch.data ? headingOf(kind, batch.data) : "Batch"}
        back={{ to: listOf(kind), label: BATCHES[kind].label }}
        about="Progress and report of a bulk change. You can share the address of this page."
      />
      <QueryState query={batch}>{(data) => <Report kind={kind} batch={data} />}</QueryState>
    </PageBody>
  );
}

function Report({ kind, batch }: { kind: BatchKind; batch: BatchView }) {
  const finished = batch.done + batch.unchanged + batch.refused;
  return (
    <Stack>
      <Text fw={600} role="status">
        {statusSentence(kind, batch, finished)}
      </Text>
      <Progress
        value={batch.total > 0 ? (finished / batch.total) * 100 : 100}
        aria-label="Progress"
        color={batch.status === "done" ? "green" : batch.status === "running" ? "blue" : "orange"}
      />
      {batch.problem && (
        <Alert color="orange" variant="light" role="alert" title="Interrupted">
          {batch.problem}
        </Alert>
      )}
      <Controls kind={kind} batch={batch} />
      <Facts
        facts={[
          [isImport(batch) ? "Created or changed" : "Changed", counted(kind, batch.done)],
          ["Already in this state", counted(kind, batch.unchanged)],
          ["Refused", counted(kind, batch.refused)],
          ...argumentFacts(kind, batch),
          ["Started", <Time key="started" at={batch.created} />],
          ["Started by", batch.createdBy],
          ["Comment", batch.comment || "–"],
          ["Ticket", <Ticket key="ticket" ticket={batch.ticket} />],
        ]}
      />
      {batch.refused > 0 && <Documents kind={kind} batch={batch} result="refused" />}
      {batch.done > 0 && batch.status !== "running" && <Documents kind={kind} batch={batch} result="done" />}
    </Stack>
  );
}

function Controls({ kind, batch }: { kind: BatchKind; batch: BatchView }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay(BATCHES[kind].right, "WRITE");
  const [isBusy, setBusy] = useState(false);
  if (!mayWrite || (batch.status !== "running" && batch.status !== "interrupted")) return null;
  const act = async (operation: "resume" | "cancel") => {
    setBusy(true);
    await client.call(BATCHES[kind][operation], { path: { batch_id: batch.id } }).catch(showError);
    await queries.invalidateQueries({ queryKey: ["batches", kind, batch.id] });
    setBusy(false);
  };
  return (
    <Group gap="xs">
      {batch.status === "interrupted" && (
        <Button loading={isBusy} onClick={() => void act("resume")}>
          Resume
        </Button>
      )}
      <Button variant="default" loading={isBusy} onClick={() => void act("cancel")}>
        Cancel the rest
      </Button>
    </Group>
  );
}

type Result = "refused" | "done";

/** The documents of a batch with one result. */
function Documents({ kind, batch, result }: { kind: BatchKind; batch: BatchView; result: Result }) {
  const client = useClient();
  const mayWrite = useMay(BATCHES[kind].right, "WRITE");
  const [isRetrying, setRetrying] = useState(false);
  const action = actionOf(kind, batch.action);
  const isRefused = result === "refused";
  const isLinked = (isRefused || batch.action !== "delete") && !WITHOUT_PAGES.has(kind);
  const changed = isImport(batch) ? "Created or changed" : "Changed";
  const title = `${isRefused ? "Refused" : changed} ${BATCHES[kind].many}`;
  const targets = useQuery({
    queryKey: ["batches", kind, batch.id, result, batch[result]],
    queryFn: async ({ signal }) => {
      const asked = { path: { batch_id: batch.id }, query: { result, limit: SHOWN }, signal };
      return (await client.call(BATCHES[kind].targets, asked)).data;
    },
  });
  return (
    <QueryState query={targets}>
      {({ items, total }) => (
        <Stack gap="xs">
          <Group justify="space-between">
            <Title order={2} size="h4">
              {title}
            </Title>
            {isRefused && mayWrite && action && batch.status !== "running" && (
              <Button variant="default" size="compact-md" onClick={() => setRetrying(true)}>
                Try again
              </Button>
            )}
          </Group>
          <Table aria-label={title} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Document</Table.Th>
                {isRefused && <Table.Th>Reason</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((item) => (
                <tr key={item.id}>
                  <td className="breaks">
                    {isLinked ? (
                      <TextLink to={pathOf(kind, item.id)} size="sm">
                        {item.id}
                      </TextLink>
                    ) : (
                      item.id
                    )}
                  </td>
                  {isRefused && <td className="breaks">{item.message}</td>}
                </tr>
              ))}
            </Table.Tbody>
          </Table>
          {total > items.length && <Text size="sm">and {counted(kind, total - items.length)} more</Text>}
          {isRetrying && action && (
            <BatchDialog
              kind={kind}
              action={action}
              given={namesOf(batch)}
              givenOption={batch.arguments.reviewReports === true}
              targets={{ ids: items.map((item) => item.id) }}
              onClose={() => setRetrying(false)}
              onStarted={() => setRetrying(false)}
            />
          )}
        </Stack>
      )}
    </QueryState>
  );
}

function argumentFacts(kind: BatchKind, batch: BatchView): [string, string][] {
  const given = batch.arguments as Record<string, string[]>;
  if (isImport(batch)) {
    const columns = given.columns?.length ? given.columns.join(", ") : "all columns of the file";
    return [
      ["Columns", columns],
      ["Groups and apps", given.lists?.includes("add") ? "added" : "replaced"],
    ];
  }
  if (batch.arguments.reviewReports === true) return [["Reports", "marked as reviewed"]];
  const chosen = namesOf(batch);
  const label = actionOf(kind, batch.action)?.argument === "apps" ? "Apps" : "Groups";
  return chosen.length > 0 ? [[label, chosen.join(", ")]] : [];
}

/** The groups, apps or users that the action was given. */
function namesOf(batch: BatchView): string[] {
  return Object.values(batch.arguments)
    .filter((value) => Array.isArray(value))
    .flat()
    .map(String);
}

/** An import has no dialog: it starts with a file. */
function isImport(batch: BatchView): boolean {
  return batch.action === "import";
}

function headingOf(kind: BatchKind, batch: BatchView): string {
  if (isImport(batch)) return `Import ${BATCHES[kind].many}`;
  const action = actionOf(kind, batch.action);
  return action ? titleOf(kind, action) : batch.action;
}

function statusSentence(kind: BatchKind, batch: BatchView, finished: number): string {
  const progress = `${finished.toLocaleString("en")} of ${counted(kind, batch.total)} processed`;
  if (batch.status === "done") return `Complete. ${progress}.`;
  if (batch.status === "cancelled") return `Cancelled. ${progress}. Changed documents stay changed.`;
  if (batch.status === "interrupted") return `Interrupted. ${progress}. Resume to process the rest.`;
  return `${progress} …`;
}
