/** The health of the server and its parts. */

import { Group, Paper, Text, Title } from "@mantine/core";
import { useIsAway } from "../../api/context";
import type { ServerView } from "../../api/generated/client";
import { Facts } from "../../ui/facts";
import { Label } from "../../ui/labels";
import { exactTime, Time } from "../../ui/time";
import { schemaState } from "./schema-state";

export function HealthPanel({ server }: { server: ServerView }) {
  const { database, health } = server;
  const isAway = useIsAway();
  return (
    <>
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="xs">
          Health
        </Title>
        <Group gap="lg">
          <Part
            name="server"
            isFine={!isAway && health.status === "ok"}
            words={isAway ? "not reachable" : health.status}
          />
          {Object.entries(health.checks).map(([name, words]) => (
            <Part key={name} name={name} isFine={!isAway && words === "ok"} words={isAway ? "unknown" : words} />
          ))}
          <Part name="database schema" {...schemaState(database)} />
        </Group>
      </Paper>
      <Facts
        facts={[
          ["Version", server.version],
          ["Server process (host:process ID)", server.node],
          [
            "Started",
            <span key="started" title={exactTime(server.started)}>
              <Time at={server.started} />
            </span>,
          ],
          ["Database", database.kind],
          ["Database schema of this version", database.newestMigration],
          ["Open event streams (this process)", server.eventClients.toLocaleString()],
        ]}
      />
    </>
  );
}

function Part({ name, isFine, words }: { name: string; isFine: boolean; words: string }) {
  return (
    <Text size="sm" component="div">
      {name} <Label color={isFine ? "green" : "red"}>{words}</Label>
    </Text>
  );
}
