/** The origins of web pages that may connect to the server. */

import { Code, List, Paper, Text, Title } from "@mantine/core";
import type { SettingInForce } from "../../api/generated/client";
import { allowedOrigins } from "./origins";

export function OriginsPanel({ settings }: { settings: readonly SettingInForce[] }) {
  const allowed = allowedOrigins(settings.find((setting) => setting.property === "cors")?.value);
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5">
        Allowed origins
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {allowed.about}
      </Text>
      {allowed.origins.length > 0 && (
        <List size="sm">
          {allowed.origins.map((origin) => (
            <List.Item key={origin}>
              <Code>{origin}</Code>
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        To change the allowed origins, edit <Code>origin</Code> in the setting <Code>cors</Code> and restart the server.
        To check the setting, run <Code>rostrum manager doctor</Code> on the server.
      </Text>
    </Paper>
  );
}
