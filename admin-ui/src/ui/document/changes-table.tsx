/** The differences between two documents, by path. */

import { Table, Text } from "@mantine/core";
import { DottedPath } from "../dotted-path";
import type { Change } from "./changes";
import { ValueText } from "./value-text";

interface ChangesTableProps {
  changes: readonly Change[];
  before: string;
  after: string;
  same: string;
}

const MOST = 300;

export function ChangesTable({ changes, before, after, same }: ChangesTableProps) {
  if (changes.length === 0) return <Text c="dimmed">{same}</Text>;
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={6} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="40%">Place</Table.Th>
            <Table.Th>{before}</Table.Th>
            <Table.Th>{after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.slice(0, MOST).map((change) => (
            <tr key={change.path.join("\u0000")}>
              <td className="breaks">
                <DottedPath path={change.path.join(".") || "entire document"} />
              </td>
              <td className="change-before">
                <ValueText value={change.before} />
              </td>
              <td className="change-after">
                <ValueText value={change.after} />
              </td>
            </tr>
          ))}
        </Table.Tbody>
      </Table>
      {changes.length > MOST && <Text size="sm">and {changes.length - MOST} more differences</Text>}
    </Table.ScrollContainer>
  );
}
