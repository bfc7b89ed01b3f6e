/** The state of a list in the address: text, filters, sorting, and the first visible row. */

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

export type Search = Readonly<Record<string, string>>;

export interface ListSearch {
  readonly text: string;
  readonly sort: string;
  readonly row: number;
  readonly filters: Search;
  /** The IDs of the chosen columns in their order; none for all columns. */
  readonly columns: readonly string[];
  readonly isCompact: boolean;
  /** Change some members; an empty string removes one. */
  set(changes: Record<string, string>): void;
}

const OWN = new Set(["q", "sort", "row", "tab", "history", "view", "columns", "density"]);

export function useListSearch(): ListSearch {
  const search = useSearch({ strict: false }) as Search;
  const set = useSetSearch();
  return useMemo(() => ({ ...readSearch(search), set }), [search, set]);
}

/** Changes members of the address; an empty string removes one. */
export function useSetSearch(): (changes: Record<string, string>) => void {
  const navigate = useNavigate();
  return useCallback(
    (changes: Record<string, string>) =>
      void navigate({
        to: ".",
        replace: true,
        resetScroll: false,
        search: (before: Search) => withoutEmpty({ ...before, ...changes }),
      }),
    [navigate],
  );
}

export function readSearch(search: Search): Omit<ListSearch, "set"> {
  const row = /^\d{1,9}$/.test(search.row ?? "") ? Number(search.row) : 0;
  return {
    text: search.q ?? "",
    sort: search.sort ?? "",
    row,
    columns: search.columns ? search.columns.split(",") : [],
    isCompact: search.density === "compact",
    filters: Object.fromEntries(Object.entries(search).filter(([name]) => !OWN.has(name))),
  };
}

function withoutEmpty(search: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "" && value !== undefined));
}

/** Parse the query of an address as plain text, so that users can read and write it. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The next sorting after a click on a header: ascending, descending, none. */
export function nextSort(current: string, field: string): string {
  if (current === field) return `-${field}`;
  return current === `-${field}` ? "" : field;
}
