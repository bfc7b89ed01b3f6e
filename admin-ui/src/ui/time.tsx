/** Relative times, with the exact time on hover. */

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
/** With the name of the time zone, so that the time is unambiguous. */
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span>–</span>;
  return (
    <time dateTime={at} onMouseEnter={(event) => event.currentTarget.setAttribute("title", exactTime(at))}>
      {ago(new Date(at), new Date())}
    </time>
  );
}

export function ago(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

export function exactTime(at: string): string {
  return exact.format(new Date(at));
}
