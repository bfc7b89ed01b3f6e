/** Views of a list: the parts of its address that can be saved under a name. */

import type { Column } from "./columns";
import { parseSearch, type Search, stringifySearch } from "./list-search";

/** Parts of the address that views do not store: the position, the view itself, and the state of the page around the list. */
const NOT_SAVED = new Set(["row", "tab", "history", "view"]);

/** The query of the address that a view stores. */
export function viewSearch(search: Search): string {
  return stringifySearch(Object.fromEntries(saved(search))).replace(/^\?/, "");
}

/** The changes of the address that open a saved view; empty texts remove parts that the view does not contain. */
export function changesTo(
  search: Search,
  view: { readonly id: string; readonly search: string },
): Record<string, string> {
  const cleared = Object.fromEntries(saved(search).map(([name]) => [name, ""]));
  return { ...cleared, ...parseSearch(view.search), view: view.id, row: "" };
}

/** Whether an address contains only the ID of a view, so that the content of the view has to be added. */
export function isOnlyView(search: Search): boolean {
  return Boolean(search.view) && saved(search).length === 0;
}

function saved(search: Search): [string, string][] {
  return Object.entries(search).filter(([name]) => !NOT_SAVED.has(name));
}

/** The chosen columns in their order; all columns if none of them was chosen. */
export function chosenColumns<Row>(columns: readonly Column<Row>[], ids: readonly string[]): readonly Column<Row>[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const chosen = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  // Chosen columns are not hidden on narrow screens; the table scrolls instead.
  return chosen.length > 0 ? chosen.map((column) => ({ ...column, isOptional: false })) : columns;
}

/** Show or hide a column. The last visible column cannot be hidden. */
export function toggled(ids: readonly string[], id: string): string[] {
  if (!ids.includes(id)) return [...ids, id];
  return ids.length > 1 ? ids.filter((each) => each !== id) : [...ids];
}

/** Move a column up or down in the order. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return [...ids];
  const others = ids.filter((each) => each !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
