/** Two users or groups side by side, now or at earlier times, with the reason for each difference. */

import { Group, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { may, useClient, useMe } from "../../api/context";
import type { AccessComparison } from "../../api/generated/client";
import { useAddressWord } from "../../ui/list/address-word";
import { type Search, useSetSearch } from "../../ui/list/list-search";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { NameInput } from "../../ui/suggest-input";
import { useGroupNames } from "../groups/group-names";
import { useUserNames } from "../users/user-names";
import { ItemDifferences, ValueDifferences } from "./differences";
import { MomentInput } from "./moment-input";

export function ComparePage() {
  const me = useMe();
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const isGroups = search.kind === "groups" || !may(me, "USERS", "READ");
  const users = useUserNames();
  const groups = useGroupNames();
  const leftAt = useAddressWord("leftAt");
  const rightAt = useAddressWord("rightAt");
  const [left, right] = [search.left ?? "", search.right ?? ""];
  const noun = isGroups ? "group" : "user";
  const sides = [
    { side: "First", label: `First ${noun}`, name: "left", value: left, at: leftAt },
    { side: "Second", label: `Second ${noun}`, name: "right", value: right, at: rightAt },
  ] as const;
  return (
    <PageBody>
      <PageHead title="Compare" />
      <Paper withBorder p="md">
        <Stack gap="sm">
          {may(me, "USERS", "READ") && may(me, "GROUPS", "READ") && (
            <SegmentedControl
              aria-label="Compare"
              value={isGroups ? "groups" : "users"}
              onChange={(kind) => setSearch({ kind: kind === "users" ? "" : kind, left: "", right: "" })}
              data={[
                { value: "users", label: "Users" },
                { value: "groups", label: "Groups" },
              ]}
              maw={240}
            />
          )}
          <Group align="flex-start" gap="lg">
            {sides.map((side) => (
              <Stack key={`${noun} ${side.name}`} gap="xs">
                <NameInput
                  key={side.value}
                  label={side.label}
                  placeholder={`Choose a ${noun}`}
                  value={side.value}
                  onChange={(name) => setSearch({ [side.name]: name })}
                  suggestions={isGroups ? groups : users}
                  width={300}
                />
                <MomentInput side={side.side} at={side.at} width={300} />
              </Stack>
            ))}
          </Group>
        </Stack>
      </Paper>
      {left && (right || leftAt.settled || rightAt.settled) ? (
        <Comparison
          isGroups={isGroups}
          left={left}
          right={right || left}
          at={leftAt.settled}
          withAt={rightAt.settled}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {`Choose two ${noun}s, or one ${noun} and a time.`}
        </Text>
      )}
    </PageBody>
  );
}

interface ComparisonProps {
  isGroups: boolean;
  left: string;
  right: string;
  at: string;
  withAt: string;
}

function Comparison({ isGroups, left, right, at, withAt }: ComparisonProps) {
  const client = useClient();
  const found = useQuery({
    queryKey: [isGroups ? "groups" : "users", left, "compare", right, at, withAt],
    queryFn: async ({ signal }) => {
      const query = { with: right, ...(at ? { at } : {}), ...(withAt ? { withAt } : {}) };
      const { data } = isGroups
        ? await client.call("compareGroups", { path: { group_name: left }, query, signal })
        : await client.call("compareUsers", { path: { user_id: left }, query, signal });
      return data;
    },
  });
  return <QueryState query={found}>{(comparison) => <Differences of={comparison} isGroups={isGroups} />}</QueryState>;
}

function Differences({ of, isGroups }: { of: AccessComparison; isGroups: boolean }) {
  const names: [string, string] = [sideName(of.left), sideName(of.right)];
  const total = [of.groups, of.apps, of.layouts, of.configs].reduce((sum, part) => sum + (part?.total ?? 0), 0);
  return (
    <Stack>
      <div role="status">
        <Title order={2} size="h4">
          {total === 0 ? "No differences" : total === 1 ? "1 difference" : `${total} differences`}
        </Title>
      </div>
      <ItemDifferences label="Groups" part={of.groups} names={names} path="groups" />
      {of.apps && <ItemDifferences label="Applications" part={of.apps} names={names} path="apps" />}
      {of.layouts && (
        <ItemDifferences label="Layouts" part={of.layouts} names={names} path={isGroups ? "layouts" : null} />
      )}
      {of.configs && <ValueDifferences part={of.configs} names={names} />}
    </Stack>
  );
}

function sideName(side: AccessComparison["left"]): string {
  const when = side.revision === null ? "" : ` at revision ${side.revision}`;
  const state = side.exists ? (side.disabled ? " (disabled)" : "") : " (did not exist)";
  return `${side.id}${when}${state}`;
}
