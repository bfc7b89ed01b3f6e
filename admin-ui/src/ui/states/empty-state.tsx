/** Shows that a list is empty, and what to do. */

import { Button, Center, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: { label: string; onClick: () => void };
  button?: ReactNode;
}

export function EmptyState({ title, children, action, button }: EmptyStateProps) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={460}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
        {action && (
          <Button variant="default" onClick={action.onClick}>
            {action.label}
          </Button>
        )}
        {button}
      </Stack>
    </Center>
  );
}
