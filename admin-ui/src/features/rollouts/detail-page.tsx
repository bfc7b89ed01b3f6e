/** A roll-out: its stages, its progress and its controls. */

import { Alert, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { RolloutView } from "../../api/generated/client";
import { NotFound } from "../../shell/not-found";
import { Dialog } from "../../ui/dialog";
import { Facts } from "../../ui/facts";
import { JsonText } from "../../ui/json-text";
import { pathOf, TextLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { exactTime, Time } from "../../ui/time";
import { RolloutStatus } from "./columns";
import { STAGED, STAGED_KINDS, type StagedKind } from "./kinds";
import { isOpen, progressSentence, span, stageUsers } from "./sentences";

const POLL_MS = 5_000;

export function RolloutPage() {
  const { kind, id = "" } = useParams({ strict: false }) as { kind?: string; id?: string };
  const known = STAGED_KINDS.find((each) => each === kind);
  return known ? <OneRollout kind={known} id={id} /> : <NotFound />;
}

function OneRollout({ kind, id }: { kind: StagedKind; id: string }) {
  const client = useClient();
  const rollout = useQuery({
    queryKey: [kind, "rollouts", id],
    queryFn: async ({ signal }) => (await client.call(STAGED[kind].read, { path: { rollout_id: id }, signal })).data,
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : POLL_MS),
  });
  return (
    <PageBody>
      <PageHead
        title={rollout.data ? `Roll-out of ${rollout.data.name}` : "Roll-out"}
        back={{ to: `/rollouts/${kind}`, label: "Roll-outs" }}
        actions={rollout.data && <Controls kind={kind} rollout={rollout.data} />}
      />
      <QueryState query={rollout}>{(data) => <Report kind={kind} rollout={data} />}</QueryState>
    </PageBody>
  );
}

function Report({ kind, rollout }: { kind: StagedKind; rollout: RolloutView }) {
  return (
    <Stack>
      <Group gap="sm">
        <RolloutStatus rollout={rollout} />
        <Text fw={600} role="status">
          {statusSentence(rollout)}
        </Text>
      </Group>
      {rollout.status === "halted" && (
        <Alert color="red" variant="light" role="alert" title="Halted">
          {`${rollout.reason}. No further stage starts. Users who have the new version keep it until you withdraw it.`}
        </Alert>
      )}
      {isOpen(rollout) && <Text size="sm">{progressSentence(rollout)}</Text>}
      <Stages rollout={rollout} />
      <Facts
        facts={[
          [
            "Document",
            <TextLink key="document" to={pathOf(kind, rollout.key)} size="sm">
              {rollout.name}
            </TextLink>,
          ],
          ["Halt if more users crash", rollout.maxCrashes ?? "no limit"],
          ["Halt if more desktops fail", rollout.maxFailures ?? "no limit"],
          ["Time to apply the change", span(rollout.applyTimeout)],
          ["Started", <Time key="created" at={rollout.created} />],
          ["Started by", rollout.createdBy],
          ["Comment", rollout.comment],
          ["Ticket", rollout.ticket],
        ]}
      />
      <JsonText title="New version" value={rollout.candidate} />
    </Stack>
  );
}

function Stages({ rollout }: { rollout: RolloutView }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Stages
      </Title>
      <Table aria-label="Stages" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={70}>Stage</Table.Th>
            <Table.Th>Users</Table.Th>
            <Table.Th w={170}>Duration</Table.Th>
            <Table.Th w={120}>Started</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rollout.stages.map((stage) => (
            <Table.Tr key={stage.number} {...(stage.number === rollout.stage ? { fw: 600 } : {})}>
              <td>{stage.number}</td>
              <td className="breaks">{stageUsers(stage)}</td>
              <td>{span(stage.duration)}</td>
              <td>
                <Time at={stage.started} />
              </td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

const QUESTIONS = {
  advance: ["Start the next stage now?", "Start next stage", "Further users receive the new version."],
  resume: ["Resume this roll-out?", "Resume", "Crashes and failures until now no longer count for the limits."],
  finish: ["Finish this roll-out?", "Finish", "The new version is saved. All users of the document receive it."],
  withdraw: [
    "Withdraw this roll-out?",
    "Withdraw",
    "The new version is discarded. All users receive the saved version.",
  ],
} as const;

function Controls({ kind, rollout }: { kind: StagedKind; rollout: RolloutView }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay(STAGED[kind].right, "WRITE");
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null);
  if (!mayWrite || !isOpen(rollout)) return null;
  const act = async (action: keyof typeof QUESTIONS | "halt") => {
    setBusy(true);
    await client.call(STAGED[kind][action], { path: { rollout_id: rollout.id } }).catch(showError);
    await queries.invalidateQueries({ queryKey: [kind] });
    setBusy(false);
    setAsked(null);
  };
  const [title, label, text] = asked ? QUESTIONS[asked] : ["", "", ""];
  return (
    <>
      {rollout.status === "running" ? (
        <Button variant="default" loading={isBusy} onClick={() => void act("halt")}>
          Halt
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsked("resume")}>
          Resume…
        </Button>
      )}
      {rollout.stage < rollout.stages.length && (
        <Button variant="default" onClick={() => setAsked("advance")}>
          Start next stage…
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked("withdraw")}>
        Withdraw…
      </Button>
      <Button onClick={() => setAsked("finish")}>Finish…</Button>
      <Dialog opened={asked !== null} onClose={() => setAsked(null)} title={title} centered>
        <Stack gap="sm">
          <Text size="sm">{text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(null)} data-autofocus>
              Back
            </Button>
            <Button
              loading={isBusy}
              onClick={() => asked && void act(asked)}
              {...(asked === "withdraw" ? { color: "red" } : {})}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function statusSentence(rollout: RolloutView): string {
  if (rollout.status === "finished") return "All users receive the new version.";
  if (rollout.status === "withdrawn") return `All users receive the saved version: ${rollout.reason}.`;
  const stage = `Stage ${rollout.stage} of ${rollout.stages.length}.`;
  if (!rollout.nextAt) return stage;
  const next = rollout.stage < rollout.stages.length ? "Next stage" : "Finishes";
  return `${stage} ${next}: ${exactTime(rollout.nextAt)}.`;
}
