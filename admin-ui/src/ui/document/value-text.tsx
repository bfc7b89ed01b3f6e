/** A value of a document as short text. */

import { Code, Text } from "@mantine/core";

const LONGEST = 400;

export function ValueText({ value, longest = LONGEST }: { value: unknown; longest?: number }) {
  if (value === undefined) {
    return (
      <Text size="sm" c="dimmed" component="span" fs="italic">
        not set
      </Text>
    );
  }
  const text = JSON.stringify(value) ?? "";
  return <Code className="breaks">{text.length > longest ? `${text.slice(0, longest)}…` : text}</Code>;
}
