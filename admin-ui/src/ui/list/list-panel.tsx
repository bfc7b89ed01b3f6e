/** A list inside a page: search, filters, rows, and the empty state. */

import { Group, Stack } from "@mantine/core";
import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { EmptyState } from "../states/empty-state";
import { ErrorState } from "../states/error-state";
import { LoadingState } from "../states/loading-state";
import { type Column, type Filter, filterValue, type RowQuery, type Rows } from "./columns";
import { DownloadMenu } from "./download-menu";
import { Filters } from "./filters";
import { type ListSearch, useListSearch } from "./list-search";
import { RowTable } from "./row-table";
import { Selection, SelectionContext } from "./selection";
import { useRows } from "./use-rows";
import { chosenColumns } from "./view";
import { ViewMenu } from "./view-menu";

export interface ListProps<Row> {
  /** The accessible name of the list. */
  label: string;
  queryKey: QueryKey;
  fetchRows: (query: RowQuery, signal: AbortSignal) => Promise<Rows<Row>>;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  rowKey: (row: Row) => string;
  /** The default sorting. */
  defaultSort: string;
  /** Shown if there are no rows at all. */
  empty: ReactNode;
  /** Polling interval of rows without change notifications. */
  refetchInterval?: number;
  /** The actions for selected rows; with it, rows can be selected. */
  bulk?: (selection: BulkSelection<Row>) => ReactNode;
  /** The accessible name of a row, if its key is meaningless. */
  rowName?: (row: Row) => string;
  /** The name of the list for saved views. */
  views?: string;
}

/** The selected rows, and the query that they belong to. */
export interface BulkSelection<Row> {
  readonly selection: Selection<Row>;
  readonly q: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly isNarrowed: boolean;
  readonly sort: string;
  readonly rowKey: (row: Row) => string;
  readonly fetchRows: ListProps<Row>["fetchRows"];
}

/** A list below other content, with its own scrolling. */
export function ListPanel<Row>({ actions, ...props }: ListProps<Row> & { actions?: ReactNode }) {
  return (
    <Stack gap="sm" className="list-panel">
      {actions && <Group justify="flex-end">{actions}</Group>}
      <SearchedList {...props} />
    </Stack>
  );
}

export function SearchedList<Row>(props: ListProps<Row>) {
  const search = useListSearch();
  const [selection] = useState(() => new Selection<Row>());
  const [isComplete, setComplete] = useState(false);
  const filters = wantedOf(props.filters, search);
  const columns = useMemo(() => chosenColumns(props.columns, search.columns), [props.columns, search.columns]);
  const question = JSON.stringify([search.text, filters]);
  // Single rows stay selected when the filter changes; "all that match" would suddenly be others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts when the question changes
  useEffect(() => {
    if (selection.current().all) selection.clear();
  }, [question]);
  return (
    <SelectionContext value={props.bulk ? (selection as Selection<never>) : null}>
      <Filters filters={props.filters} search={search}>
        <Group gap="xs">
          <ViewMenu list={props.views ?? null} columns={props.columns} />
          <DownloadMenu
            label={props.label}
            question={{ sort: search.sort || props.defaultSort, q: search.text, ...filters }}
            fetchRows={props.fetchRows}
            shown={search.columns.length > 0 ? columns.map((column) => column.sort ?? column.id) : null}
          />
        </Group>
      </Filters>
      {props.bulk?.({
        selection,
        q: search.text,
        filters,
        isNarrowed: isNarrowed(search),
        sort: props.defaultSort,
        rowKey: props.rowKey,
        fetchRows: props.fetchRows,
      })}
      {/* A different query is a different list, and starts at the top. */}
      <FoundRows
        key={JSON.stringify([search.text, search.sort, search.filters, search.isCompact])}
        {...props}
        columns={columns}
        search={search}
        isComplete={isComplete}
        onComplete={setComplete}
      />
    </SelectionContext>
  );
}

interface FoundRowsProps<Row> extends ListProps<Row> {
  search: ListSearch;
  isComplete: boolean;
  onComplete: (isComplete: boolean) => void;
}

function FoundRows<Row>(props: FoundRowsProps<Row>) {
  const { search } = props;
  const question = { sort: search.sort || props.defaultSort, q: search.text, ...wantedOf(props.filters, search) };
  const source = {
    queryKey: [...props.queryKey, "rows", question],
    fetchPart: (offset: number, limit: number, signal: AbortSignal) =>
      props.fetchRows({ ...question, offset, limit }, signal),
    ...(props.refetchInterval ? { refetchInterval: props.refetchInterval } : {}),
  };
  const first = useRows(source, 0, 0);
  if (first.error && first.total === 0) return <ErrorState error={first.error} onRetry={first.retry} />;
  if (first.isFirst) return <LoadingState />;
  if (first.total === 0) return isNarrowed(search) ? <NothingFound search={search} /> : props.empty;
  return (
    <RowTable
      label={props.label}
      columns={props.columns}
      rowKey={props.rowKey}
      search={search}
      source={source}
      counted={first}
      isComplete={props.isComplete}
      onComplete={props.onComplete}
      {...(props.rowName ? { rowName: props.rowName } : {})}
    />
  );
}

function NothingFound({ search }: { search: ListSearch }) {
  const clear = () =>
    search.set(Object.fromEntries(["q", "row", ...Object.keys(search.filters)].map((name) => [name, ""])));
  return (
    <EmptyState title="No results" action={{ label: "Show all", onClick: clear }}>
      No item matches the search and filters. Change the filters, or show all items.
    </EmptyState>
  );
}

function wantedOf(filters: readonly Filter[], search: ListSearch): Record<string, string> {
  const byName = new Map(filters.map((filter) => [filter.name, filter]));
  return Object.fromEntries(
    Object.entries(search.filters).map(([name, value]) => [name, filterValue(byName.get(name), value)]),
  );
}

const isNarrowed = (search: ListSearch): boolean => search.text !== "" || Object.keys(search.filters).length > 0;
