/** The line above a list with selected rows: their number, and the actions. */

import { Button, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { saveAs } from "../../api/client";
import { useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import type { BulkSelection } from "../../ui/list/list-panel";
import { useSelected } from "../../ui/list/selection";
import { showError } from "../../ui/notices";
import { BatchDialog } from "./batch-dialog";
import styles from "./bulk-bar.module.css";
import { BATCHES, type BatchKind, type BulkAction, counted } from "./kinds";

interface BulkBarProps<Row> extends BulkSelection<Row> {
  kind: BatchKind;
  /** The names of the available actions; by default, all of the kind. */
  only?: readonly string[];
  /** Initially selected groups or apps. */
  given?: readonly string[];
  /** Further buttons, which receive the function that reads the selected rows. */
  more?: (selected: () => Promise<Row[]>) => ReactNode;
}

export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { kind, selection, q, filters, isNarrowed, only, given = [] } = props;
  const { all, rows } = useSelected(selection);
  const mayWrite = useMay(BATCHES[kind].right, "WRITE");
  const [chosen, setChosen] = useState<BulkAction | null>(null);
  const [isExporting, setExporting] = useState(false);
  if (!all && rows.size === 0) return null;
  const every: readonly BulkAction[] = mayWrite ? BATCHES[kind].actions : [];
  const actions = only ? every.filter((each) => only.includes(each.action)) : every;
  const targets = all
    ? { filter: { q, fields: { ...filters }, exclude: [...rows.keys()] } }
    : { ids: [...rows.keys()] };
  const exportRows = async () => {
    setExporting(true);
    await save(props).catch(showError);
    setExporting(false);
  };
  return (
    <Paper withBorder p="xs" component="section" aria-label="Selection" className={styles.bar}>
      <Group
        gap="xs"
        onKeyDown={(event) => {
          if (event.key === "Escape") selection.clear();
        }}
      >
        <Text size="sm" fw={600} role="status" mr="xs">
          {sentence(props, all, rows.size)}
        </Text>
        {actions.map((action) => (
          <Button
            key={action.action}
            size="compact-sm"
            variant="default"
            {...(action.isDangerous ? { c: "var(--mantine-color-error)" } : {})}
            onClick={() => setChosen(action)}
          >
            {action.label}
            {"…"}
          </Button>
        ))}
        {props.more?.(() => selectedRows(props))}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          loading={isExporting}
          onClick={() => void exportRows()}
        >
          Export
        </Button>
        {!all && (
          <Button size="compact-sm" variant="subtle" onClick={() => selection.selectAll()}>
            {`Select all ${BATCHES[kind].many}${isNarrowed ? " that match" : ""}`}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={() => selection.clear()}>
          Clear selection
        </Button>
      </Group>
      {chosen && (
        <BatchDialog
          kind={kind}
          action={chosen}
          targets={targets}
          given={given}
          onClose={() => setChosen(null)}
          onStarted={() => {
            setChosen(null);
            selection.clear();
          }}
        />
      )}
    </Paper>
  );
}

function sentence<Row>({ kind, isNarrowed }: BulkBarProps<Row>, all: boolean, count: number): string {
  if (!all) return `${counted(kind, count)} selected`;
  const every = `All ${BATCHES[kind].many}${isNarrowed ? " that match" : ""} are selected`;
  return count === 0 ? every : `${every}, except ${counted(kind, count)}`;
}

const PART = 1000;

/** Save the selected rows as a JSON file. */
async function save<Row>(props: BulkBarProps<Row>): Promise<void> {
  const content = JSON.stringify({ [props.kind]: await selectedRows(props) }, null, 2);
  saveAs(new Blob([content], { type: "application/json" }), `${props.kind}.json`);
}

/** Read all selected rows, including those that the list has not loaded. */
async function selectedRows<Row>({
  selection,
  q,
  filters,
  sort,
  rowKey,
  fetchRows,
}: BulkBarProps<Row>): Promise<Row[]> {
  const { all, rows } = selection.current();
  if (!all) return [...rows].sort(([a], [b]) => a.localeCompare(b)).map(([, row]) => row);
  const found: Row[] = [];
  for (let offset = 0, isMore = true; isMore; offset += PART) {
    const query = { ...filters, q, sort, limit: PART, offset };
    const { items } = await fetchRows(query, new AbortController().signal);
    found.push(...items.filter((row) => !rows.has(rowKey(row))));
    isMore = items.length === PART;
  }
  return found;
}
