/** The page for a new command run: command, desktops, waves, and a live preview. */

import {
  Alert,
  Autocomplete,
  Button,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { NewCommandRun, RunTarget } from "../../api/generated/client";
import { newKey } from "../../api/new-key";
import { Dialog } from "../../ui/dialog";
import { isObject } from "../../ui/document/changes";
import { fieldErrors } from "../../ui/document/field-errors";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import { Icon } from "../../ui/icons";
import { JsonField } from "../../ui/json-editor/json-field";
import { pathOf } from "../../ui/link";
import { NamesInput } from "../../ui/names-input";
import { PageBody, PageHead } from "../../ui/page";
import { ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { desktops } from "../commands/confirm-dialog";
import { effectOf, needsConfirmation } from "../commands/effects";
import { useGroupNames } from "../groups/group-names";
import { useUserNames } from "../users/user-names";
import { RunPreview } from "./run-preview";
import { wavesOf } from "./sentences";

const COMMANDS = [
  "GetLogs",
  "GetSystemInfo",
  "Refresh",
  "RefreshApps",
  "Restart",
  "RestartApps",
  "SendFeedback",
  "StopApps",
];
const FILTERS = [
  ["version", "Version"],
  ["region", "Region"],
  ["env", "Environment"],
  ["machine", "Machine"],
] as const;
const FIELDS = ["command", "target.groups", "target.users", "waves", "maxFailures", "maxCrashes", "startAt", "expires"];
const TYPING_MS = 300;
const MINUTE = 60;

export function NewCommandRunPage() {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asked = useSearch({ strict: false }) as Record<string, string>;
  const [command, setCommand] = useState(asked.command ?? "");
  const [params, setParams] = useState<Readonly<Record<string, unknown>>>({});
  const [hasParams, setHasParams] = useState(false);
  const [wrongParams, setWrongParams] = useState<string | null>(null);
  const [groups, setGroups] = useState<readonly string[]>(asked.group ? [asked.group] : []);
  const [users, setUsers] = useState<readonly string[]>(asked.user ? [asked.user] : []);
  const [filter, setFilter] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(FILTERS.map(([name]) => [name, asked[name] ?? ""])),
  );
  const [waves, setWaves] = useState("10%, 50%, 100%");
  const [pause, setPause] = useState<number | string>(10);
  const [maxFailures, setMaxFailures] = useState("5%");
  const [maxCrashes, setMaxCrashes] = useState("");
  const [startAt, setStartAt] = useState("");
  const [expires, setExpires] = useState("");
  const [comment, setComment] = useState("");
  const [ticket, setTicket] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // The key of a request without a response: a repeated request with the same key starts nothing twice.
  const [key, setKey] = useState(newKey);

  const request = { command, params, target: targetOf(groups, users, filter), waves: wavesOf(waves) };
  const [settled] = useDebouncedValue(JSON.stringify(request), TYPING_MS);
  const isComplete = command !== "" && request.waves.length > 0 && wrongParams === null;
  const preview = useQuery({
    queryKey: ["commands", "run-preview", settled],
    queryFn: async ({ signal }) => (await client.call("previewCommandRun", { body: JSON.parse(settled), signal })).data,
    enabled: isComplete && (JSON.parse(settled) as NewCommandRun).command !== "",
    placeholderData: (before) => before,
    retry: false,
  });
  useUnsaved(command !== "" || groups.length > 0 || users.length > 0);
  const errors = fieldErrors(error ?? preview.error, FIELDS);

  const start = async () => {
    setBusy(true);
    setError(null);
    const body: NewCommandRun = {
      ...request,
      key,
      pause: Math.round(Number(pause) * MINUTE),
      maxFailures: maxFailures.trim() || null,
      maxCrashes: maxCrashes.trim() || null,
      startAt: instant(startAt),
      expires: instant(expires),
      comment,
      ticket,
    };
    try {
      const { data } = await client.call("startCommandRun", { body });
      void queries.invalidateQueries({ queryKey: ["commands"] });
      void navigate({ to: pathOf("command-runs", data.id), ignoreBlocker: true });
    } catch (failure) {
      setError(failure);
      setBusy(false);
      setAsking(false);
    }
  };
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      // A changed request needs a new key, and clears the error.
      setKey(newKey());
      setError(null);
      set(value);
    };
  const count = preview.data?.total ?? 0;
  const action = startAt ? `Schedule for ${desktops(count)}` : `Send to ${desktops(count)}`;

  return (
    <PageBody>
      <PageHead
        title="New command run"
        back={{ to: "/command-runs", label: "Command runs" }}
        about="Sends a command to many desktops in waves. The desktops are selected when the run starts."
      />
      <Stack maw={960}>
        <Section title="Command">
          <Autocomplete
            label="Command"
            data={COMMANDS}
            value={command}
            onChange={edit(setCommand)}
            error={errors.at("command")}
            {...(command ? { description: effectOf(command) } : {})}
          />
          {hasParams ? (
            <JsonField
              label="Parameters"
              value={params}
              accepts={isObject}
              expected="an object"
              onChange={edit(setParams)}
              onProblem={setWrongParams}
            />
          ) : (
            <Group>
              <Button variant="default" size="compact-sm" onClick={() => setHasParams(true)}>
                Add parameters
              </Button>
            </Group>
          )}
        </Section>
        <Section title="Desktops">
          <Names
            groups={groups}
            users={users}
            onGroups={edit(setGroups)}
            onUsers={edit(setUsers)}
            groupError={errors.at("target.groups")}
            userError={errors.at("target.users")}
          />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            {FILTERS.map(([name, label]) => (
              <TextInput
                key={name}
                label={label}
                placeholder="Any"
                value={filter[name] ?? ""}
                onChange={(event) => edit(setFilter)({ ...filter, [name]: event.currentTarget.value })}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            A desktop must match all fields. * stands for any characters. If all fields are empty, all desktops are
            selected.
          </Text>
        </Section>
        <Section title="Waves">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Waves"
              description="Numbers or percentages of the desktops, in ascending order."
              value={waves}
              onChange={(event) => edit(setWaves)(event.currentTarget.value)}
              error={errors.at("waves")}
            />
            <NumberInput
              label="Pause between waves (minutes)"
              description="Begins when all desktops of a wave have answered."
              min={0}
              max={10_080}
              value={pause}
              onChange={edit(setPause)}
            />
            <TextInput
              label="Stop if more desktops fail"
              description="A number or a percentage. Empty: no limit."
              value={maxFailures}
              onChange={(event) => edit(setMaxFailures)(event.currentTarget.value)}
              error={errors.at("maxFailures")}
            />
            <TextInput
              label="Stop if more desktops crash"
              description="A number or a percentage. Empty: no limit."
              value={maxCrashes}
              onChange={(event) => edit(setMaxCrashes)(event.currentTarget.value)}
              error={errors.at("maxCrashes")}
            />
            <TextInput
              type="datetime-local"
              label="Start"
              description="In your time zone. Empty: at once."
              value={startAt}
              onChange={(event) => edit(setStartAt)(event.currentTarget.value)}
              error={errors.at("startAt")}
            />
            <TextInput
              type="datetime-local"
              label="Expiry for offline desktops"
              description="Until then, they receive the command when they connect."
              value={expires}
              onChange={(event) => edit(setExpires)(event.currentTarget.value)}
              error={errors.at("expires")}
            />
            <TextInput
              label="Comment"
              description="Optional. Stored in the audit log."
              maxLength={256}
              value={comment}
              onChange={(event) => edit(setComment)(event.currentTarget.value)}
            />
            <TextInput
              label="Ticket"
              description="Optional. Stored in the audit log."
              maxLength={64}
              value={ticket}
              onChange={(event) => edit(setTicket)(event.currentTarget.value)}
            />
          </SimpleGrid>
        </Section>
        {isComplete && preview.isLoading && <LoadingState />}
        {isComplete && preview.error && errors.count === 0 && <ErrorState error={preview.error} />}
        {isComplete && preview.data && !preview.error && <RunPreview preview={preview.data} retries={expires !== ""} />}
        {error !== null && errors.count === 0 && (
          <Alert color="red" variant="light" title="Nothing was sent" role="alert">
            {messageOf(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            leftSection={<Icon name="send" size={16} />}
            disabled={!isComplete || !preview.data || preview.isPlaceholderData || (count === 0 && !startAt)}
            loading={isBusy}
            onClick={() => (needsConfirmation(command) ? setAsking(true) : void start())}
          >
            {action}
          </Button>
        </Group>
      </Stack>
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={`${action}?`} centered>
        <Stack gap="sm">
          <Text size="sm">{effectOf(command)}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={isBusy} onClick={() => void start()}>
              {startAt ? "Schedule" : "Send"} {command}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </PageBody>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

interface NamesProps {
  groups: readonly string[];
  users: readonly string[];
  onGroups: (names: readonly string[]) => void;
  onUsers: (names: readonly string[]) => void;
  groupError: string | undefined;
  userError: string | undefined;
}

function Names({ groups, users, onGroups, onUsers, groupError, userError }: NamesProps) {
  const groupNames = useGroupNames();
  const userNames = useUserNames();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NamesInput
        label="Groups"
        description="All members, direct or inherited."
        value={groups}
        onChange={onGroups}
        suggestions={{ ...groupNames, unknown: "refuse" }}
        error={groupError}
      />
      <NamesInput
        label="Users"
        description="In addition to the groups."
        value={users}
        onChange={onUsers}
        suggestions={{ ...userNames, unknown: "refuse" }}
        error={userError}
      />
    </SimpleGrid>
  );
}

function targetOf(
  groups: readonly string[],
  users: readonly string[],
  filter: Readonly<Record<string, string>>,
): RunTarget {
  const fields = Object.fromEntries(
    Object.entries(filter)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
  const isFiltered = Object.keys(fields).length > 0 || (groups.length === 0 && users.length === 0);
  return { groups: [...groups], users: [...users], filter: isFiltered ? { fields } : null };
}

/** The time of an input, in the time zone of the browser. */
function instant(local: string): string | null {
  return local ? new Date(local).toISOString() : null;
}
