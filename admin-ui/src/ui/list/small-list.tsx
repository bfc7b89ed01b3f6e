/** A short table inside a page: the newest rows of a list, and the way to all of them. */

import { Paper, Table, Text } from "@mantine/core";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { TextLink } from "../link";
import { ErrorState } from "../states/error-state";
import { LoadingState } from "../states/loading-state";
import type { Column, Rows } from "./columns";

interface SmallListProps<Row> {
  label: string;
  queryKey: QueryKey;
  fetchRows: (signal: AbortSignal) => Promise<Rows<Row>>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  empty: string;
  all?: { to: string; search: Record<string, string> };
  refetchInterval?: number;
}

export function SmallList<Row>(props: SmallListProps<Row>) {
  const found = useQuery({
    queryKey: props.queryKey,
    queryFn: ({ signal }) => props.fetchRows(signal),
    refetchInterval: props.refetchInterval ?? false,
  });
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingState />;
  const { items, total } = found.data;
  if (total === 0) return <Text c="dimmed">{props.empty}</Text>;
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={500} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={props.label} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              {props.columns.map((column) => (
                <Table.Th key={column.id}>{column.header}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((row) => (
              <Table.Tr key={props.rowKey(row)}>
                {props.columns.map((column) => (
                  <Table.Td key={column.id} className="breaks">
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > items.length && (
        <Text size="sm" p="xs">
          {items.length} of {total}.{" "}
          {props.all && (
            <TextLink to={props.all.to} search={props.all.search} size="sm">
              Show all
            </TextLink>
          )}
        </Text>
      )}
    </Paper>
  );
}
