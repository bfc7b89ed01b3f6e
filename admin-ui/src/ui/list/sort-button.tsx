/** The header of a column that sorts by it. */

import { UnstyledButton } from "@mantine/core";
import { Icon } from "../icons";
import { type ListSearch, nextSort } from "./list-search";
import styles from "./row-table.module.css";

interface SortButtonProps {
  field: string;
  search: ListSearch;
  children: string;
}

export function SortButton({ field, search, children }: SortButtonProps) {
  const direction = directionOf(search, field);
  return (
    <UnstyledButton className={styles.sort} onClick={() => search.set({ sort: nextSort(search.sort, field), row: "" })}>
      {children}
      {direction !== "none" && <Icon name={direction === "ascending" ? "up" : "down"} size={14} />}
    </UnstyledButton>
  );
}

export function directionOf(search: ListSearch, field: string): "ascending" | "descending" | "none" {
  if (search.sort === field) return "ascending";
  return search.sort === `-${field}` ? "descending" : "none";
}
