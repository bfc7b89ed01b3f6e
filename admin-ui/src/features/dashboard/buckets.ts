/** Counts by day and by name, for the charts. */

export interface Count {
  readonly label: string;
  readonly count: number;
}

const DAY_MS = 86_400_000;
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** The number of times on each of the last days, the oldest first. */
export function byDay(times: readonly string[], days: number, now: Date): Count[] {
  const today = startOfDay(now);
  const counts = new Array<number>(days).fill(0);
  for (const time of times) {
    const back = Math.round((today - startOfDay(new Date(time))) / DAY_MS);
    const index = days - 1 - back;
    if (index >= 0 && index < days) counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({ label: day.format(new Date(today - (days - 1 - index) * DAY_MS)), count }));
}

/** The frequency of each name, the most frequent first; the rest is combined. */
export function byName(names: readonly string[], most: number): Count[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name || "unknown", (counts.get(name || "unknown") ?? 0) + 1);
  const sorted = [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b, "en", { numeric: true }));
  const shown = sorted.slice(0, most).map(([label, count]) => ({ label, count }));
  const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? [...shown, { label: "others", count: rest }] : shown;
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate(), 12).getTime();
}
