/** The plan of a roll-out: stages, limits, and how many users each stage reaches. */

import { Alert, Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { NewRollout, PreviewedStage } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { fieldErrors } from "../../ui/document/field-errors";
import { NamesInput } from "../../ui/names-input";
import { useGroupNames } from "../groups/group-names";
import { rolloutPath } from "./columns";
import { STAGED, type StagedKind } from "./kinds";
import { counted, type StageDraft, stagesOf } from "./sentences";

const TYPING_MS = 300;
const MOST_STAGES = 20;
const FIRST: readonly StageDraft[] = [
  { id: 1, percent: 10, groups: [], hours: 1 },
  { id: 2, percent: 50, groups: [], hours: 4 },
];

interface StartDialogProps {
  kind: StagedKind;
  id: string;
  content: unknown;
  revision: number;
  onClose: () => void;
  onStarted: () => void;
}

export function StartDialog({ kind, id, content, revision, onClose, onStarted }: StartDialogProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [stages, setStages] = useState(FIRST);
  const [maxCrashes, setMaxCrashes] = useState("2%");
  const [maxFailures, setMaxFailures] = useState("5%");
  const [comment, setComment] = useState("");
  const [ticket, setTicket] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const plan = { key: id, stages: stagesOf(stages) };
  const [settled] = useDebouncedValue(JSON.stringify(plan), TYPING_MS);
  const preview = useQuery({
    queryKey: [kind, "rollouts", "preview", settled],
    queryFn: async ({ signal }) =>
      (await client.call(STAGED[kind].preview, { body: JSON.parse(settled), signal })).data,
    placeholderData: (before) => before,
    retry: false,
  });
  const fields = ["maxCrashes", "maxFailures", ...stages.flatMap((_, at) => stageFields(at))];
  const failure = error ?? preview.error;
  const errors = fieldErrors(failure, fields);
  const change = (at: number, changes: Partial<StageDraft>) => {
    setError(null);
    setStages(stages.map((stage, number) => (number === at ? { ...stage, ...changes } : stage)));
  };
  const add = () => {
    const last = stages[stages.length - 1];
    const next = { id: Math.max(...stages.map((stage) => stage.id)) + 1, percent: 100, groups: [], hours: 4 };
    setStages([...stages, { ...next, hours: last?.hours ?? 4 }]);
  };
  const start = async () => {
    setBusy(true);
    setError(null);
    const limits = { maxCrashes: maxCrashes.trim() || null, maxFailures: maxFailures.trim() || null };
    const body = { ...plan, ...limits, content, comment, ticket } as NewRollout;
    try {
      const { data } = await client.call(STAGED[kind].start, { body, ifMatch: `"${revision}"` });
      void queries.invalidateQueries({ queryKey: [kind] });
      onStarted();
      void navigate({ to: rolloutPath(kind, data.id), ignoreBlocker: true });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  return (
    <Dialog opened onClose={onClose} title="Roll out in stages" size="lg" centered>
      <Stack gap="sm">
        <Text size="sm">
          The users of a stage receive your change, all others the saved version. After the last stage, the change is
          saved for all users. Changes of who receives the document are not part of a roll-out.
        </Text>
        {stages.map((stage, at) => (
          <StageFields
            key={stage.id}
            number={at + 1}
            stage={stage}
            reached={preview.error ? undefined : preview.data?.stages[at]}
            errorAt={(name) => errors.at(`stages[${at}]${name}`)}
            onChange={(changes) => change(at, changes)}
            onRemove={stages.length > 1 ? () => setStages(stages.filter((_, number) => number !== at)) : null}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add} disabled={stages.length >= MOST_STAGES}>
            Add stage
          </Button>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Halt if more users crash"
            description="A number or a percentage. Empty: no limit."
            value={maxCrashes}
            onChange={(event) => setMaxCrashes(event.currentTarget.value)}
            error={errors.at("maxCrashes")}
          />
          <TextInput
            label="Halt if more desktops fail"
            description="That do not apply it within 5 minutes."
            value={maxFailures}
            onChange={(event) => setMaxFailures(event.currentTarget.value)}
            error={errors.at("maxFailures")}
          />
          <TextInput
            label="Comment"
            description="Optional. Stored in the audit log."
            maxLength={256}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <TextInput
            label="Ticket"
            description="Optional. Stored in the audit log."
            maxLength={64}
            value={ticket}
            onChange={(event) => setTicket(event.currentTarget.value)}
          />
        </SimpleGrid>
        {failure !== null && errors.count === 0 && (
          <Alert color="red" variant="light" title="Nothing was started" role="alert">
            {[messageOf(failure), ...errors.rest.map(({ path, message }) => `${path}: ${message}`)].join(" ")}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isBusy} disabled={!preview.data || preview.error !== null} onClick={() => void start()}>
            Start the roll-out
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface StageFieldsProps {
  number: number;
  stage: StageDraft;
  reached: PreviewedStage | undefined;
  errorAt: (name: string) => string | undefined;
  onChange: (changes: Partial<StageDraft>) => void;
  onRemove: (() => void) | null;
}

function StageFields({ number, stage, reached, errorAt, onChange, onRemove }: StageFieldsProps) {
  const groupNames = useGroupNames();
  const title = `Stage ${number}`;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Group gap="sm">
          {reached && (
            <Text size="sm">{`about ${counted(reached.users, "user")}, ${reached.new.toLocaleString("en")} new`}</Text>
          )}
          {onRemove && (
            <Button variant="subtle" size="compact-xs" onClick={onRemove}>
              Remove
            </Button>
          )}
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label="Percentage"
          min={0}
          max={100}
          suffix="%"
          allowDecimal={false}
          value={stage.percent}
          onChange={(percent) => onChange({ percent })}
          error={errorAt(".percent") ?? errorAt("")}
        />
        <NamesInput
          label="Groups"
          value={stage.groups}
          onChange={(groups) => onChange({ groups })}
          suggestions={{ ...groupNames, unknown: "refuse" }}
          error={errorAt(".groups")}
        />
        <NumberInput
          label="Duration in hours"
          placeholder="until the next stage is started"
          min={0}
          max={2160}
          value={stage.hours}
          onChange={(hours) => onChange({ hours })}
          error={errorAt(".duration")}
        />
      </SimpleGrid>
    </Paper>
  );
}

function stageFields(at: number): string[] {
  return ["", ".percent", ".groups", ".duration"].map((name) => `stages[${at}]${name}`);
}
