/** The points that can need attention: a sentence for each number, with a link to the rows that are counted. */

import type { DashboardView } from "../../api/generated/client";
import { ago } from "../../ui/time";

export interface Point {
  readonly count: number;
  readonly text: string;
  readonly to: string;
  readonly search: Record<string, string>;
}

const ROLLOUTS = [
  ["app", "apps", "of apps"],
  ["layout", "layouts", "of layouts"],
  ["config", "configs", "of configuration files"],
] as const;

const OUTDATED = [
  ["systemConfig", "configuration"],
  ["apps", "apps"],
  ["layouts", "layouts"],
] as const;

/** All points that the user may read; those with a count above 0 first. */
export function pointsOf(found: DashboardView, firstFailedDay: string, now: Date): Point[] {
  const { failedCommands, stoppedRuns, haltedRollouts, proposals, crashes, outdated, expiringTokens } = found.attention;
  const points: Point[] = [];
  if (crashes) {
    const when = ago(new Date(crashes.since), now);
    points.push({
      count: crashes.count,
      text: `${amount(crashes.count, "crash", "crashes")} since the last change (${when})`,
      to: "/crashes",
      search: { received: `${crashes.since}..` },
    });
  }
  if (failedCommands) {
    points.push({
      count: failedCommands.count,
      text: `${amount(failedCommands.count, "failed command")} in the last 7 days`,
      to: "/commands",
      search: { status: "failed", created: `${firstFailedDay}..` },
    });
  }
  if (stoppedRuns !== null) {
    const text = amount(stoppedRuns, "stopped command run");
    points.push({ count: stoppedRuns, text, to: "/command-runs", search: { status: "stopped" } });
  }
  for (const [kind, path, what] of ROLLOUTS) {
    const count = haltedRollouts[kind];
    if (count === null) continue;
    const text = `${amount(count, "halted roll-out")} ${what}`;
    points.push({ count, text, to: `/rollouts/${path}`, search: { status: "halted" } });
  }
  if (outdated) {
    for (const [kind, what] of OUTDATED) {
      const count = outdated[kind].pending;
      const text = `${amount(count, "connected desktop")} without the newest ${what}`;
      points.push({ count, text, to: "/sessions", search: { active: "true", outdated: kind } });
    }
  }
  if (expiringTokens) {
    points.push({
      count: expiringTokens.count,
      text: `${amount(expiringTokens.count, "API token")} that ${expiringTokens.count === 1 ? "expires" : "expire"} within 14 days`,
      to: "/tokens/-/all",
      search: { expires: `${expiringTokens.since}..${expiringTokens.until}` },
    });
  }
  const text = `${amount(proposals, "proposal")} that ${proposals === 1 ? "waits" : "wait"} for your decision`;
  points.push({ count: proposals, text, to: "/proposals", search: { decision: "mine" } });
  return [...points.filter((point) => point.count > 0), ...points.filter((point) => point.count === 0)];
}

function amount(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `No ${many}`;
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
