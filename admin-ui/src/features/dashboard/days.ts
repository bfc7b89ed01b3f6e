/** The last days in the time zone of the user. */

export interface Day {
  /** The beginning as a time in UTC, which is sent to the manager. */
  readonly start: string;
  /** The date as in period filters, such as `2026-11-15`. */
  readonly date: string;
  readonly label: string;
}

const short = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const two = (number: number) => String(number).padStart(2, "0");

export function lastDays(count: number, now: Date): Day[] {
  return Array.from({ length: count }, (_, index) => {
    // Days can have 23 to 25 hours, so subtracting multiples of 24 hours would be wrong.
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index));
    const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
    return { start: day.toISOString(), date, label: short.format(day) };
  });
}
