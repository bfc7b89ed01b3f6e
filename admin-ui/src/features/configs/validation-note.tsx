/** States which text the problems below the editor refer to, and whether they are up to date. */

import { Text } from "@mantine/core";
import type { Validation } from "./use-validation";

export function ValidationNote({ validation, isSaved }: { validation: Validation; isSaved: boolean }) {
  return (
    <Text size="sm" c="dimmed" role="status" aria-label="Validation" mih="1.4em">
      {words(validation, isSaved)}
    </Text>
  );
}

function words({ problems, state }: Validation, isSaved: boolean): string {
  if (state === "outdated") return "Validation: checking the text in the editor…";
  if (state === "unknown") return "Validation: the text in the editor could not be checked.";
  if (!problems) return "Validation is disabled on this server.";
  const subject = isSaved ? "saved text" : "text in the editor, not saved";
  if (problems.length === 0) return `Validation (${subject}): no problems.`;
  return `Validation (${subject}): ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`;
}
