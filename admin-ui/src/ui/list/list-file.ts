/** Writes the rows of a list as CSV or JSON. */

export type FileFormat = "csv" | "json";

/** The text of a file with all members of the rows, or with those of the given members that rows have. */
export function fileText(
  rows: readonly object[],
  format: FileFormat,
  members: readonly string[] | null = null,
): string {
  return format === "json" ? `${JSON.stringify(rows, null, 2)}\n` : csvText(rows, members);
}

function csvText(rows: readonly object[], members: readonly string[] | null): string {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = members ? members.filter((name) => all.includes(name)) : all;
  const lines = rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])));
  return [names.map(cell), ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

function cell(value: unknown): string {
  const text =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : `${value}`;
  // Spreadsheets would execute a text that begins like a formula.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
