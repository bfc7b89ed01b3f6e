/** The differences of one part, with the state of both sides beside each other. */

import { Paper, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { AccessComparison } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";

type Items = AccessComparison["groups"];
type Values = NonNullable<AccessComparison["configs"]>;
type Names = readonly [string, string];

interface ItemDifferencesProps {
  label: string;
  part: Items;
  names: Names;
  /** The first part of the address of an item; null if items have no page that can be named. */
  path: string | null;
}

export function ItemDifferences({ label, part, names, path }: ItemDifferencesProps) {
  return (
    <Part label={label} part={part} first="Name" names={names}>
      {part.items.map((item) => (
        <tr key={item.key}>
          <td className="breaks">
            {path ? (
              <TextLink to={pathOf(path, item.key)} size="sm">
                {item.name}
              </TextLink>
            ) : (
              item.name
            )}
          </td>
          {[item.left, item.right].map((state, side) => (
            <td key={names[side] + String(side)} className="breaks">
              {state.given ? <Label color="green">yes</Label> : <Label color="red">no</Label>} {state.text}
            </td>
          ))}
        </tr>
      ))}
    </Part>
  );
}

export function ValueDifferences({ part, names }: { part: Values; names: Names }) {
  return (
    <Part label="Configuration" part={part} first="Setting" names={names}>
      {part.items.map((item) => (
        <tr key={`${item.file} ${item.path}`}>
          <td className="breaks">
            {item.path}
            <Text size="xs" c="dimmed">
              {item.file}
            </Text>
          </td>
          {[item.left, item.right].map((state, side) => (
            <td key={names[side] + String(side)} className="breaks">
              {state.given && <div className="mono">{JSON.stringify(state.value)}</div>}
              {state.config ? (
                <TextLink to={pathOf("configs", state.config)} size="sm">
                  {state.text}
                </TextLink>
              ) : (
                <Text size="sm">{state.text}</Text>
              )}
            </td>
          ))}
        </tr>
      ))}
    </Part>
  );
}

interface PartProps {
  label: string;
  part: { items: readonly unknown[]; total: number; same: number };
  first: string;
  names: Names;
  children: ReactNode;
}

function Part({ label, part, first, names, children }: PartProps) {
  const shown = part.items.length;
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        {label}
      </Title>
      <Text size="sm" c="dimmed">
        {part.total === 0 ? "No differences." : `${part.total} different, ${part.same} equal.`}
        {shown < part.total && ` The first ${shown} are shown.`}
      </Text>
      {part.total > 0 && (
        <Table layout="fixed" aria-label={`Differences of ${label.toLowerCase()}`} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{first}</Table.Th>
              {names.map((name, side) => (
                <Table.Th key={name + String(side)} scope="col" className="breaks">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
