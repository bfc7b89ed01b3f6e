/** Stages and progress of roll-outs as text. */

import type { RolloutStage, RolloutSummary, RolloutView, StageView } from "../../api/generated/client";

const HOUR = 3600;
const DAY = 24 * HOUR;

export const isOpen = ({ status }: Pick<RolloutSummary, "status">): boolean =>
  status === "running" || status === "halted";

export function stageUsers({ percent, groups }: Pick<StageView, "percent" | "groups">): string {
  const parts = percent ? [`${percent}% of the users`] : [];
  if (groups.length > 0) parts.push(`members of ${groups.join(", ")}`);
  return parts.join(" and ");
}

export function span(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "until the next stage is started";
  if (seconds >= DAY && seconds % DAY === 0) return counted(seconds / DAY, "day");
  if (seconds >= HOUR && seconds % HOUR === 0) return counted(seconds / HOUR, "hour");
  return counted(Math.round(seconds / 60), "minute");
}

/** For example "12 users with the new version, applied on 9 of 10 connected desktops, 1 pending, 0 users crashed." */
export function progressSentence({ progress }: Pick<RolloutView, "progress">): string {
  const { users, desktops, applied, pending, failed, crashed } = progress;
  const parts = [`${counted(users, "user")} with the new version`];
  if (desktops > 0) parts.push(`applied on ${applied} of ${counted(desktops, "connected desktop")}`);
  if (pending > 0) parts.push(`${pending} pending`);
  if (failed > 0) parts.push(`${failed} failed`);
  parts.push(`${counted(crashed, "user")} crashed`);
  return `${parts.join(", ")}.`;
}

/** A stage in the form; without hours, an administrator starts the next stage. */
export interface StageDraft {
  readonly id: number;
  readonly percent: number | string;
  readonly groups: readonly string[];
  readonly hours: number | string;
}

export function stagesOf(drafts: readonly StageDraft[]): RolloutStage[] {
  return drafts.map(({ percent, groups, hours }) => ({
    percent: Number(percent) || 0,
    groups: [...groups],
    duration: hours === "" ? null : Math.round(Number(hours) * HOUR),
  }));
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
