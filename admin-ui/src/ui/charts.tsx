/** Small charts of one row of numbers, without the library of the dashboard. */

import { Paper, Text, Title } from "@mantine/core";

export interface Count {
  readonly label: string;
  readonly count: number;
}

const HEIGHT = 96;
const COLUMN = 14;
const GAP = 4;
const LABELS = 5;

interface ChartProps {
  title: string;
  counts: readonly Count[];
  /** Shown instead of an empty chart. */
  none: string;
  /** A note about the numbers. */
  note?: string | undefined;
}

export function ColumnChart({ title, counts, none, note }: ChartProps) {
  const most = Math.max(...counts.map((each) => each.count), 1);
  const width = counts.length * (COLUMN + GAP);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  return (
    <ChartCard title={title} note={note}>
      {total === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <svg
          role="img"
          aria-label={`${title}: ${sentence(counts)}`}
          viewBox={`0 0 ${width} ${HEIGHT + 34}`}
          className="small-chart"
        >
          {counts.map((each, index) => {
            const height = (each.count / most) * HEIGHT;
            const left = index * (COLUMN + GAP) + GAP / 2;
            return (
              <g key={each.label}>
                <rect
                  className="small-chart-bar"
                  x={left}
                  y={14 + HEIGHT - height}
                  width={COLUMN}
                  height={Math.max(height, 1)}
                  rx={3}
                >
                  <title>{`${each.label}: ${each.count}`}</title>
                </rect>
                {each.count > 0 && (
                  <text className="chart-text" textAnchor="middle" x={left + COLUMN / 2} y={10 + HEIGHT - height}>
                    {each.count}
                  </text>
                )}
                {index % Math.ceil(counts.length / LABELS) === 0 && (
                  <text className="chart-text" textAnchor="middle" x={left + COLUMN / 2} y={HEIGHT + 28}>
                    {each.label}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </ChartCard>
  );
}

/** Small columns without numbers, for a row of a list. */
export function Sparkline({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 1);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${counts.length * 5} 18`} className="sparkline">
      <title>{label}</title>
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max((count / most) * 18, 3);
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is the day
        return <rect key={index} className="small-chart-bar" x={index * 5} y={18 - height} width={4} height={height} />;
      })}
    </svg>
  );
}

interface ChartCardProps {
  title: string;
  note: string | undefined;
  children: React.ReactNode;
}

function ChartCard({ title, note, children }: ChartCardProps) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
      {note && (
        <Text size="xs" c="dimmed" mt="xs">
          {note}
        </Text>
      )}
    </Paper>
  );
}

function sentence(counts: readonly Count[]): string {
  return counts
    .filter((each) => each.count > 0)
    .map((each) => `${each.label} ${each.count}`)
    .join(", ");
}
