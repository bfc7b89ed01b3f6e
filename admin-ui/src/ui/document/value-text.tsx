/** A value of a document as short text. */

import { Code, Text } from "@mantine/core";

const LONGEST = 400;

export function ValueText({ value }: { value: unknown }) {
  if (value === undefined) {
    return (
      <Text size="sm" c="dimmed" component="span" fs="italic">
        not set
      </Text>
    );
  }
  const text = JSON.stringify(value) ?? "";
  return <Code className="breaks">{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</Code>;
}
