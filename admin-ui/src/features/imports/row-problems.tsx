/** The problems of all rows of an import, before anything is written. */

import { Alert, List } from "@mantine/core";
import { detailsOf, messageOf } from "../../api/errors";
import { type Definitions, nameOf } from "./read-definitions";

const MOST = 50;

export function RowProblems({ error, definitions }: { error: unknown; definitions: Definitions }) {
  const problems = detailsOf(error).map(({ path, message }) => rowProblem(path ?? "", message, definitions));
  const rows = new Set(problems.flatMap(({ row }) => row ?? [])).size;
  return (
    <Alert
      color="red"
      variant="light"
      title={`Nothing was imported${rows > 0 ? `: ${rows === 1 ? "1 row has" : `${rows} rows have`} problems` : ""}`}
      role="alert"
    >
      {problems.length === 0 && messageOf(error)}
      <List size="sm">
        {problems.slice(0, MOST).map(({ text }) => (
          <List.Item key={text} className="breaks">
            {text}
          </List.Item>
        ))}
        {problems.length > MOST && <List.Item>and {problems.length - MOST} more problems</List.Item>}
      </List>
    </Alert>
  );
}

/** A problem contains the number and name of its row, and the member of the definition. */
export function rowProblem(path: string, message: string, definitions: Definitions): { row?: number; text: string } {
  const found = /^\w+\[(\d+)\](?:\.document)?(?:\.definition)?\.?(.*)$/.exec(path);
  if (!found) return { text: path ? `${path}: ${message}` : message };
  const row = Number(found[1]);
  const definition = definitions[row];
  const name = definition ? nameOf(definition) : "";
  const where = [`Row ${row + 1}${name ? ` (${name})` : ""}`, found[2]].filter(Boolean).join(", ");
  return { row, text: `${where}: ${message}` };
}
