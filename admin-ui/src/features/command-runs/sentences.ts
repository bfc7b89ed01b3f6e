/** Progress of command runs as text. */

import type { CommandRunSummary, RunWave } from "../../api/generated/client";

/** The number of desktops in each state, of a run or of a wave. */
export type RunCounts = Omit<RunWave, "number" | "started" | "finished">;

const WORDS: readonly (readonly [keyof RunCounts, string])[] = [
  ["failed", "failed"],
  ["unanswered", "without an answer"],
  ["offline", "offline"],
  ["unsupported", "without support for the command"],
  ["refused", "refused"],
  ["sent", "not answered yet"],
  ["pending", "in later waves"],
  ["cancelled", "cancelled"],
];

/** For example "180 of 200 done, 8 failed, 12 offline". */
export function progressSentence(counts: RunCounts): string {
  const parts = WORDS.filter(([name]) => counts[name] > 0).map(([name, words]) => `${number(counts[name])} ${words}`);
  return [`${number(counts.done)} of ${number(counts.total)} done`, ...parts].join(", ");
}

/** The share of desktops that are finished. */
export function percentage(run: CommandRunSummary): number {
  if (run.total === 0) return run.status === "done" ? 100 : 0;
  const open = run.pending + run.sent + (run.status === "done" || run.status === "cancelled" ? 0 : run.offline);
  return Math.round(((run.total - open) / run.total) * 100);
}

/** Parse the entered waves, separated by commas or spaces. */
export function wavesOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map((part) => part.trim());
}

export function number(count: number): string {
  return count.toLocaleString("en");
}
