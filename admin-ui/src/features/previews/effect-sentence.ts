/** The effect of a change in one sentence. */

import type { PreviewView } from "../../api/generated/client";

export function effectSentence(preview: PreviewView): string {
  const whom =
    preview.affected === 0
      ? "Affects no users."
      : `Affects ${preview.affected.toLocaleString()} of ${people(preview.users)}.`;
  const failed = failing(preview);
  const warned = most(preview, (severity) => severity !== "error");
  const notes = [
    failed > 0 && `The resulting settings would be invalid for ${people(failed)}.`,
    failed === 0 && warned > 0 && `The resulting settings would have warnings for ${people(warned)}.`,
    preview.problems.length === 0 && preview.solved.length > 0 && "Resolves existing validation problems.",
  ].filter((note) => note !== false);
  return [whom, ...notes].join(" ");
}

/** The minimum number of users whose resulting settings would be invalid. */
export function failing(preview: PreviewView): number {
  return most(preview, (severity) => severity === "error");
}

/** Whether the change affects no users and causes no problems. */
export function isHarmless(preview: PreviewView): boolean {
  return preview.affected === 0 && preview.problems.length === 0;
}

function most(preview: PreviewView, counts: (severity: string) => boolean): number {
  return Math.max(0, ...preview.problems.filter(({ severity }) => counts(severity)).map(({ count }) => count));
}

export function people(count: number): string {
  return count === 1 ? "1 user" : `${count.toLocaleString()} users`;
}
