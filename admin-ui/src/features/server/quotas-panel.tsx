/** The limits on what users can store. */

import { Paper, SimpleGrid, Text, Title } from "@mantine/core";
import type { SettingInForce } from "../../api/generated/client";
import { quotaAmount, quotaLabel } from "../quotas/quota-text";

const PREFIX = "quotas.";

export function QuotasPanel({ settings }: { settings: readonly SettingInForce[] }) {
  const quotas = settings.filter((setting) => setting.property.startsWith(PREFIX));
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5">
        Quotas
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Limits on the data that is stored for each user. The two limits on anonymous crash reports apply to the complete
        server. To see how much of each quota a user has used, open the user and select the Usage tab.
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
