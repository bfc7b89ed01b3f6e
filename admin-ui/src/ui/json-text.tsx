/** A read-only value as indented JSON. */

import { Code, Paper, Text, Title } from "@mantine/core";

export function JsonText({ title, value, none = "Nothing." }: { title: string; value: unknown; none?: string }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {value === null || value === undefined ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Code block tabIndex={0} mah={480} className="scrolls">
          {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
        </Code>
      )}
    </Paper>
  );
}
