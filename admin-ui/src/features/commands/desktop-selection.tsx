/** Connected desktops to select from. "Select all" includes all matching desktops, including those not shown. */

import { Checkbox, Group, Paper, ScrollArea, Table, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { SessionView } from "../../api/generated/client";
import { showError } from "../../ui/notices";
import { machineName } from "../sessions/columns";
import { desktops } from "./confirm-dialog";

export type Selection = ReadonlyMap<string, SessionView>;

interface DesktopSelectionProps {
  /** The newest matching desktops. */
  sessions: readonly SessionView[];
  /** The number of matching desktops on the server. */
  total: number;
  selected: Selection;
  onChange: (selected: Selection) => void;
  fetchAll: () => Promise<readonly SessionView[]>;
  words: string;
  onWords: (text: string) => void;
}

export function DesktopSelection(props: DesktopSelectionProps) {
  const { sessions, total, selected, onChange, fetchAll, words, onWords } = props;
  const [isBusy, setBusy] = useState(false);
  const toggle = (session: SessionView) => {
    const next = new Map(selected);
    if (!next.delete(session.id)) next.set(session.id, session);
    onChange(next);
  };
  const isAll = total > 0 && selected.size >= total && sessions.every((session) => selected.has(session.id));
  const toggleAll = async () => {
    setBusy(true);
    try {
      const matching = sessions.length < total ? await fetchAll() : sessions;
      const next = new Map(selected);
      for (const session of matching) isAll ? next.delete(session.id) : next.set(session.id, session);
      onChange(next);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-end" mb="xs">
        <TextInput
          label="Find desktops"
          value={words}
          onChange={(event) => onWords(event.currentTarget.value)}
          w={280}
        />
        <Text size="sm" role="status">
          {desktops(selected.size)} selected
        </Text>
      </Group>
      {sessions.length === 0 ? (
        <Text c="dimmed">{words ? "No connected desktop matches." : "No desktop is connected."}</Text>
      ) : (
        <>
          <Checkbox
            label={`Select all ${desktops(total)}${words ? " that match" : ""}`}
            checked={isAll}
            indeterminate={!isAll && selected.size > 0}
            disabled={isBusy}
            onChange={() => void toggleAll()}
            mb="xs"
          />
          <ScrollArea.Autosize mah={300} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Table verticalSpacing={4} stickyHeader>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={40}>
                    <VisuallyHidden>Selected</VisuallyHidden>
                  </Table.Th>
                  <Table.Th>User</Table.Th>
                  <Table.Th>Machine</Table.Th>
                  <Table.Th>Version</Table.Th>
                  <Table.Th>Env / region</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td>
                      <Checkbox
                        aria-label={`Select ${session.user} on ${session.machine}`}
                        checked={selected.has(session.id)}
                        onChange={() => toggle(session)}
                      />
                    </td>
                    <td>{session.user}</td>
                    <td>{machineName(session.machine)}</td>
                    <td>{session.version}</td>
                    <td>{`${session.env} / ${session.region}`}</td>
                  </tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        </>
      )}
      {total > sessions.length && (
        <Text size="sm" mt="xs">
          Showing the newest {sessions.length.toLocaleString()} of {total.toLocaleString()}. “Select all” includes the
          others; search to find one of them.
        </Text>
      )}
    </Paper>
  );
}
