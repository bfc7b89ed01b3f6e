/** How far running desktops are with a change, in one sentence. */

import type { ReceiptList } from "../../api/generated/client";

export function receiptSentence({ applied, pending }: Pick<ReceiptList, "applied" | "pending">): string {
  const all = applied + pending;
  if (all === 0) return "No running desktop is concerned.";
  const desktops = all === 1 ? "running desktop" : "running desktops";
  if (pending > 0) return `In force on ${applied.toLocaleString()} of ${all.toLocaleString()} ${desktops}.`;
  return `In force on ${all === 1 ? "the one" : `all ${all.toLocaleString()}`} ${desktops} that it concerns.`;
}
