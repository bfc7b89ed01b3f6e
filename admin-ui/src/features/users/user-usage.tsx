/** How much of each quota a user uses. */

import { Paper, Progress, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { QuotaUseView } from "../../api/generated/client";
import { QueryState } from "../../ui/states/query-state";
import { quotaAmount, quotaLabel, refusesWhenFull } from "../quotas/quota-text";

const NEARLY_FULL = 80;

export function UserUsage({ user }: { user: string }) {
  const client = useClient();
  const found = useQuery({
    queryKey: ["users", user, "usage"],
    queryFn: async ({ signal }) => (await client.call("readUserUsage", { path: { user_id: user }, signal })).data,
  });
  return (
    <QueryState query={found}>
      {(usage) => (
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed" mb="xs">
            Quotas limit the amounts that the user can store from desktops. They are set by the server settings
            quotas.*. When the earlier revisions exceed their limit, the oldest revisions are deleted.
          </Text>
          <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={`Usage of ${user}`} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Quota</Table.Th>
                  <Table.Th>In use</Table.Th>
                  <Table.Th>Limit</Table.Th>
                  <Table.Th w="30%">Share</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {usage.items.map((use) => (
                  <UsageRow key={use.name} use={use} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </QueryState>
  );
}

function fullness(share: number): string {
  if (share >= 100) {
    return "red";
  }
  return share >= NEARLY_FULL ? "orange" : "rostrum";
}

function UsageRow({ use }: { use: QuotaUseView }) {
  const share = use.limit === null ? 0 : use.limit === 0 ? 100 : Math.min(100, (100 * use.used) / use.limit);
  const label = quotaLabel(use.name);
  return (
    <Table.Tr>
      <td>{label}</td>
      <td>{quotaAmount(use.name, use.used)}</td>
      <td>{use.limit === null ? "No limit" : quotaAmount(use.name, use.limit)}</td>
      <td>
        {use.limit !== null && (
          <Progress
            value={share}
            color={refusesWhenFull(use.name) ? fullness(share) : "rostrum"}
            aria-label={`${label}: ${Math.round(share)} % used`}
          />
        )}
      </td>
    </Table.Tr>
  );
}
