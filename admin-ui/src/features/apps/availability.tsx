/** The groups and users that an app is available to. */

import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMay } from "../../api/context";
import type { AppView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { accessSentence } from "../access/access-sentence";
import { WhySomeone } from "./why-someone";

export function Availability({ app }: { app: AppView }) {
  const client = useClient();
  const mayRead = useMay("USERS", "READ");
  const named = useQuery({
    queryKey: ["users", "with-app", app.name],
    queryFn: async ({ signal }) =>
      (await client.call("listUsers", { query: { app: app.name, limit: 50 }, signal })).data,
    enabled: mayRead,
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h5">
          Availability
        </Title>
        <Text size="sm">{accessSentence(app)}</Text>
        {!app.disabled && app.accessList.length > 0 && (
          <Text size="sm" component="div">
            Available through groups:{" "}
            {app.accessList.map((group, index) => (
              <span key={group}>
                {index > 0 && ", "}
                <TextLink to={pathOf("groups", group)} size="sm">
                  {group}
                </TextLink>
              </span>
            ))}
          </Text>
        )}
        {named.data && named.data.total > 0 && (
          <Text size="sm" component="div">
            Assigned directly to:{" "}
            {named.data.items.map((user, index) => (
              <span key={user.id}>
                {index > 0 && ", "}
                <TextLink to={pathOf("users", user.id)} size="sm">
                  {user.id}
                </TextLink>
              </span>
            ))}
            {named.data.total > named.data.items.length && ` and ${named.data.total - named.data.items.length} more`}
          </Text>
        )}
        {mayRead && <WhySomeone app={app.name} />}
      </Stack>
    </Paper>
  );
}
