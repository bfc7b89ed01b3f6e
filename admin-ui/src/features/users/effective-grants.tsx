/** Apps or layouts, whether a user gets each of them, and the reason. */

import { Group, List, Paper, ScrollArea, SegmentedControl, Stack, Table, Text, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import type { ReasonView, WhyNot } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { TextLink } from "../../ui/link";

export interface GrantRow {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly to: string;
  readonly given: boolean;
  readonly reasons: readonly ReasonView[];
  readonly whyNot?: WhyNot | null | undefined;
}

type Which = "all" | "given" | "rest";

export function GrantTable({ label, rows, total }: { label: string; rows: readonly GrantRow[]; total: number }) {
  const [words, setWords] = useState("");
  const [which, setWhich] = useState<Which>("all");
  const shown = useMemo(() => matching(rows, words, which), [rows, words, which]);
  const count = rows.filter((row) => row.given).length;
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <TextInput
          label={`Find ${label}`}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          w={260}
        />
        <SegmentedControl
          aria-label="Show"
          value={which}
          onChange={(value) => setWhich(value as Which)}
          data={[
            { value: "all", label: `All ${rows.length}` },
            { value: "given", label: `Gets ${count}` },
            { value: "rest", label: `Does not get ${rows.length - count}` },
          ]}
        />
      </Group>
      <Paper withBorder>
        <ScrollArea.Autosize
          mah="60vh"
          type="auto"
          viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
        >
          <Table verticalSpacing={8} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="30%">Name</Table.Th>
                <Table.Th w={110}>Gets it</Table.Th>
                <Table.Th>Because</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <Table.Tr key={row.key}>
                  <Table.Td className="breaks">
                    <TextLink to={row.to} size="sm">
                      {row.name}
                    </TextLink>
                    <Text size="xs" c="dimmed">
                      {row.note}
                    </Text>
                  </Table.Td>
                  <Table.Td>{row.given ? <Label color="green">yes</Label> : <Label color="red">no</Label>}</Table.Td>
                  <Table.Td className="breaks">
                    <Because row={row} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        {shown.length === 0 && (
          <Text c="dimmed" p="md">
            Nothing matches.
          </Text>
        )}
      </Paper>
      {total > rows.length && (
        <Text size="sm">
          The first {rows.length} of {total}.
        </Text>
      )}
    </Stack>
  );
}

/** The reasons, and what is in the way of them. */
export function Because({ row }: { row: Pick<GrantRow, "reasons" | "whyNot"> }) {
  return (
    <>
      {row.whyNot && <Text size="sm">{capital(row.whyNot.text)}.</Text>}
      {row.reasons.length > 0 && (
        <List size="sm" listStyleType="none">
          {row.reasons.map((reason) => (
            <List.Item key={reason.text} {...(row.whyNot ? { c: "dimmed" } : {})}>
              {row.whyNot ? `Otherwise: ${reason.text}` : capital(reason.text)}.
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

export function matching(rows: readonly GrantRow[], words: string, which: Which): GrantRow[] {
  const low = words.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (which === "all" || row.given === (which === "given")) &&
      (low === "" || row.name.toLowerCase().includes(low) || row.note.toLowerCase().includes(low)),
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
