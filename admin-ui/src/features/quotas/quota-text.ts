/** Labels and amounts of quotas; the names are those of the settings without `quotas.`. */

const LABELS: Readonly<Record<string, string>> = {
  sessions: "Open sessions",
  keptSessions: "Sessions, open and ended",
  machines: "Machines",
  preferences: "Apps with preferences",
  preferenceBytes: "Total size of preferences",
  documentBytes: "Size of each preference or layout",
  layouts: "Layouts",
  layoutBytes: "Total size of layouts",
  historyBytes: "Total size of earlier revisions of preferences and layouts",
  feedback: "Feedback messages",
  feedbackBytes: "Total size of feedback attachments",
  crashes: "Crash reports",
  crashBytes: "Total size of minidumps",
  anonymousCrashes: "Anonymous crash reports, in total",
  anonymousCrashBytes: "Total size of minidumps in anonymous crash reports",
};

/** If these are full, the oldest item is removed: nothing is refused, and no action is needed. */
const ROLLING: ReadonlySet<string> = new Set(["keptSessions", "historyBytes"]);

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

export function quotaLabel(name: string): string {
  return LABELS[name] ?? name;
}

/** Whether a request is refused when the quota is full. */
export function refusesWhenFull(name: string): boolean {
  return !ROLLING.has(name);
}

/** A formatted amount: counts as numbers, sizes in a suitable unit. */
export function quotaAmount(name: string, amount: number): string {
  return name.endsWith("Bytes") ? sizeText(amount) : amount.toLocaleString();
}

function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${UNITS[unit]}`;
}
