/** The effect of a change in one sentence. */

import type { PreviewView } from "../../api/generated/client";

export function effectSentence(preview: PreviewView): string {
  const whom =
    preview.affected === 0
      ? "Touches nobody"
      : `Touches ${preview.affected.toLocaleString()} of ${people(preview.users)}`;
  const failed = failing(preview);
  const warned = most(preview, (severity) => severity !== "error");
  const notes = [
    failed > 0 && `${failed === 1 ? "1 result" : `${failed.toLocaleString()} results`} would fail the catalogue`,
    failed === 0 && warned > 0 && `the catalogue would warn of ${warned === 1 ? "1 result" : `${warned} results`}`,
    preview.problems.length === 0 && preview.solved.length > 0 && "and mends what the catalogue says now",
  ].filter((note) => note !== false);
  return `${[whom, ...notes].join("; ")}.`;
}

/** For how many users, at least, what they get would be wrong. */
export function failing(preview: PreviewView): number {
  return most(preview, (severity) => severity === "error");
}

/** Whether there is nothing to look at. */
export function isHarmless(preview: PreviewView): boolean {
  return preview.affected === 0 && preview.problems.length === 0;
}

function most(preview: PreviewView, counts: (severity: string) => boolean): number {
  return Math.max(0, ...preview.problems.filter(({ severity }) => counts(severity)).map(({ count }) => count));
}

export function people(count: number): string {
  return count === 1 ? "1 user" : `${count.toLocaleString()} users`;
}
