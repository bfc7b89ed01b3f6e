/** Saves all rows that match the search and filters of a list in a file. */

import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { saveAs } from "../../api/client";
import { Icon } from "../icons";
import { showDone, showError } from "../notices";
import type { RowQuery, Rows } from "./columns";
import { type FileFormat, fileText } from "./list-file";

const PART = 1000;
const MOST = 100_000;
const TYPES = { csv: "text/csv;charset=utf-8", json: "application/json" };

interface DownloadMenuProps<Row> {
  label: string;
  question: Omit<RowQuery, "limit" | "offset">;
  fetchRows: (query: RowQuery, signal: AbortSignal) => Promise<Rows<Row>>;
  /** The members of the chosen columns; null if all columns are shown. */
  shown: readonly string[] | null;
}

export function DownloadMenu<Row>({ label, question, fetchRows, shown }: DownloadMenuProps<Row>) {
  const [loaded, setLoaded] = useState<number | null>(null);
  const save = async (format: FileFormat, members: readonly string[] | null = null) => {
    setLoaded(0);
    try {
      const rows: Row[] = [];
      const { signal } = new AbortController();
      for (let isLast = false; !isLast && rows.length < MOST; ) {
        const part = await fetchRows({ ...question, limit: PART, offset: rows.length } as RowQuery, signal);
        rows.push(...part.items);
        isLast = part.items.length < PART;
        setLoaded(rows.length);
      }
      const name = `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.${format}`;
      saveAs(new Blob([fileText(rows as object[], format, members)], { type: TYPES[format] }), name);
      if (rows.length >= MOST) showDone(`Only the first ${MOST.toLocaleString("en")} rows were downloaded.`);
    } catch (error) {
      showError(error);
    } finally {
      setLoaded(null);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon name="download" size={16} />}
          loading={loaded === 0}
          disabled={loaded !== null}
        >
          {loaded ? `${loaded.toLocaleString("en")} rows…` : "Download list"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save("csv")}>CSV, for spreadsheets</Menu.Item>
        {shown && <Menu.Item onClick={() => void save("csv", shown)}>CSV, only the shown columns</Menu.Item>}
        <Menu.Item onClick={() => void save("json")}>JSON, for programs</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
