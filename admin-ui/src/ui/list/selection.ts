/**
 * The selected rows of a list: some rows, or all matching rows with exceptions. Independent of sorting and scrolling.
 */

import { createContext, useContext, useSyncExternalStore } from "react";

export interface Selected<Row> {
  /** Whether all matching rows are selected; then `rows` are the exceptions. */
  readonly all: boolean;
  readonly rows: ReadonlyMap<string, Row>;
}

const NONE: Selected<never> = { all: false, rows: new Map<string, never>() };

export class Selection<Row> {
  private state: Selected<Row> = NONE;
  private readonly listeners = new Set<() => void>();
  /** Where a range begins. */
  anchor: number | null = null;

  readonly current = (): Selected<Row> => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  has(key: string): boolean {
    return this.state.all !== this.state.rows.has(key);
  }

  /** The number of selected rows, given the number of matching rows. */
  count(total: number): number {
    return this.state.all ? Math.max(0, total - this.state.rows.size) : this.state.rows.size;
  }

  set(rows: Iterable<readonly [string, Row]>, isSelected: boolean): void {
    const changed = new Map(this.state.rows);
    for (const [key, row] of rows) {
      if (isSelected !== this.state.all) changed.set(key, row);
      else changed.delete(key);
    }
    this.become({ all: this.state.all, rows: changed });
  }

  selectAll(): void {
    this.become({ all: true, rows: new Map() });
  }

  clear(): void {
    this.anchor = null;
    if (this.state !== NONE) this.become(NONE);
  }

  private become(state: Selected<Row>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** Rows are rendered once, so the selection is passed separately. */
export const SelectionContext = createContext<Selection<never> | null>(null);

export function useSelected<Row>(selection: Selection<Row>): Selected<Row> {
  return useSyncExternalStore(selection.subscribe, selection.current);
}

export function useIsSelected(key: string): boolean {
  const selection = useContext(SelectionContext);
  return useSyncExternalStore(selection?.subscribe ?? never, () => selection?.has(key) ?? false);
}

const never = () => () => undefined;
