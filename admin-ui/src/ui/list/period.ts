/** Periods of complete days in the time zone of the user, for example "2026-11-01..2026-11-15". */

export interface Period {
  readonly first: string;
  readonly last: string;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

export function readPeriod(text: string): Period {
  const [first = "", last = ""] = text.includes("..") ? text.split("..") : [text, text];
  return { first, last };
}

/** The day of an end of a period, also if it is a time. */
export function dayOf(end: string): string {
  const time = end.includes("T") ? new Date(end) : null;
  if (!time || Number.isNaN(time.getTime())) return end;
  const two = (number: number) => String(number).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function writePeriod({ first, last }: Period): string {
  return first || last ? `${first}..${last}` : "";
}

/** Format a period for the server: from the beginning of the first day to the end of the last day. */
export function periodForServer(text: string): string {
  const { first, last } = readPeriod(text);
  return `${startOfDay(first, 0)}..${startOfDay(last, 1)}`;
}

/** Other texts are sent unchanged, so that the server can explain the problem. */
function startOfDay(day: string, later: number): string {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (!year) return day;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}
