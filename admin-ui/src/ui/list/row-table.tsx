/** A table of any length: only visible rows are rendered, and only their part of the list is fetched. */

import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { showError } from "../notices";
import type { Column } from "./columns";
import { useCutText } from "./cut-text";
import type { ListSearch } from "./list-search";
import styles from "./row-table.module.css";
import { SelectAllBox, SelectBox } from "./select-box";
import { type Selection, SelectionContext, useSelected } from "./selection";
import { directionOf, SortButton } from "./sort-button";
import { place, type RowSource, rowsBetween, useRows } from "./use-rows";

const ROW_HEIGHT = 44;
const COMPACT_HEIGHT = 28;
/** The least width of a column with one share. On narrow screens, optional columns are hidden, then the table scrolls. */
const NARROWEST = 88;
/** As in the style sheet. */
const SELECT_WIDTH = 40;

interface RowTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  search: ListSearch;
  source: RowSource<Row>;
  /** The total from the first page of the list. */
  counted: { readonly total: number; readonly more: boolean };
  rowName?: (row: Row) => string;
  /** Whether optional columns are also shown on narrow screens. */
  isComplete: boolean;
  onComplete: (isComplete: boolean) => void;
}

export function RowTable<Row>(props: RowTableProps<Row>) {
  const { label, rowKey, search, source, counted } = props;
  const area = useRef<HTMLDivElement>(null);
  const height = search.isCompact ? COMPACT_HEIGHT : ROW_HEIGHT;
  const selection = useContext(SelectionContext) as Selection<Row> | null;
  const fitting = useFitting(props.columns, area, selection ? SELECT_WIDTH : 0);
  const columns = props.isComplete ? props.columns : fitting;
  const cut = useCutText(columns.map((column) => column.header));
  const [sight, setSight] = useState({ first: search.row, last: search.row + 40 });
  const loaded = useRows(source, sight.first, sight.last);
  const { total, more } = counted.more && loaded.total > 0 ? loaded : counted;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => area.current,
    estimateSize: () => height,
    overscan: 5,
    initialOffset: search.row * height,
    onChange: (instance) => {
      const range = instance.range;
      if (range) setSight((old) => sameSight(old, range.startIndex, range.endIndex));
    },
  });
  useRememberedPlace(search, (virtual.scrollOffset ?? 0) / height, virtual.isScrolling);

  const items = virtual.getVirtualItems();
  const grown = columns.reduce((sum, column) => sum + (column.grow ?? 1), 0);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const minute = Math.floor(Date.now() / 60_000);
  const toggle = useToggle(selection, source, rowKey);
  const span = columns.length + (selection ? 1 : 0);

  return (
    <section
      ref={area}
      className={search.isCompact ? `${styles.area} ${styles.compact}` : styles.area}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      data-fetching={loaded.isFetching || undefined}
      {...cut.handlers}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        if (cut.isShown) cut.hide();
        else selection?.clear();
      }}
    >
      {cut.text}
      <table
        className={styles.table}
        style={{ minWidth: grown * NARROWEST + (selection ? SELECT_WIDTH : 0) }}
        aria-rowcount={total + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection && <SelectHeader selection={selection} total={total} />}
            {columns.map((column) => (
              <Header key={column.id} column={column} search={search} share={(column.grow ?? 1) / grown} />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} span={span} />}
          {items.map(({ index }) => {
            const data = loaded.at(index);
            return (
              <DrawnRow
                key={data ? rowKey(data) : index}
                index={index}
                data={data}
                columns={columns}
                minute={minute}
                height={height}
              >
                {() => (
                  <>
                    {selection && (
                      <td className={styles.select}>
                        {data && (
                          <SelectBox
                            rowKey={rowKey(data)}
                            name={(props.rowName ?? rowKey)(data)}
                            onToggle={(isSelected, isRange) => toggle(index, data, isSelected, isRange)}
                          />
                        )}
                      </td>
                    )}
                    {columns.map((column, number) => (
                      <td key={column.id} data-column={number}>
                        {data ? (
                          <div className={styles.text}>{column.cell(data)}</div>
                        ) : (
                          <span className={styles.waiting} />
                        )}
                      </td>
                    ))}
                  </>
                )}
              </DrawnRow>
            );
          })}
          {below > 0 && <Gap height={below} span={span} />}
        </tbody>
      </table>
      <Group gap="xs" className={styles.foot}>
        <Text size="sm" c="dimmed" role="status">
          {place(sight.first, sight.last, total, more)}
        </Text>
        {fitting.length < props.columns.length && (
          <HiddenColumns
            hidden={props.columns.filter((column) => !fitting.includes(column))}
            isComplete={props.isComplete}
            onComplete={props.onComplete}
          />
        )}
      </Group>
    </section>
  );
}

/** The columns without the optional ones that do not fit. If the others do not fit either, the table scrolls. */
function useFitting<Row>(
  columns: readonly Column<Row>[],
  area: RefObject<HTMLElement | null>,
  reserved: number,
): readonly Column<Row>[] {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [area]);
  return useMemo(() => {
    const shown = [...columns];
    const needed = () => reserved + NARROWEST * shown.reduce((sum, column) => sum + (column.grow ?? 1), 0);
    while (needed() > width) {
      const least = shown.findLastIndex((column) => column.isOptional);
      if (least < 0) break;
      shown.splice(least, 1);
    }
    return shown.length < columns.length ? shown : columns;
  }, [columns, width, reserved]);
}

interface HiddenColumnsProps<Row> {
  hidden: readonly Column<Row>[];
  isComplete: boolean;
  onComplete: (isComplete: boolean) => void;
}

function HiddenColumns<Row>({ hidden, isComplete, onComplete }: HiddenColumnsProps<Row>) {
  return (
    <>
      {!isComplete && (
        <Text size="sm" c="dimmed">
          Hidden columns: {hidden.map((column) => column.header).join(", ")}
        </Text>
      )}
      <Button size="compact-xs" variant="default" onClick={() => onComplete(!isComplete)}>
        {isComplete ? "Fit columns" : "Show all columns"}
      </Button>
    </>
  );
}

type Toggle<Row> = (index: number, row: Row, isSelected: boolean, isRange: boolean) => void;

/** Selects a row, or all rows from the last selected one; rows that are not loaded are fetched. */
function useToggle<Row>(
  selection: Selection<Row> | null,
  source: RowSource<Row>,
  rowKey: (row: Row) => string,
): Toggle<Row> {
  const queries = useQueryClient();
  return (index, row, isSelected, isRange) => {
    if (!selection) return;
    const anchor = selection.anchor;
    selection.anchor = index;
    selection.set([[rowKey(row), row]], isSelected);
    if (!isRange || anchor === null) return;
    void rowsBetween(queries, source, Math.min(anchor, index), Math.max(anchor, index)).then(
      (rows) =>
        selection.set(
          rows.map((each) => [rowKey(each), each] as const),
          isSelected,
        ),
      showError,
    );
  };
}

function SelectHeader<Row>({ selection, total }: { selection: Selection<Row>; total: number }) {
  useSelected(selection);
  const count = selection.count(total);
  const isAll = count > 0 && selection.current().all && selection.current().rows.size === 0;
  return (
    <th scope="col" className={styles.select}>
      <SelectAllBox isAll={isAll} isSome={count > 0 && !isAll} />
    </th>
  );
}

interface DrawnRowProps {
  index: number;
  data: unknown;
  columns: unknown;
  /** Rows show relative times. */
  minute: number;
  height: number;
  children: () => ReactNode;
}

/** A row that was already visible is not rendered again while scrolling. */
const DrawnRow = memo(
  ({ index, height, children }: DrawnRowProps) => (
    <tr aria-rowindex={index + 2} style={{ height }}>
      {children()}
    </tr>
  ),
  (before, after) =>
    before.data === after.data &&
    before.index === after.index &&
    before.columns === after.columns &&
    before.minute === after.minute,
);

function Header<Row>({ column, search, share }: { column: Column<Row>; search: ListSearch; share: number }) {
  const field = column.sort;
  return (
    <th scope="col" aria-sort={field ? directionOf(search, field) : undefined} style={{ width: `${share * 100}%` }}>
      {field ? (
        <SortButton field={field} search={search}>
          {column.header}
        </SortButton>
      ) : (
        column.header
      )}
    </th>
  );
}

function Gap({ height, span }: { height: number; span: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr aria-hidden="true" style={{ height }}>
      <td colSpan={span} className={styles.gap} />
    </tr>
  );
}

/** Store the position in the address when scrolling has stopped, so that the address leads back to it. */
function useRememberedPlace(search: ListSearch, row: number, isScrolling: boolean): void {
  const from = Math.round(row);
  useEffect(() => {
    if (!isScrolling && from !== search.row) search.set({ row: from > 0 ? String(from) : "" });
  }, [isScrolling, from, search]);
}

function sameSight(old: { first: number; last: number }, first: number, last: number) {
  return old.first === first && old.last === last ? old : { first, last };
}
