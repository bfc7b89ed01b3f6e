/** Controls for values with several parts: objects with texts, and lists of simple objects. */

import { ActionIcon, Button, Group, Input, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { isObject, valueAt } from "../../../ui/document/changes";
import { Icon } from "../../../ui/icons";
import type { Step } from "../../../ui/json-editor/schema/schema";
import { type SettingField, stepsOf } from "./catalogue";
import { type ControlProps, ValueControl } from "./controls";

export interface RowControlProps extends ControlProps {
  /** Change a part of the value. */
  readonly onSetInside: (path: readonly Step[], value: unknown) => void;
  readonly onRemoveInside: (path: readonly Step[]) => void;
}

/** Names with texts, such as environment variables. */
export function MapControl(props: RowControlProps) {
  const { label, value, onSet, onSetInside, onRemoveInside, onRemove, readOnly, error } = props;
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const entries = isObject(value) ? Object.entries(value) : [];
  const isTaken = entries.some(([known]) => known === name);
  const add = () => {
    if (name === "" || isTaken) return;
    if (isObject(value)) onSetInside([name], text);
    else onSet({ [name]: text });
    setName("");
    setText("");
  };
  return (
    <Input.Wrapper error={error}>
      <Stack gap={6}>
        {entries.map(([known, each]) => (
          <Group key={known} gap={6} wrap="nowrap">
            <Text size="sm" className="breaks" flex={1} ff="monospace">
              {known}
            </Text>
            <TextInput
              flex={1}
              aria-label={`${label}: ${known}`}
              value={String(each)}
              disabled={readOnly}
              onChange={(event) => onSetInside([known], event.currentTarget.value)}
            />
            {!readOnly && (
              <RemoveRow
                name={`${label}: ${known}`}
                onRemove={() => (entries.length === 1 ? onRemove() : onRemoveInside([known]))}
              />
            )}
          </Group>
        ))}
        {!readOnly && (
          <Group gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`${label}: new name`}
              placeholder="Name"
              value={name}
              error={isTaken ? "This name already exists." : null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              flex={1}
              aria-label={`${label}: new value`}
              placeholder="Value"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => event.key === "Enter" && add()}
            />
            <Button variant="default" px="sm" disabled={name === "" || isTaken} onClick={add}>
              Add
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

/** A list of objects with a few simple members; their other members are kept. */
export function ItemsControl(props: RowControlProps) {
  const { field, label, value, onSet, onSetInside, onRemoveInside, readOnly, error } = props;
  const columns = field.columns ?? [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const add = () => (Array.isArray(value) ? onSetInside([items.length], {}) : onSet([{}]));
  return (
    <Input.Wrapper error={error}>
      {items.length > 0 && (
        <Table verticalSpacing={4} horizontalSpacing={4} withRowBorders={false} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.path}>
                  <Text size="xs" span>
                    {column.label}
                  </Text>
                </Table.Th>
              ))}
              {!readOnly && <Table.Td />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and are controlled
              <Table.Tr key={index}>
                {columns.map((column) => (
                  <Table.Td key={column.path}>
                    <Cell
                      column={column}
                      label={`${label} ${index + 1}: ${column.label}`}
                      item={item}
                      readOnly={readOnly}
                      onSet={(next) => onSetInside([index, ...stepsOf(column.path)], next)}
                      onRemove={() => onSetInside([index], withoutMember(item, stepsOf(column.path)))}
                    />
                  </Table.Td>
                ))}
                {!readOnly && (
                  <Table.Td w={36}>
                    <RemoveRow name={`${label} ${index + 1}`} onRemove={() => onRemoveInside([index])} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {!readOnly && (
        <Button variant="default" size="xs" onClick={add} leftSection={<Icon name="plus" size={14} />}>
          Add a row
        </Button>
      )}
    </Input.Wrapper>
  );
}

interface CellProps {
  column: SettingField;
  label: string;
  item: unknown;
  readOnly: boolean;
  onSet: (value: unknown) => void;
  onRemove: () => void;
}

function Cell({ column, label, item, readOnly, onSet, onRemove }: CellProps) {
  return (
    <ValueControl
      field={column}
      label={label}
      value={valueAt(item, stepsOf(column.path))}
      inherited={column.default}
      onSet={onSet}
      onRemove={onRemove}
      readOnly={readOnly}
      error={null}
    />
  );
}

/** Remove a member of an item. The item stays in the list, even if it becomes empty. */
function withoutMember(item: unknown, [name, ...rest]: readonly string[]): unknown {
  if (!isObject(item) || name === undefined) return {};
  const { [name]: member, ...others } = item;
  return rest.length === 0 ? others : { ...item, [name]: withoutMember(member, rest) };
}

function RemoveRow({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove ${name}`} onClick={onRemove}>
      <Icon name="close" size={16} />
    </ActionIcon>
  );
}
