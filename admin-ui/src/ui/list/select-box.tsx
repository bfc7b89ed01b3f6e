/** The checkbox of a row; with Shift, it selects all rows from the last selected one. A plain element, as in `Label`. */

import { useContext } from "react";
import styles from "./row-table.module.css";
import { SelectionContext, useIsSelected } from "./selection";

interface SelectBoxProps {
  rowKey: string;
  name: string;
  onToggle: (isSelected: boolean, isRange: boolean) => void;
}

export function SelectBox({ rowKey, name, onToggle }: SelectBoxProps) {
  const isSelected = useIsSelected(rowKey);
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={`Select ${name}`}
      checked={isSelected}
      onChange={() => undefined}
      // Unlike a change event, a click has the state of Shift, also when the space bar causes it.
      onClick={(event) => onToggle(!isSelected, event.shiftKey)}
    />
  );
}

export function SelectAllBox({ isAll, isSome }: { isAll: boolean; isSome: boolean }) {
  const selection = useContext(SelectionContext);
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label="Select all"
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = isSome;
      }}
      onChange={() => (isAll || isSome ? selection?.clear() : selection?.selectAll())}
    />
  );
}
