/** The description of a list: columns, filters and the source of its rows. */

import type { ReactNode } from "react";
import { periodForServer } from "./period";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** The field by which the server sorts; without it the column cannot be sorted. */
  readonly sort?: string;
  /** Share of the width. */
  readonly grow?: number;
  /** Whether the column is hidden if not all columns fit; the last optional column is hidden first. */
  readonly isOptional?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; without them, text is entered. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Whether the field is a time: a first and a last day are entered. */
  readonly isPeriod?: boolean;
  /** Whether the entered text must be the complete value; by default, it is a part. */
  readonly whole?: boolean;
}

export interface Rows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** Whether the total is larger than the counted number. */
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

/** Format a filter for the server: a star matches any characters, and a value after an equals sign is complete. */
export function filterValue(filter: Filter | undefined, value: string): string {
  if (filter?.isPeriod) return periodForServer(value);
  const isTyped = filter !== undefined && filter.choices === undefined && !filter.whole;
  if (isTyped && value.startsWith("=")) return value.slice(1);
  return isTyped && !value.includes("*") ? `*${value}*` : value;
}

/** The remaining filters of a page with a fixed filter. */
export function without(filters: readonly Filter[], name: string): readonly Filter[] {
  return filters.filter((filter) => filter.name !== name);
}
