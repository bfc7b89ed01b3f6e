/** A command run: its progress, its waves, and the desktops that failed. */

import { Alert, Button, Group, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { CommandRunView, RunTargetView } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { Facts } from "../../ui/facts";
import { JsonText } from "../../ui/json-text";
import { pathOf, TextLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { Ticket } from "../../ui/ticket";
import { exactTime, Time } from "../../ui/time";
import { desktops } from "../commands/confirm-dialog";
import { machineName } from "../sessions/columns";
import { RunStatus } from "./columns";
import { percentage, progressSentence } from "./sentences";

/** The manager reports progress by events; this is a fallback for an interrupted stream. */
const POLL_MS = 5_000;
const SHOWN = 200;
const COLOURS: Partial<Record<CommandRunView["status"], string>> = { done: "green", stopped: "red", paused: "orange" };
const OPEN = ["scheduled", "running", "paused", "stopped"];

export function CommandRunPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const client = useClient();
  const run = useQuery({
    queryKey: ["commands", "runs", id],
    queryFn: async ({ signal }) => (await client.call("readCommandRun", { path: { run_id: id }, signal })).data,
    refetchInterval: ({ state }) => (state.data && !OPEN.includes(state.data.status) ? false : POLL_MS),
  });
  return (
    <PageBody>
      <PageHead
        title={run.data?.command ?? "Command run"}
        back={{ to: "/command-runs", label: "Command runs" }}
        actions={run.data && <Controls run={run.data} />}
      />
      <QueryState query={run}>{(data) => <Report run={data} />}</QueryState>
    </PageBody>
  );
}

function Report({ run }: { run: CommandRunView }) {
  return (
    <Stack>
      <Group gap="sm">
        <RunStatus run={run} />
        <Text fw={600} role="status">
          {statusSentence(run)}
        </Text>
      </Group>
      <Progress value={percentage(run)} aria-label="Progress" color={COLOURS[run.status] ?? "blue"} />
      {run.status === "stopped" && (
        <Alert color="red" variant="light" role="alert" title="Stopped">
          {`${run.reason}. Examine the failures, then continue or cancel the run.`}
        </Alert>
      )}
      <Waves run={run} />
      <Targets run={run} state="failed" title="Failed desktops" />
      <Targets run={run} state="unanswered" title="Desktops without an answer" />
      <Targets run={run} state="refused" title="Refused desktops" />
      <Targets run={run} state="unsupported" title="Desktops without support for the command" />
      <Targets run={run} state="offline" title="Offline desktops" />
      <Facts
        facts={[
          ["Selected by", targetText(run)],
          ["Stop if more fail", run.maxFailures ?? "no limit"],
          ["Stop if more crash", run.maxCrashes ?? "no limit"],
          ["Crashed since the command", desktops(run.crashed)],
          [
            "Offline desktops",
            run.expires ? `receive the command until ${exactTime(run.expires)}` : "do not receive it",
          ],
          ["Pause between waves", `${run.pause / 60} min`],
          ["Created", <Time key="created" at={run.created} />],
          ["Created by", run.createdBy],
          ["Comment", run.comment],
          ["Ticket", <Ticket key="ticket" ticket={run.ticket} />],
        ]}
      />
      {Object.keys(run.params).length > 0 && <JsonText title="Parameters" value={run.params} />}
    </Stack>
  );
}

const QUESTIONS = {
  continue: "Failures and crashes until now no longer count for the limits.",
  cancel: "Desktops that have not received the command do not receive it. The run cannot be continued.",
} as const;

function Controls({ run }: { run: CommandRunView }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay("COMMANDS", "WRITE");
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null);
  if (!mayWrite || !OPEN.includes(run.status)) return null;
  const act = async (operation: "pauseCommandRun" | "continueCommandRun" | "cancelCommandRun") => {
    setBusy(true);
    await client.call(operation, { path: { run_id: run.id } }).catch(showError);
    await queries.invalidateQueries({ queryKey: ["commands"] });
    setBusy(false);
    setAsked(null);
  };
  const isGoing = run.status === "scheduled" || run.status === "running";
  return (
    <>
      {isGoing ? (
        <Button variant="default" loading={isBusy} onClick={() => void act("pauseCommandRun")}>
          Pause
        </Button>
      ) : (
        <Button
          loading={isBusy}
          onClick={() => (run.status === "stopped" ? setAsked("continue") : void act("continueCommandRun"))}
        >
          Continue
        </Button>
      )}
      <Button variant="default" loading={isBusy} onClick={() => setAsked("cancel")}>
        Cancel the run
      </Button>
      <Dialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === "cancel" ? "Cancel this run?" : "Continue this run?"}
        centered
      >
        <Stack gap="sm">
          <Text size="sm">{asked && QUESTIONS[asked]}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(null)} data-autofocus>
              Back
            </Button>
            <Button
              color="red"
              loading={isBusy}
              onClick={() => void act(asked === "cancel" ? "cancelCommandRun" : "continueCommandRun")}
            >
              {asked === "cancel" ? "Cancel the run" : "Continue"}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function Waves({ run }: { run: CommandRunView }) {
  if (run.waves.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Waves
      </Title>
      <Table aria-label="Waves" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={70}>Wave</Table.Th>
            <Table.Th>Desktops</Table.Th>
            <Table.Th w={120}>Started</Table.Th>
            <Table.Th w={120}>Finished</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {run.waves.map((wave) => (
            <tr key={wave.number}>
              <td>{wave.number}</td>
              <td className="breaks">{wave.started ? progressSentence(wave) : desktops(wave.total)}</td>
              <td>
                <Time at={wave.started} />
              </td>
              <td>
                <Time at={wave.finished} />
              </td>
            </tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

interface TargetsProps {
  run: CommandRunView;
  state: "failed" | "unanswered" | "refused" | "unsupported" | "offline";
  title: string;
}

/** The desktops of a run in one state, if any. */
function Targets({ run, state, title }: TargetsProps) {
  const client = useClient();
  const count = run[state];
  const targets = useQuery({
    queryKey: ["commands", "runs", run.id, state, count],
    queryFn: async ({ signal }) => {
      const asked = { path: { run_id: run.id }, query: { state, limit: SHOWN }, signal };
      return (await client.call("listCommandRunTargets", asked)).data;
    },
    enabled: count > 0,
    placeholderData: (before) => before,
  });
  if (count === 0) return null;
  return (
    <QueryState query={targets}>
      {({ items, total }) => (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Table aria-label={title} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>User</Table.Th>
                <Table.Th>Machine</Table.Th>
                <Table.Th>{state === "failed" || state === "unanswered" ? "Command" : "Reason"}</Table.Th>
                <Table.Th w={70}>Wave</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((item) => (
                <TargetRow key={item.number} item={item} />
              ))}
            </Table.Tbody>
          </Table>
          {total > items.length && <Text size="sm">and {desktops(total - items.length)} more</Text>}
        </Stack>
      )}
    </QueryState>
  );
}

function TargetRow({ item }: { item: RunTargetView }) {
  return (
    <Table.Tr>
      <td className="breaks">
        <TextLink to={pathOf("users", item.user)} size="sm">
          {item.user}
        </TextLink>
      </td>
      <td className="breaks">
        {item.session ? (
          <TextLink to={pathOf("sessions", item.session)} size="sm">
            {machineName(item.machine) || "Session"}
          </TextLink>
        ) : (
          machineName(item.machine) || "–"
        )}
      </td>
      <td className="breaks">
        {item.command ? (
          <TextLink to={pathOf("commands", item.command)} size="sm">
            Result
          </TextLink>
        ) : (
          (item.message ?? (item.state === "offline" ? "not connected" : "–"))
        )}
      </td>
      <td>{item.wave}</td>
    </Table.Tr>
  );
}

function statusSentence(run: CommandRunView): string {
  if (run.status === "scheduled" && run.startAt) return `Starts on ${exactTime(run.startAt)}.`;
  if (run.total === 0) return run.reason ?? "No desktop was selected.";
  const progress = `${progressSentence(run)}.`;
  return run.nextWaveAt ? `${progress} Next wave: ${exactTime(run.nextWaveAt)}.` : progress;
}

function targetText(run: CommandRunView): string {
  const target = run.target as {
    groups: string[];
    users: string[];
    filter: { q: string; fields: Record<string, string> } | null;
  };
  const parts = [
    ...target.groups.map((name) => `group ${name}`),
    ...target.users.map((name) => `user ${name}`),
    ...Object.entries(target.filter?.fields ?? {}).map(([name, value]) => `${name} ${value}`),
    ...(target.filter?.q ? [`text ${target.filter.q}`] : []),
  ];
  return parts.join(", ") || "all desktops";
}
