/** The first page: counts, points that need attention, recent changes, charts, and the signed-in user. */

import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMe } from "../../api/context";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { AttentionCard } from "./attention-card";
import { ChangesCard } from "./changes-card";
import { Charts } from "./charts";
import { CountCards } from "./count-cards";
import { lastDays } from "./days";
import { OwnView } from "./own-view";

const DAYS = 30;
const REFRESH_MS = 60_000;

export function DashboardPage() {
  const me = useMe();
  const sees = me.permissions.length > 0;
  return (
    <PageBody>
      <PageHead title="Dashboard" about={`Welcome, ${me.id}.`} />
      {sees && (
        <>
          <CountCards />
          <Figures />
        </>
      )}
      <OwnView />
    </PageBody>
  );
}

function Figures() {
  const client = useClient();
  const figures = useQuery({
    queryKey: ["dashboard"],
    queryFn: async ({ signal }) => {
      // Calculated for each request: a page that stays open overnight shows the new day.
      const days = lastDays(DAYS, new Date());
      const query = { days: days.map((day) => day.start).join(",") };
      return { days, found: (await client.call("readDashboard", { query, signal })).data };
    },
    refetchInterval: REFRESH_MS,
  });
  return (
    <QueryState query={figures}>
      {({ days, found }) => (
        <>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <AttentionCard found={found} days={days} />
            <ChangesCard changes={found.changes} />
          </SimpleGrid>
          <Charts found={found} days={days} />
        </>
      )}
    </QueryState>
  );
}
