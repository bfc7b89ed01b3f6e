/** The account of the signed-in user: groups, permissions and apps. */

import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMe } from "../../api/context";
import { Facts } from "../../ui/facts";
import { Label, Names } from "../../ui/labels";
import { QueryState } from "../../ui/states/query-state";

export function OwnView() {
  const client = useClient();
  const me = useMe();
  const apps = useQuery({
    queryKey: ["own-apps"],
    queryFn: async ({ signal }) => (await client.call("getApps", { signal })).data.applications,
  });
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        You
      </Title>
      <Facts
        facts={[
          ["User", me.id],
          ["E-mail", me.email ?? "–"],
          ["Groups", <Names key="groups" names={me.groups} most={6} />],
          ["Permissions", rightsText(me.groups, me.permissions)],
        ]}
      />
      <Paper withBorder p="md">
        <Title order={3} size="h5" mb="xs">
          Your apps
        </Title>
        <QueryState query={apps}>
          {(list) =>
            list.length === 0 ? (
              <Text c="dimmed">No apps are available to you.</Text>
            ) : (
              <Text component="div">
                {list.map((app, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: definitions need not have a name of their own
                  <span key={index}>
                    <Label>{titleOf(app)}</Label>{" "}
                  </span>
                ))}
              </Text>
            )
          }
        </QueryState>
      </Paper>
    </Stack>
  );
}

function titleOf(app: Record<string, unknown>): string {
  const title = app.title ?? app.name ?? app.appId;
  return typeof title === "string" ? title : "unnamed";
}

function rightsText(groups: readonly string[], permissions: readonly string[]): string {
  if (groups.includes("PLATFORM_SERVER_ADMIN")) return "All permissions, because you are a full administrator.";
  if (permissions.length === 0) return "None. You can only view your own apps. Ask an administrator for permissions.";
  return permissions
    .map((name) => name.replace("PLATFORM_MANAGER:", "").replaceAll("_", " ").replace(":", " ").toLowerCase())
    .join(", ");
}
