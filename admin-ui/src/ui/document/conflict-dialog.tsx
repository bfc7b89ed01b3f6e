/** Shows both sides of a conflict by path, and lets the user choose. */

import { Badge, Button, Group, ScrollArea, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { Dialog } from "../dialog";
import { type Choice, joined, meet, usualChoice } from "./changes";
import type { Conflict } from "./use-document";
import { ValueText } from "./value-text";

interface ConflictDialogProps<Draft> {
  conflict: Conflict<Draft>;
  onResolve: (draft: Draft, etag: string | null) => void;
  onClose: () => void;
}

export function ConflictDialog<Draft>({ conflict, onResolve, onClose }: ConflictDialogProps<Draft>) {
  const meetings = useMemo(() => meet(conflict.base, conflict.mine, conflict.theirs), [conflict]);
  const [choices, setChoices] = useState<Choice[]>(() => meetings.map(usualChoice));
  const choose = (index: number, choice: Choice) =>
    setChoices(choices.map((old, each) => (each === index ? choice : old)));
  const chooseAll = (choice: Choice) => setChoices(meetings.map(() => choice));

  return (
    <Dialog opened onClose={onClose} title="Another user has changed this document" size="xl">
      <Stack>
        <Text size="sm">
          For each difference, choose the version to keep. Your choices are applied to this page; save the page to store
          them.
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => chooseAll("mine")}>
            Keep all mine
          </Button>
          <Button size="xs" variant="default" onClick={() => chooseAll("theirs")}>
            Keep all theirs
          </Button>
        </Group>
        <ScrollArea.Autosize mah="50vh" type="auto">
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Place</Table.Th>
                <Table.Th>Mine</Table.Th>
                <Table.Th>Theirs</Table.Th>
                <Table.Th>Keep</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {meetings.map((meeting, index) => (
                <tr key={meeting.path.join("\u0000")}>
                  <td className="breaks">
                    <Text size="sm" fw={600} component="span">
                      {meeting.path.join(".") || "entire document"}
                    </Text>{" "}
                    {meeting.isConflict && (
                      <Badge color="orange" variant="light" size="sm">
                        both
                      </Badge>
                    )}
                  </td>
                  <td>
                    <ValueText value={meeting.mine} />
                  </td>
                  <td>
                    <ValueText value={meeting.theirs} />
                  </td>
                  <td>
                    <SegmentedControl
                      size="xs"
                      aria-label={`Keep for ${meeting.path.join(".")}`}
                      value={choices[index] ?? "theirs"}
                      onChange={(value) => choose(index, value === "mine" ? "mine" : "theirs")}
                      data={[
                        { value: "mine", label: "Mine" },
                        { value: "theirs", label: "Theirs" },
                      ]}
                    />
                  </td>
                </tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Continue editing
          </Button>
          <Button onClick={() => onResolve(joined(conflict.theirs, meetings, choices), conflict.etag)}>
            Apply choices
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
