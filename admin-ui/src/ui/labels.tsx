/** Small coloured words. */

import { Badge, Group, Text } from "@mantine/core";

export function Label({ children, color = "gray" }: { children: React.ReactNode; color?: string }) {
  return (
    <Badge variant="light" color={color} size="sm" radius="sm" tt="none" fw={500}>
      {children}
    </Badge>
  );
}

/** The first names of a list, and how many more there are. */
export function Names({ names, most = 3, none = "none" }: { names: readonly string[]; most?: number; none?: string }) {
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed" component="span">
        {none}
      </Text>
    );
  return (
    <Group gap={4} wrap="nowrap" title={names.join(", ")}>
      {names.slice(0, most).map((name) => (
        <Label key={name}>{name}</Label>
      ))}
      {names.length > most && (
        <Text size="xs" c="dimmed">
          +{names.length - most}
        </Text>
      )}
    </Group>
  );
}
