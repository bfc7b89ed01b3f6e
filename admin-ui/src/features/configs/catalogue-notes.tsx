/** What the catalogue of settings says of a saved file. */

import { Alert, List } from "@mantine/core";
import type { ConfigView } from "../../api/generated/client";

const COLOURS: Readonly<Record<string, string>> = { error: "red", warning: "orange" };

export function CatalogueNotes({ view }: { view: ConfigView }) {
  const problems = view.problems ?? [];
  if (problems.length === 0) return null;
  const worst = problems.find((problem) => problem.severity === "error") ?? problems[0];
  return (
    <Alert
      color={COLOURS[worst?.severity ?? ""] ?? "gray"}
      variant="light"
      title="What desktops will make of this file"
      mb="sm"
    >
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={`${problem.path} ${problem.message}`} className="breaks">
            <strong>{problem.path}</strong>: {problem.message}
            {problem.suggestion && ` Did you mean ${problem.suggestion}?`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
