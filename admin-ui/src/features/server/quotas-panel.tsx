/** What each user may store, and where the limits can be changed. */

import { Paper, SimpleGrid, Text, Title } from "@mantine/core";
import type { SettingInForce } from "../../api/generated/client";
import { quotaAmount, quotaLabel } from "../quotas/quota-text";

const PREFIX = "quotas.";

export function QuotasPanel({ settings }: { settings: readonly SettingInForce[] }) {
  const quotas = settings.filter((setting) => setting.property.startsWith(PREFIX));
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5">
        Quotas per user
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Limits on what each user can store from desktops. A user&apos;s page shows how much is in use.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" component="dl" m={0}>
        {quotas.map(({ property, value }) => (
          <div key={property}>
            <Text size="xs" c="dimmed" component="dt">
              {quotaLabel(property.slice(PREFIX.length))}
            </Text>
            <Text size="sm" component="dd" m={0}>
              {Number(value) < 0 ? "No limit" : quotaAmount(property.slice(PREFIX.length), Number(value))}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
