/** The changes before the first crash of a group. */

import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMay } from "../../api/context";
import type { PrecedingChange } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { QueryState } from "../../ui/states/query-state";
import { Ticket } from "../../ui/ticket";
import { exactTime, Time } from "../../ui/time";

export function PrecedingChanges({ group, version }: { group: string; version: string }) {
  const client = useClient();
  const mayAudit = useMay("AUDITS", "READ");
  const changes = useQuery({
    queryKey: ["crash-groups", group, "changes"],
    queryFn: async ({ signal }) =>
      (await client.call("readCrashGroupChanges", { path: { group_id: group }, signal })).data,
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Changes before the first crash
        </Title>
        <QueryState query={changes}>
          {({ items, more, versionFirstUsed }) => (
            <>
              {versionFirstUsed && (
                <Text size="sm">
                  Version {version} was first used at {exactTime(versionFirstUsed)}, shortly before the first crash.
                </Text>
              )}
              {items.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No changes that concern this app or its affected users were found in the 24 hours before the first
                  crash.
                </Text>
              ) : (
                <Table.ScrollContainer minWidth={520}>
                  <Table aria-label="Changes before the first crash">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Changed</Table.Th>
                        <Table.Th>Document</Table.Th>
                        <Table.Th>By</Table.Th>
                        <Table.Th>Comment</Table.Th>
                        {mayAudit && <Table.Th>Audit entry</Table.Th>}
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {items.map((change) => (
                        <tr key={`${change.number} ${change.kind} ${change.id}`}>
                          <td>
                            <Time at={change.at} />
                          </td>
                          <td className="breaks">
                            {NOUNS[change.kind] ?? change.kind}{" "}
                            <TextLink {...documentOf(change)} size="sm">
                              {change.name}
                            </TextLink>
                          </td>
                          <Table.Td className="breaks" miw={90}>
                            {change.actor}
                          </Table.Td>
                          <td className="breaks">
                            {change.comment} {change.ticket && <Ticket ticket={change.ticket} />}
                          </td>
                          {mayAudit && (
                            <td>
                              <TextLink to={pathOf("audit", String(change.number))} size="sm">
                                {change.number}
                              </TextLink>
                            </td>
                          )}
                        </tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
              {more && (
                <Text size="xs" c="dimmed">
                  There may be more changes than those listed here.
                </Text>
              )}
            </>
          )}
        </QueryState>
      </Stack>
    </Paper>
  );
}

const NOUNS: Readonly<Record<string, string>> = {
  app: "App",
  layout: "Layout",
  config: "Configuration file",
  group: "Group",
};

/** The history of the changed document. */
function documentOf({ kind, id }: PrecedingChange): { to: string; search: Record<string, string> } {
  return { to: pathOf(`${kind}s`, id), search: { tab: "history" } };
}
