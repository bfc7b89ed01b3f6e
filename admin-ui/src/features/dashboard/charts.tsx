/** Sessions and crashes over the last days, and the versions in use. */

import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMay } from "../../api/context";
import { BarChart, ColumnChart } from "../../ui/charts";
import { byDay, byName } from "./buckets";

const DAYS = 14;
const MOST = 1000;

export function Charts() {
  const client = useClient();
  const maySessions = useMay("SESSIONS", "READ");
  const mayCrashes = useMay("CRASHES", "READ");
  const sessions = useQuery({
    queryKey: ["sessions", "chart"],
    queryFn: async ({ signal }) =>
      (await client.call("listSessions", { query: { sort: "-started", limit: MOST }, signal })).data,
    enabled: maySessions,
    refetchInterval: 60_000,
  });
  const crashes = useQuery({
    queryKey: ["crashes", "chart"],
    queryFn: async ({ signal }) =>
      (await client.call("listCrashes", { query: { sort: "-received", limit: MOST }, signal })).data,
    enabled: mayCrashes,
    refetchInterval: 60_000,
  });
  const now = new Date();
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
      {sessions.data && (
        <>
          <ColumnChart
            title={`Sessions started, last ${DAYS} days`}
            counts={byDay(
              sessions.data.items.map((session) => session.started),
              DAYS,
              now,
            )}
            none="No desktop was started in this period."
            note={cutOff(sessions.data, "sessions")}
          />
          <BarChart
            title="Versions in use"
            counts={byName(
              sessions.data.items.filter((session) => session.active).map((session) => session.version),
              6,
            )}
            none="No desktop is connected."
            note={cutOff(sessions.data, "sessions")}
          />
        </>
      )}
      {crashes.data && (
        <ColumnChart
          title={`Crashes, last ${DAYS} days`}
          counts={byDay(
            crashes.data.items.map((crash) => crash.received),
            DAYS,
            now,
          )}
          none="No crash in this period."
          note={cutOff(crashes.data, "crashes")}
        />
      )}
    </SimpleGrid>
  );
}

/** The note that a chart contains only the newest records; undefined if it contains all. */
function cutOff({ items, total }: { items: readonly unknown[]; total: number }, what: string): string | undefined {
  return total > items.length ? `Of the newest ${items.length.toLocaleString()} ${what}.` : undefined;
}
