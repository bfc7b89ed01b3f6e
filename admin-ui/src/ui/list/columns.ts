/** How a list is described: its columns, its filters and where its rows come from. */

import type { ReactNode } from "react";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** The field the server sorts by; without it the column cannot be sorted. */
  readonly sort?: string;
  /** Share of the width. */
  readonly grow?: number;
  /** Left out first where the screen is too narrow for all columns; the last such column goes first. */
  readonly isOptional?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; without them text is typed. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Typed text is looked for inside of the value unless it must be the whole value. */
  readonly whole?: boolean;
}

export interface Rows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly more?: boolean;
}

export interface RowQuery extends Record<string, string | number> {
  readonly limit: number;
  readonly offset: number;
  readonly sort: string;
  readonly q: string;
}

export const YES_NO = [
  { value: "true", label: "yes" },
  { value: "false", label: "no" },
] as const;

/** Say a filter the way the server wants it: a star stands for any letters. */
export function filterValue(filter: Filter | undefined, value: string): string {
  const isTyped = filter !== undefined && filter.choices === undefined && !filter.whole;
  return isTyped && !value.includes("*") ? `*${value}*` : value;
}

/** The filters that are left where a page has settled one of them. */
export function without(filters: readonly Filter[], name: string): readonly Filter[] {
  return filters.filter((filter) => filter.name !== name);
}
