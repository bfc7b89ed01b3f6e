/** A command to one running desktop or to many. */

import {
  Alert,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Paper,
  ScrollArea,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { SessionView } from "../../api/generated/client";
import { isObject } from "../../ui/document/changes";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import { Icon } from "../../ui/icons";
import { JsonField } from "../../ui/json-editor/json-field";
import { useAddressWord } from "../../ui/list/address-word";
import { showDone } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { Details } from "../../ui/states/error-state";
import { QueryState } from "../../ui/states/query-state";
import { machineName } from "../sessions/columns";
import { commonCommands } from "./supported";

const MOST = 200;

export function NewCommandPage() {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asked = (useSearch({ strict: false }) as Record<string, string>).session;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(asked ? [asked] : []));
  const { text: words, settled: text, set: setWords } = useAddressWord("q");
  const [command, setCommand] = useState("");
  const [params, setParams] = useState<Readonly<Record<string, unknown>>>({});
  const [wrongParams, setWrongParams] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const found = useQuery({
    queryKey: ["sessions", "active", text],
    queryFn: async ({ signal }) =>
      (await client.call("listSessions", { query: { active: true, q: text, sort: "-started", limit: MOST }, signal }))
        .data,
    placeholderData: (before) => before,
    refetchInterval: 10_000,
  });
  const sessions = found.data?.items ?? [];
  const known = commonCommands(sessions.filter((session) => chosen.has(session.id)));

  useUnsaved(command !== "" || Object.keys(params).length > 0);

  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await client.call("sendCommand", { body: { sessions: [...chosen], command, params } });
      void queries.invalidateQueries({ queryKey: ["commands"] });
      showDone(`Sent to ${data.total} ${data.total === 1 ? "session" : "sessions"}.`);
      void navigate({ to: "/commands", ignoreBlocker: true });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <PageBody>
      <PageHead
        title="Send a command"
        back={{ to: "/commands", label: "Commands" }}
        about="Choose the desktops, then what they shall do."
      />
      <QueryState query={found}>
        {({ total }) => (
          <Choice
            sessions={sessions}
            total={total}
            chosen={chosen}
            onChange={setChosen}
            words={words}
            onWords={setWords}
          />
        )}
      </QueryState>
      <Stack maw={720}>
        <Autocomplete
          label="Command"
          description={
            chosen.size > 0 && known.length === 0
              ? "These desktops name no command in common."
              : "What all chosen desktops take."
          }
          data={known}
          value={command}
          onChange={setCommand}
        />
        <JsonField
          label="Parameters"
          value={params}
          accepts={isObject}
          expected="an object"
          onChange={setParams}
          onProblem={setWrongParams}
        />
        {error !== null && (
          <Alert color="red" variant="light" title="Nothing was sent" role="alert">
            <Text size="sm">{messageOf(error)}</Text>
            <Details error={error} />
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            leftSection={<Icon name="send" size={16} />}
            disabled={chosen.size === 0 || command === "" || wrongParams !== null}
            loading={isBusy}
            onClick={() => void send()}
          >
            {chosen.size === 1 ? "Send to 1 session" : `Send to ${chosen.size} sessions`}
          </Button>
        </Group>
      </Stack>
    </PageBody>
  );
}

interface ChoiceProps {
  sessions: readonly SessionView[];
  /** How many there are on the server. */
  total: number;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  words: string;
  onWords: (text: string) => void;
}

function Choice({ sessions, total, chosen, onChange, words, onWords }: ChoiceProps) {
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  const all = sessions.length > 0 && sessions.every((session) => chosen.has(session.id));
  const toggleAll = () => onChange(all ? new Set() : new Set([...chosen, ...sessions.map((session) => session.id)]));
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-end" mb="xs">
        <TextInput
          label="Find sessions"
          value={words}
          onChange={(event) => onWords(event.currentTarget.value)}
          w={280}
        />
        <Text size="sm" role="status">
          {chosen.size} chosen
        </Text>
      </Group>
      {sessions.length === 0 ? (
        <Text c="dimmed">No desktop is connected now.</Text>
      ) : (
        <ScrollArea.Autosize mah={300} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Table verticalSpacing={4} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={40}>
                  <Checkbox aria-label="Choose all" checked={all} onChange={toggleAll} />
                </Table.Th>
                <Table.Th>User</Table.Th>
                <Table.Th>Machine</Table.Th>
                <Table.Th>Version</Table.Th>
                <Table.Th>Env / region</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sessions.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>
                    <Checkbox
                      aria-label={`Choose ${session.user} on ${session.machine}`}
                      checked={chosen.has(session.id)}
                      onChange={() => toggle(session.id)}
                    />
                  </Table.Td>
                  <Table.Td>{session.user}</Table.Td>
                  <Table.Td>{machineName(session.machine)}</Table.Td>
                  <Table.Td>{session.version}</Table.Td>
                  <Table.Td>{`${session.env} / ${session.region}`}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      {total > sessions.length && (
        <Text size="sm" mt="xs">
          The newest {sessions.length} of {total.toLocaleString()}: find the others by name.
        </Text>
      )}
    </Paper>
  );
}
