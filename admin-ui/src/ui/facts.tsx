/** A list of names and values. */

import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="dl" m={0} spacing="sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed" component="dt">
              {name}
            </Text>
            <Text size="sm" component="dd" m={0} className="breaks">
              {value === "" || value === null || value === undefined ? "–" : value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
