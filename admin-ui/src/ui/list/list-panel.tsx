/** A list inside of a page: search, filters, rows, and what to say when there are none. */

import { Stack } from "@mantine/core";
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyState } from "../states/empty-state";
import { ErrorState } from "../states/error-state";
import { LoadingState } from "../states/loading-state";
import { type Column, type Filter, filterValue, type RowQuery, type Rows } from "./columns";
import { Filters } from "./filters";
import { type ListSearch, useListSearch } from "./list-search";
import { RowTable } from "./row-table";
import { useRows } from "./use-rows";

export interface ListProps<Row> {
  /** What the list is called by those who cannot see it. */
  label: string;
  queryKey: QueryKey;
  fetchRows: (query: RowQuery, signal: AbortSignal) => Promise<Rows<Row>>;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  rowKey: (row: Row) => string;
  /** Sorting while the address names none. */
  defaultSort: string;
  /** What to do when there is nothing yet. */
  empty: ReactNode;
  /** How often rows are asked for again while nobody tells of changes. */
  refetchInterval?: number;
}

/** A list below other things: it scrolls by itself. */
export function ListPanel<Row>(props: ListProps<Row>) {
  return (
    <Stack gap="sm" className="list-panel">
      <SearchedList {...props} />
    </Stack>
  );
}

export function SearchedList<Row>(props: ListProps<Row>) {
  const search = useListSearch();
  return (
    <>
      <Filters filters={props.filters} search={search} />
      {/* Another question is another list: it begins at its own top. */}
      <FoundRows key={JSON.stringify([search.text, search.sort, search.filters])} {...props} search={search} />
    </>
  );
}

function FoundRows<Row>(props: ListProps<Row> & { search: ListSearch }) {
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
    />
  );
}

function NothingFound({ search }: { search: ListSearch }) {
  const clear = () =>
    search.set(Object.fromEntries(["q", "row", ...Object.keys(search.filters)].map((name) => [name, ""])));
  return (
    <EmptyState title="Nothing matches" action={{ label: "Show all", onClick: clear }}>
      Nothing has these words and filters. Look for less, or show all again.
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
