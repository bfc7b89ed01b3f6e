/** The effect of an import of users: options, invalid rows, and rows that create or change users. */

import { Alert, Checkbox, Group, Paper, Radio, ScrollArea, Stack, Table, Text, Title } from "@mantine/core";
import type { ImportChange, ImportRow, UserImportPreview } from "../../api/generated/client";
import { Label } from "../../ui/labels";

type ColumnName = "displayName" | "email" | "groups" | "apps" | "disabled";

export interface Choice {
  /** The columns to import; null for all columns of the file. */
  readonly columns: readonly ColumnName[] | null;
  readonly lists: "replace" | "add";
}

export const EVERYTHING: Choice = { columns: null, lists: "replace" };

const LABELS: Record<ColumnName, string> = {
  displayName: "Display name",
  email: "E-mail",
  groups: "Groups",
  apps: "Assigned apps",
  disabled: "Disabled",
};

interface ImportOptionsProps {
  plan: UserImportPreview;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

export function ImportOptions({ plan, choice, onChange }: ImportOptionsProps) {
  const names = Object.keys(LABELS) as ColumnName[];
  const available = names.filter(
    (name) => plan.columns.includes(name) || plan.ignored.some((each) => plain(each) === plain(name)),
  );
  const others = plan.ignored.filter((title) => !names.some((name) => plain(name) === plain(title)));
  const hasLists = plan.columns.includes("groups") || plan.columns.includes("apps");
  return (
    <Stack gap="sm">
      <Alert
        color={plan.invalid > 0 ? "orange" : "blue"}
        variant="light"
        role="status"
        title={`Preview of ${plan.total.toLocaleString("en")} rows`}
      >
        <Text size="sm">
          {`${number(plan.new)} new, ${number(plan.changed)} changed, ${number(plan.unchanged)} unchanged, ${number(plan.invalid)} invalid.`}
          {plan.invalid > 0 && " Invalid rows are skipped. Correct the file to import them."}
          {plan.transactions > 1 &&
            ` The import runs in ${number(plan.transactions)} steps. You can follow and cancel it.`}
        </Text>
        {others.length > 0 && <Text size="sm">Columns that are not imported: {others.join(", ")}.</Text>}
      </Alert>
      <Group align="flex-start" gap="xl">
        <Checkbox.Group
          label="Columns to import"
          value={[...(choice.columns ?? plan.columns)]}
          onChange={(columns) => onChange({ ...choice, columns: columns as ColumnName[] })}
        >
          <Group gap="md" mt={6}>
            {available.map((name) => (
              <Checkbox key={name} value={name} label={LABELS[name]} />
            ))}
          </Group>
        </Checkbox.Group>
        {hasLists && (
          <Radio.Group
            label="Groups and apps of existing users"
            value={choice.lists}
            onChange={(lists) => onChange({ ...choice, lists: lists === "add" ? "add" : "replace" })}
          >
            <Group gap="md" mt={6}>
              <Radio value="replace" label="Replace" />
              <Radio value="add" label="Add" />
            </Group>
          </Radio.Group>
        )}
      </Group>
    </Stack>
  );
}

export function ImportRows({ plan }: { plan: UserImportPreview }) {
  const writing = plan.new + plan.changed;
  return (
    <>
      {plan.problems.length > 0 && (
        <Rows
          title="Invalid rows"
          heading="Problem"
          rows={plan.problems}
          cell={(row) =>
            row.problems.map((problem) => (
              <Text size="sm" key={`${problem.column} ${problem.message}`}>
                {[labelOf(problem.column), problem.message].filter(Boolean).join(": ")}
              </Text>
            ))
          }
        />
      )}
      {plan.items.length > 0 && (
        <Rows
          title="New and changed users"
          heading="Effect"
          rows={plan.items}
          more={writing - plan.items.length}
          cell={(row) => (
            <Group gap={6}>
              <Label color={row.result === "new" ? "green" : "blue"}>{row.result}</Label>
              <Text size="sm" component="span">
                {row.changes.map(changeText).join("; ")}
              </Text>
            </Group>
          )}
        />
      )}
    </>
  );
}

interface RowsProps {
  title: string;
  heading: string;
  rows: readonly ImportRow[];
  more?: number;
  cell: (row: ImportRow) => React.ReactNode;
}

function Rows({ title, heading, rows, more = 0, cell }: RowsProps) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Paper withBorder>
        <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": title }}>
          <Table verticalSpacing={6} stickyHeader aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={70}>Line</Table.Th>
                <Table.Th w="25%">User</Table.Th>
                <Table.Th>{heading}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <tr key={row.line}>
                  <td>{row.line}</td>
                  <td className="breaks">{row.id || "–"}</td>
                  <td className="breaks">{cell(row)}</td>
                </tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        {more > 0 && (
          <Text size="sm" c="dimmed" p="xs">
            and {number(more)} more
          </Text>
        )}
      </Paper>
    </Stack>
  );
}

/** Describe a change; for lists, only the added and removed names. */
export function changeText({ column, before, after }: ImportChange): string {
  const label = labelOf(column);
  if (Array.isArray(after)) {
    const old: unknown[] = Array.isArray(before) ? before : [];
    const added = after.filter((name) => !old.includes(name)).map((name) => `+ ${name}`);
    const removed = old.filter((name) => !after.includes(name)).map((name) => `− ${name}`);
    return `${label}: ${[...added, ...removed].join(", ")}`;
  }
  const next = shown(after);
  return before === null || before === undefined ? `${label}: ${next}` : `${label}: ${shown(before)} → ${next}`;
}

function shown(value: unknown): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  return value === null || value === "" ? "(none)" : String(value);
}

function labelOf(column: string): string {
  return column === "id" ? "ID" : (LABELS[column as ColumnName] ?? column);
}

function plain(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function number(value: number): string {
  return value.toLocaleString("en");
}
