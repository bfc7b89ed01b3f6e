/** The charts: sessions by version, and crashes with changes, for each of the last days. */

import { Box, SimpleGrid, Text } from "@mantine/core";
import { Suspense } from "react";
import { useMay } from "../../api/context";
import type { DashboardView } from "../../api/generated/client";
import { LoadProblem } from "../../ui/parts/load-problem";
import { PartBoundary, part } from "../../ui/parts/part";
import { LoadingState } from "../../ui/states/loading-state";
import { DashboardCard } from "./dashboard-card";
import type { DayChartProps } from "./day-chart";
import type { Day } from "./days";

const DayChart = part<DayChartProps>(async () => (await import("./day-chart")).DayChart);

const COLOURS = ["blue-6", "teal-6", "grape-6", "orange-6", "cyan-4", "lime-6"].map(
  (name) => `var(--mantine-color-${name})`,
);
const GRAY = "var(--mantine-color-gray-5)";
const RED = "var(--mantine-color-red-6)";

interface ChartsProps {
  found: DashboardView;
  days: readonly Day[];
}

export function Charts({ found, days }: ChartsProps) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      {found.versions && <Versions versions={found.versions} days={days} />}
      {found.crashes && <Crashes crashes={found.crashes} days={days} />}
    </SimpleGrid>
  );
}

function Versions({ versions, days }: { versions: NonNullable<DashboardView["versions"]>; days: readonly Day[] }) {
  const named = versions.names.map((version, number) => ({
    name: version || "unknown",
    values: versions.counts.map((counts) => counts[number] ?? 0),
    colour: COLOURS[number] ?? GRAY,
    to: "/sessions",
    search: (day: Day) => ({ version: `=${version}`, started: period(day) }),
  }));
  const hasOthers = versions.others.some((count) => count > 0);
  const others = {
    name: "other versions",
    values: versions.others,
    colour: GRAY,
    to: "/sessions",
    search: (day: Day) => ({ started: period(day) }),
  };
  return (
    <DashboardCard
      title={`Sessions by version, last ${days.length} days`}
      to="/sessions"
      search={since(days, "started")}
    >
      {named.length === 0 ? (
        <Text c="dimmed">No desktop was started in this period.</Text>
      ) : (
        <Chart label="sessions by version" days={days} series={hasOthers ? [...named, others] : named} />
      )}
    </DashboardCard>
  );
}

function Crashes({ crashes, days }: { crashes: NonNullable<DashboardView["crashes"]>; days: readonly Day[] }) {
  const mayAudit = useMay("AUDITS", "READ");
  const series = {
    name: "crashes",
    values: crashes.counts,
    colour: RED,
    to: "/crashes",
    search: (day: Day) => ({ received: period(day) }),
  };
  const marks = {
    name: "changes",
    values: crashes.changes,
    to: mayAudit ? "/audit" : null,
    search: (day: Day) => ({ at: period(day) }),
  };
  return (
    <DashboardCard
      title={`Crashes and changes, last ${days.length} days`}
      to="/crashes"
      search={since(days, "received")}
    >
      {crashes.counts.every((count) => count === 0) ? (
        <Text c="dimmed">No crashes in this period.</Text>
      ) : (
        <Chart
          label="crashes and changes"
          days={days}
          series={[series]}
          {...(crashes.changes.length > 0 ? { marks } : {})}
        />
      )}
    </DashboardCard>
  );
}

function Chart(props: DayChartProps) {
  return (
    <PartBoundary failed={(error, onLoaded) => <LoadProblem what="The chart" error={error} onLoaded={onLoaded} />}>
      <Suspense
        fallback={
          <Box mih={240}>
            <LoadingState />
          </Box>
        }
      >
        <DayChart {...props} />
      </Suspense>
    </PartBoundary>
  );
}

const period = (day: Day): string => `${day.date}..${day.date}`;

const since = (days: readonly Day[], name: string): Record<string, string> => ({ [name]: `${days[0]?.date ?? ""}..` });
