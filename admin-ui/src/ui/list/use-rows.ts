/** Fetches the visible parts of a list. */

import { type QueryClient, type QueryKey, useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import type { Rows } from "./columns";

export const PART = 100;
const ASK_AGAIN_MS = 30_000;

export interface RowSource<Row> {
  readonly queryKey: QueryKey;
  readonly fetchPart: (offset: number, limit: number, signal: AbortSignal) => Promise<Rows<Row>>;
  readonly refetchInterval?: number;
}

export interface LoadedRows<Row> {
  readonly total: number;
  readonly more: boolean;
  readonly at: (index: number) => Row | undefined;
  readonly isFirst: boolean;
  readonly isFetching: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useRows<Row>(source: RowSource<Row>, first: number, last: number): LoadedRows<Row> {
  const parts = partsOf(first, last);
  const results = useQueries({
    queries: parts.map((part) => ({
      queryKey: [...source.queryKey, part],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.fetchPart(part * PART, PART, signal),
      refetchInterval: source.refetchInterval ?? ASK_AGAIN_MS,
    })),
  });
  // If not all rows were counted, the farthest part has the highest count.
  const known = results.findLast((result) => result.data)?.data;
  const count = useRef({ total: 0, more: false });
  if (known) count.current = { total: known.total, more: known.more ?? false };
  const failed = results.find((result) => result.error);
  return {
    ...count.current,
    at: (index) => results[parts.indexOf(Math.floor(index / PART))]?.data?.items[index % PART],
    isFirst: !known && !failed,
    isFetching: results.some((result) => result.isFetching),
    error: failed?.error,
    retry: () => {
      for (const result of results) if (result.error) void result.refetch();
    },
  };
}

/** Read a range of rows; known parts are not fetched again. */
export async function rowsBetween<Row>(
  queries: QueryClient,
  source: RowSource<Row>,
  first: number,
  last: number,
): Promise<Row[]> {
  const parts = partsOf(first, last);
  const answers = await Promise.all(
    parts.map((part) =>
      queries.fetchQuery({
        queryKey: [...source.queryKey, part],
        queryFn: ({ signal }) => source.fetchPart(part * PART, PART, signal),
      }),
    ),
  );
  const start = (parts[0] ?? 0) * PART;
  return answers.flatMap((answer) => answer.items).slice(first - start, last - start + 1);
}

export function partsOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(first, 0) / PART);
  const to = Math.floor(Math.max(last, first, 0) / PART);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The text that states which rows are visible, and the total. */
export function place(first: number, last: number, total: number, more: boolean): string {
  if (total === 0) return "Nothing";
  const all = total.toLocaleString("en");
  return `${first + 1}–${Math.min(last + 1, total)} of ${more ? `more than ${all}` : all}`;
}
