/** The page that sends a command to one or many desktops. */

import { Alert, Autocomplete, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
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
import { ConfirmDialog, desktops } from "./confirm-dialog";
import { DesktopSelection, type Selection } from "./desktop-selection";
import { needsConfirmation } from "./effects";
import { takeOver } from "./handed-over";
import { commonCommands } from "./supported";

const SHOWN = 200;
const PART = 1000;
/** Maximum number of desktops for one command. */
const MOST = 10_000;

export function NewCommandPage() {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asked = (useSearch({ strict: false }) as Record<string, string>).session;
  const [selected, setSelected] = useState<Selection>(new Map());
  const [left, setLeft] = useState(0);
  const { text: words, settled: text, set: setWords } = useAddressWord("q");
  const [command, setCommand] = useState("");
  const [params, setParams] = useState<Readonly<Record<string, unknown>>>({});
  const [wrongParams, setWrongParams] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const list = async (offset: number, limit: number, signal?: AbortSignal) => {
    const query = { active: true, q: text, sort: "-started", offset, limit };
    return (await client.call("listSessions", { query, ...(signal ? { signal } : {}) })).data;
  };
  const found = useQuery({
    queryKey: ["sessions", "active", text],
    queryFn: ({ signal }) => list(0, SHOWN, signal),
    placeholderData: (before) => before,
    refetchInterval: 10_000,
  });
  const fetchAll = async () => {
    const all = new Map<string, SessionView>();
    for (let offset = 0; offset < MOST; offset += PART) {
      const { items, total } = await list(offset, PART);
      for (const session of items) all.set(session.id, session);
      if (offset + PART >= total) break;
    }
    return [...all.values()];
  };
  useAskedFor(asked, setSelected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    const given = takeOver(queries);
    if (!given) return;
    setSelected(new Map(given.connected.map((session) => [session.id, session])));
    setLeft(given.left);
  }, []);
  const sessions = [...selected.values()];
  const known = commonCommands(sessions);

  useUnsaved(command !== "" || Object.keys(params).length > 0);

  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await client.call("sendCommand", { body: { sessions: [...selected.keys()], command, params } });
      void queries.invalidateQueries({ queryKey: ["commands"] });
      showDone(`Sent to ${desktops(data.total)}.`);
      void navigate({ to: "/commands", ignoreBlocker: true });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      setAsking(false);
    }
  };

  return (
    <PageBody>
      <PageHead
        title="Send a command"
        back={{ to: "/commands", label: "Commands" }}
        about="Select desktops, then choose a command."
      />
      {left > 0 && (
        <Alert color="orange" variant="light" role="status">
          {left === 1
            ? "1 selected session is not connected and is left out."
            : `${left.toLocaleString("en")} selected sessions are not connected and are left out.`}
        </Alert>
      )}
      <QueryState query={found}>
        {({ items, total }) => (
          <DesktopSelection
            sessions={items}
            total={total}
            selected={selected}
            onChange={setSelected}
            fetchAll={fetchAll}
            words={words}
            onWords={setWords}
          />
        )}
      </QueryState>
      <Stack maw={720}>
        <Autocomplete
          label="Command"
          description={
            selected.size > 0 && known.length === 0
              ? "The selected desktops support no common command."
              : "Commands that all selected desktops support."
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
            disabled={selected.size === 0 || command === "" || wrongParams !== null}
            loading={isBusy}
            onClick={() => (needsConfirmation(command) ? setAsking(true) : void send())}
          >
            Send to {desktops(selected.size)}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        command={command}
        sessions={sessions}
        opened={isAsking}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void send()}
      />
    </PageBody>
  );
}

/** Selects the desktop in the address, to which the page of a session links. */
function useAskedFor(id: string | undefined, select: (selected: Selection) => void) {
  const client = useClient();
  const asked = useQuery({
    queryKey: ["sessions", id],
    queryFn: async ({ signal }) => (await client.call("readSession", { path: { session_id: id ?? "" }, signal })).data,
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const session = asked.data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each session that is asked for
  useEffect(() => {
    if (session?.active) select(new Map([[session.id, session]]));
  }, [session?.id]);
}
