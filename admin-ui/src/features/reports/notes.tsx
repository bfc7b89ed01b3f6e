/** Notes of administrators, oldest first, and a form that adds one. */

import { Button, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NoteList } from "../../api/generated/client";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import { showError } from "../../ui/notices";
import { QueryState } from "../../ui/states/query-state";
import { Time } from "../../ui/time";

interface NotesProps {
  queryKey: QueryKey;
  read: (signal: AbortSignal) => Promise<NoteList>;
  add: (text: string) => Promise<unknown>;
  mayWrite: boolean;
}

export function Notes({ queryKey, read, add, mayWrite }: NotesProps) {
  const queries = useQueryClient();
  const notes = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  useUnsaved(text.trim() !== "");
  const save = async () => {
    setBusy(true);
    try {
      await add(text);
      setText("");
      await queries.invalidateQueries({ queryKey });
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm" maw={720}>
        <Title order={2} size="h5">
          Notes
        </Title>
        <QueryState query={notes}>
          {({ items }) =>
            items.length === 0 ? (
              <Text size="sm" c="dimmed">
                There are no notes yet.
              </Text>
            ) : (
              <Stack gap="sm" component="ol" m={0} p={0} aria-label="Notes" style={{ listStyle: "none" }}>
                {items.map((note) => (
                  <li key={note.id}>
                    <Text size="xs" c="dimmed">
                      {note.createdBy}, <Time at={note.created} />
                    </Text>
                    <Text size="sm" className="breaks" style={{ whiteSpace: "pre-wrap" }}>
                      {note.text}
                    </Text>
                  </li>
                ))}
              </Stack>
            )
          }
        </QueryState>
        {mayWrite && (
          <>
            <Textarea
              label="New note"
              description="Notes cannot be changed later."
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={4000}
              autosize
              minRows={2}
            />
            <Group>
              <Button variant="default" disabled={text.trim() === ""} loading={isBusy} onClick={() => void save()}>
                Add note
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}
