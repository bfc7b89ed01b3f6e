/** The number of objects of each kind, with links to their lists. */

import { Group, Paper, SimpleGrid, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { memo } from "react";
import type { Client, OperationName } from "../../api/client";
import { may, type Resource, useClient, useMe } from "../../api/context";
import { Icon, type IconName } from "../../ui/icons";
import { RouterLink } from "../../ui/link";

interface Card {
  readonly label: string;
  readonly icon: IconName;
  readonly needs: Resource;
  readonly list: ListOperation;
  readonly to: string;
  readonly filter?: Record<string, string>;
  /** A number above zero needs attention. */
  readonly isAttention?: boolean;
}

type ListOperation = Extract<OperationName, `list${Capitalize<string>}`>;

const CARDS: readonly Card[] = [
  { label: "Applications", icon: "apps", needs: "APPS", list: "listApps", to: "/apps" },
  { label: "Layouts", icon: "layouts", needs: "LAYOUTS", list: "listLayouts", to: "/layouts" },
  { label: "Users", icon: "users", needs: "USERS", list: "listUsers", to: "/users" },
  {
    label: "Active sessions",
    icon: "sessions",
    needs: "SESSIONS",
    list: "listSessions",
    to: "/sessions",
    filter: { active: "true" },
  },
  { label: "Configuration files", icon: "configs", needs: "SYSTEM_CONFIGS", list: "listConfigs", to: "/configs" },
  {
    label: "Pending commands",
    icon: "commands",
    needs: "COMMANDS",
    list: "listCommands",
    to: "/commands",
    filter: { status: "pending" },
  },
  {
    label: "New crashes",
    icon: "crashes",
    needs: "CRASHES",
    list: "listCrashes",
    to: "/crashes",
    filter: { reviewed: "false" },
    isAttention: true,
  },
  {
    label: "New feedback",
    icon: "feedback",
    needs: "FEEDBACKS",
    list: "listFeedback",
    to: "/feedback",
    filter: { status: "new" },
    isAttention: true,
  },
];

export function CountCards() {
  const client = useClient();
  const me = useMe();
  const cards = CARDS.filter((card) => may(me, card.needs, "READ"));
  const counts = useQueries({
    queries: cards.map((card) => ({
      queryKey: [card.to.slice(1), "count", card.filter ?? {}],
      queryFn: ({ signal }: { signal: AbortSignal }) => countOf(client, card, signal),
      refetchInterval: 30_000,
    })),
  });
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="md">
      {cards.map((card, index) => (
        <CountCard key={card.label} card={card} count={counts[index]?.data} />
      ))}
    </SimpleGrid>
  );
}

/** Each card is rendered when its own number arrives. */
const CountCard = memo(({ card, count }: { card: Card; count: number | undefined }) => {
  const isLoud = card.isAttention && (count ?? 0) > 0;
  return (
    <Paper
      component={RouterLink}
      to={card.to}
      search={card.filter ?? {}}
      withBorder
      p="md"
      className="count-card"
      td="none"
      c="inherit"
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {card.label}
        </Text>
        <Icon name={card.icon} />
      </Group>
      <Text fz={28} fw={600} {...(isLoud ? { c: "var(--mantine-color-orange-light-color)" } : {})}>
        {count === undefined ? "…" : count.toLocaleString("en")}
      </Text>
    </Paper>
  );
});

async function countOf(client: Client, card: Card, signal: AbortSignal): Promise<number> {
  const { data } = await client.call(card.list, { query: { ...card.filter, limit: 1 }, signal });
  return data.total;
}
