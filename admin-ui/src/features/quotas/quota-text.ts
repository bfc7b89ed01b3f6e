/** Labels and amounts of quotas; the names are those of the settings without `quotas.`. */

const LABELS: Readonly<Record<string, string>> = {
  sessions: "Open sessions",
  keptSessions: "Sessions, ended ones included",
  machines: "Machines",
  preferences: "Apps with preferences",
  preferenceBytes: "Size of preferences",
  documentBytes: "Size of one preference or layout",
  layouts: "Layouts",
  layoutBytes: "Size of layouts",
  historyBytes: "Size of earlier revisions of preferences and layouts",
  feedback: "Feedback",
  feedbackBytes: "Size of feedback attachments",
  crashes: "Crash reports",
  crashBytes: "Size of minidumps",
  anonymousCrashes: "Crash reports without a user, all together",
  anonymousCrashBytes: "Size of minidumps without a user, all together",
};

/** When these are full, the oldest is removed: nothing is refused, and nobody has to act. */
const ROLLING: ReadonlySet<string> = new Set(["keptSessions", "historyBytes"]);

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

export function quotaLabel(name: string): string {
  return LABELS[name] ?? name;
}

/** Whether a request is refused when the quota is full. */
export function refusesWhenFull(name: string): boolean {
  return !ROLLING.has(name);
}

/** An amount as people read it: counts as numbers, sizes in the unit that fits. */
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
