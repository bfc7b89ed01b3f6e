/** The effective groups of a user, with the path of each membership. */

import { Paper, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import { pathOf, TextLink } from "../../ui/link";
import { QueryState } from "../../ui/states/query-state";
import { Membership } from "../groups/membership";

export function useEffectiveGroups(user: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["users", user, "effective", "groups"],
    queryFn: async ({ signal }) =>
      // Memberships are part of every response; the page size is minimal.
      (await client.call("readEffective", { path: { user_id: user }, query: { kind: "configs", limit: 1 }, signal }))
        .data,
  });
}

export function UserGroups({ user }: { user: string }) {
  const found = useEffectiveGroups(user);
  return (
    <QueryState query={found}>
      {({ groups }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Direct memberships, and memberships that are inherited through these groups.
          </Text>
          {groups.length === 0 ? (
            <Text c="dimmed">The user is in no group.</Text>
          ) : (
            <Paper withBorder>
              <Table verticalSpacing={8} aria-label="Effective groups">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Group</Table.Th>
                    <Table.Th>Membership</Table.Th>
                    <Table.Th w={90}>Priority</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {groups.map((group) => (
                    <tr key={group.name}>
                      <td className="breaks">
                        <TextLink to={pathOf("groups", group.name)} size="sm">
                          {group.name}
                        </TextLink>
                      </td>
                      <td>
                        <Membership group={group.name} ways={[group.via]} />
                      </td>
                      <td>{group.priority}</td>
                    </tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Paper>
          )}
        </Stack>
      )}
    </QueryState>
  );
}
