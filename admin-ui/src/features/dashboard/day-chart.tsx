/** A chart with stacked columns for each day, which are links, and a table with the same values. Loaded on demand. */

import { Box, ColorSwatch, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { scaleBand, scaleLinear, scaleOrdinal } from "@visx/scale";
import { BarStack } from "@visx/shape";
import { RouterLink, TextLink } from "../../ui/link";
import type { Day } from "./days";

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: string;
  readonly to: string;
  readonly search: (day: Day) => Record<string, string>;
}

/** Marks below the columns. */
export interface Marks {
  readonly name: string;
  readonly values: readonly number[];
  readonly to: string | null;
  readonly search: (day: Day) => Record<string, string>;
}

export interface DayChartProps {
  /** The name of the values. */
  label: string;
  days: readonly Day[];
  series: readonly Series[];
  marks?: Marks;
}

const HEIGHT = 180;
const LEFT = 40;
const TOP = 8;
const BELOW = 36;
const LABEL_WIDTH = 64;

export function DayChart({ label, days, series, marks }: DayChartProps) {
  const { ref, width } = useElementSize();
  return (
    <div>
      <Legend series={series} marks={marks} />
      {/* The table below has the same links, so the columns are not reachable by keyboard. */}
      <Box ref={ref} aria-hidden="true" mih={HEIGHT + BELOW}>
        {width > 0 && <Columns days={days} series={series} width={width} {...(marks ? { marks } : {})} />}
      </Box>
      <details className="chart-values">
        <summary>Values as a table</summary>
        <Values label={label} days={days} series={series} {...(marks ? { marks } : {})} />
      </details>
    </div>
  );
}

function Columns({ days, series, marks, width }: Omit<DayChartProps, "label"> & { width: number }) {
  const totals = days.map((_, index) => series.reduce((sum, each) => sum + (each.values[index] ?? 0), 0));
  const across = scaleBand({ domain: days.map((day) => day.date), range: [LEFT, width], padding: 0.2 });
  const up = scaleLinear({ domain: [0, Math.max(...totals, 1)], range: [HEIGHT, TOP], nice: true });
  const colours = scaleOrdinal({
    domain: series.map((each) => each.name),
    range: series.map((each) => each.colour),
  });
  const byName = new Map(series.map((each) => [each.name, each]));
  const data = days.map((day, index) => ({ day, index }));
  const step = Math.max(1, Math.ceil(LABEL_WIDTH / across.step()));
  return (
    <svg width={width} height={HEIGHT + BELOW} className="chart" role="presentation">
      {up
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line className="chart-line" x1={LEFT} x2={width} y1={up(tick)} y2={up(tick)} />
            <text className="chart-text" x={LEFT - 6} y={up(tick) + 4} textAnchor="end">
              {tick.toLocaleString("en")}
            </text>
          </g>
        ))}
      <BarStack
        data={data}
        keys={series.map((each) => each.name)}
        value={({ index }, name) => byName.get(name)?.values[index] ?? 0}
        x={({ day }) => day.date}
        xScale={across}
        yScale={up}
        color={colours}
      >
        {(stacks) =>
          stacks.flatMap((stack) =>
            stack.bars
              .filter((bar) => bar.height > 0)
              .map((bar) => {
                const { day, index } = bar.bar.data;
                const each = byName.get(bar.key);
                if (!each) return null;
                return (
                  <RouterLink key={`${bar.key} ${day.date}`} to={each.to} search={each.search(day)} tabIndex={-1}>
                    <rect
                      className="chart-bar"
                      x={bar.x}
                      y={bar.y}
                      width={bar.width}
                      height={bar.height}
                      fill={bar.color}
                    >
                      <title>{`${day.label}, ${bar.key}: ${each.values[index]}`}</title>
                    </rect>
                  </RouterLink>
                );
              }),
          )
        }
      </BarStack>
      {days.map((day, index) => {
        const middle = (across(day.date) ?? 0) + across.bandwidth() / 2;
        const count = marks?.values[index] ?? 0;
        return (
          <g key={day.date}>
            {marks && count > 0 && <Mark marks={marks} day={day} count={count} middle={middle} />}
            {(days.length - 1 - index) % step === 0 && (
              <text
                className="chart-text"
                x={middle}
                y={HEIGHT + 30}
                textAnchor={index === days.length - 1 ? "end" : "middle"}
              >
                {day.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function Mark({ marks, day, count, middle }: { marks: Marks; day: Day; count: number; middle: number }) {
  const shape = (
    <path className="chart-mark" d={`M${middle} ${HEIGHT + 3}l6 10h-12z`}>
      <title>{`${day.label}, ${marks.name}: ${count}`}</title>
    </path>
  );
  return marks.to === null ? (
    shape
  ) : (
    <RouterLink to={marks.to} search={marks.search(day)} tabIndex={-1}>
      {shape}
    </RouterLink>
  );
}

function Legend({ series, marks }: { series: readonly Series[]; marks: Marks | undefined }) {
  return (
    <Group gap="sm" mb={4}>
      {series.map((each) => (
        <Group key={each.name} gap={6} wrap="nowrap">
          <ColorSwatch color={each.colour} size={10} radius={2} withShadow={false} aria-hidden="true" />
          <Text size="xs">{each.name}</Text>
        </Group>
      ))}
      {marks && (
        <Text size="xs">
          <span className="chart-mark-text" aria-hidden="true">
            ▲
          </span>{" "}
          {marks.name}
        </Text>
      )}
    </Group>
  );
}

function Values({ label, days, series, marks }: DayChartProps) {
  const used = days
    .map((day, index) => ({ day, index }))
    .filter(({ index }) => [...series, ...(marks ? [marks] : [])].some((each) => (each.values[index] ?? 0) > 0))
    .reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="chart-table" aria-label={`Values: ${label}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map((each) => (
              <th key={each.name} scope="col">
                {each.name}
              </th>
            ))}
            {marks && <th scope="col">{marks.name}</th>}
          </tr>
        </thead>
        <tbody>
          {used.map(({ day, index }) => (
            <tr key={day.date}>
              <th scope="row">{day.label}</th>
              {series.map((each) => (
                <td key={each.name}>
                  <Value count={each.values[index] ?? 0} to={each.to} search={each.search(day)} />
                </td>
              ))}
              {marks && (
                <td>
                  <Value count={marks.values[index] ?? 0} to={marks.to} search={marks.search(day)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ count, to, search }: { count: number; to: string | null; search: Record<string, string> }) {
  if (count === 0 || to === null) return <>{count}</>;
  return (
    <TextLink to={to} search={search} size="sm">
      {count.toLocaleString("en")}
    </TextLink>
  );
}
