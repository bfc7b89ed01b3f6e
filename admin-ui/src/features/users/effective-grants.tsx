/** Apps or layouts, and whether and why a user has access; filtered, sorted and paged on the server. */

import {
  Alert,
  Button,
  Group,
  List,
  Paper,
  ScrollArea,
  SegmentedControl,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useClient } from "../../api/context";
import type { EffectiveView, ReasonView, UserRollout, WhyNot } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { TextLink } from "../../ui/link";
import { useAddressWord } from "../../ui/list/address-word";
import { useListSearch } from "../../ui/list/list-search";
import { directionOf, SortButton } from "../../ui/list/sort-button";
import { ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { GrantButton } from "../access/grant-button";

export interface GrantRow {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly to: string;
  readonly given: boolean;
  readonly reasons: readonly ReasonView[];
  readonly whyNot?: WhyNot | null | undefined;
  readonly rollout?: UserRollout | null | undefined;
}

interface GrantsProps {
  user: string;
  kind: "apps" | "layouts";
  rowsOf: (effective: EffectiveView) => readonly GrantRow[];
  /** Shown above the list. */
  about?: (effective: EffectiveView) => ReactNode;
}

const PART = 200;
const SORTS = ["name", "-name", "given", "-given"] as const;

export function Grants({ user, kind, rowsOf, about }: GrantsProps) {
  const words = useAddressWord("q");
  const search = useListSearch();
  const given = search.filters.given ?? "";
  const client = useClient();
  const sort = SORTS.find((each) => each === search.sort);
  const asked = { kind, q: words.settled, given, sort };
  const found = useInfiniteQuery({
    queryKey: ["users", user, "effective", asked],
    queryFn: async ({ signal, pageParam }) =>
      (
        await client.call("readEffective", {
          path: { user_id: user },
          query: { ...asked, limit: PART, offset: pageParam },
          signal,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * PART < (last[kind]?.total ?? 0) ? pages.length * PART : undefined,
    placeholderData: keepPreviousData,
  });
  const first = found.data?.pages[0];
  if (found.error && !first) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!first) return <LoadingState />;
  const groups = first.groups.map((group) => group.name);
  const rows = found.data?.pages.flatMap((page) => rowsOf(page)) ?? [];
  return (
    <Stack gap="sm">
      {first.disabled && (
        <Alert color="red" variant="light">
          The user is disabled and receives no apps, layouts or settings.
        </Alert>
      )}
      {about?.(first)}
      <Group align="flex-end">
        <TextInput
          label={`Find ${kind}`}
          value={words.text}
          onChange={(event) => words.set(event.currentTarget.value)}
          w={260}
        />
        <Which
          user={user}
          kind={kind}
          words={words.settled}
          value={given}
          onChange={(value) => search.set({ given: value })}
        />
      </Group>
      <Paper withBorder>
        <ScrollArea.Autosize mah="60vh" type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": kind }}>
          <Table verticalSpacing={8} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="30%" aria-sort={directionOf(search, "name")}>
                  <SortButton field="name" search={search}>
                    Name
                  </SortButton>
                </Table.Th>
                <Table.Th w={150} aria-sort={directionOf(search, "given")}>
                  <SortButton field="given" search={search}>
                    Available
                  </SortButton>
                </Table.Th>
                <Table.Th>Reason</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td className="breaks">
                    <TextLink to={row.to} size="sm">
                      {row.name}
                    </TextLink>
                    <Text size="xs" c="dimmed">
                      {row.note}
                    </Text>
                  </td>
                  <td>
                    {row.given ? (
                      <Label color="green">yes</Label>
                    ) : (
                      <Group gap="xs">
                        <Label color="red">no</Label>
                        {kind === "apps" && row.whyNot && (
                          <GrantButton app={row.key} user={user} whyNot={row.whyNot} groups={groups} />
                        )}
                      </Group>
                    )}
                  </td>
                  <td className="breaks">
                    <Because row={row} />
                  </td>
                </tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        {rows.length === 0 && (
          <Text c="dimmed" p="md">
            No results.
          </Text>
        )}
      </Paper>
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          Show more of {(first[kind]?.total ?? 0).toLocaleString()}
        </Button>
      )}
    </Stack>
  );
}

interface WhichProps {
  user: string;
  kind: "apps" | "layouts";
  words: string;
  value: string;
  onChange: (value: string) => void;
}

/** Filters by availability, with the number of items. */
function Which({ user, kind, words, value, onChange }: WhichProps) {
  const client = useClient();
  const count = useQuery({
    queryKey: ["users", user, "effective", "counts", kind, words],
    queryFn: async ({ signal }) => {
      const ask = async (given: boolean) => {
        const query = { kind, q: words, given, limit: 1 };
        const { data } = await client.call("readEffective", { path: { user_id: user }, query, signal });
        return data[kind]?.total ?? 0;
      };
      const [given, rest] = await Promise.all([ask(true), ask(false)]);
      return { given, rest };
    },
    placeholderData: keepPreviousData,
  });
  const { given, rest } = count.data ?? {};
  const label = (text: string, number: number | undefined) =>
    number === undefined ? text : `${text} ${number.toLocaleString()}`;
  return (
    <SegmentedControl
      aria-label="Show"
      value={value || "all"}
      onChange={(chosen) => onChange(chosen === "all" ? "" : chosen)}
      data={[
        { value: "all", label: label("All", given === undefined || rest === undefined ? undefined : given + rest) },
        { value: "true", label: label("Available", given) },
        { value: "false", label: label("Not available", rest) },
      ]}
    />
  );
}

/** The reasons for access, and obstacles. */
export function Because({ row }: { row: Pick<GrantRow, "reasons" | "whyNot" | "rollout"> }) {
  return (
    <>
      {row.whyNot && <Text size="sm">{capital(row.whyNot.text)}.</Text>}
      {row.reasons.length > 0 && (
        <List size="sm" listStyleType="none">
          {row.reasons.map((reason) => (
            <List.Item key={reason.text} {...(row.whyNot ? { c: "dimmed" } : {})}>
              {row.whyNot ? `Otherwise: ${reason.text}` : capital(reason.text)}.
            </List.Item>
          ))}
        </List>
      )}
      {row.rollout && <Text size="sm">{row.rollout.text}</Text>}
    </>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
