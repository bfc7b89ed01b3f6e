/** Shows the complete text of truncated cells: of the cell under the pointer, or of the focused row. */

import { type FocusEvent, type MouseEvent, type ReactNode, useState } from "react";
import styles from "./row-table.module.css";

interface Shown {
  readonly texts: readonly string[];
  readonly left: number;
  readonly top: number;
  readonly isAbove: boolean;
}

/** Below this distance from the end of the window, the text is shown above its row. */
const ROOM = 140;

export function useCutText(headers: readonly string[]): {
  handlers: {
    onMouseOver: (event: MouseEvent) => void;
    onMouseLeave: () => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: () => void;
    onScroll: () => void;
  };
  isShown: boolean;
  hide: () => void;
  text: ReactNode;
} {
  const [shown, setShown] = useState<Shown | null>(null);
  const hide = () => setShown(null);
  const show = (place: Element, texts: readonly string[]) => {
    const { left, top, bottom } = place.getBoundingClientRect();
    const isAbove = bottom > window.innerHeight - ROOM;
    setShown(texts.length > 0 ? { texts, left, top: isAbove ? window.innerHeight - top : bottom, isAbove } : null);
  };
  const onMouseOver = (event: MouseEvent) => {
    const cell = cellOf(event.target);
    // If the browser already shows a title, a second text would cover it.
    if (!cell || (event.target as Element).closest("[title]")) hide();
    else show(cell, isCut(cell) ? [textOf(cell)] : []);
  };
  const onFocus = (event: FocusEvent) => {
    const cell = cellOf(event.target);
    const cells = [...(cell?.parentElement?.querySelectorAll("td[data-column]") ?? [])].filter(isCut);
    if (cell)
      show(
        cell,
        cells.map((each) => `${headers[Number(each.getAttribute("data-column"))]}: ${textOf(each)}`),
      );
  };
  const text = shown && (
    <div
      role="tooltip"
      className={styles.complete}
      style={{ left: shown.left, ...(shown.isAbove ? { bottom: shown.top } : { top: shown.top }) }}
    >
      {shown.texts.map((each) => (
        <div key={each}>{each}</div>
      ))}
    </div>
  );
  return {
    handlers: { onMouseOver, onMouseLeave: hide, onFocus, onBlur: hide, onScroll: hide },
    isShown: shown !== null,
    hide,
    text,
  };
}

const cellOf = (target: EventTarget): Element | null =>
  target instanceof Element ? target.closest("td[data-column]") : null;

function isCut(cell: Element): boolean {
  return [...cell.querySelectorAll("*")].some(
    // Inline elements have no size; only elements with hidden overflow truncate text.
    (each) => overflows(each) && getComputedStyle(each).overflow !== "visible",
  );
}

const overflows = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;

/** The title of a list of names contains all of them. */
function textOf(cell: Element): string {
  return cell.querySelector(".names[title]")?.getAttribute("title") ?? cell.textContent ?? "";
}
