/** The number of connected desktops that have applied a change, in one sentence. */

import type { ReceiptList } from "../../api/generated/client";

export function receiptSentence({ applied, pending }: Pick<ReceiptList, "applied" | "pending">): string {
  const all = applied + pending;
  if (all === 0) return "No connected desktop is affected.";
  const desktops = all === 1 ? "connected desktop" : "connected desktops";
  if (pending > 0) return `Applied on ${applied.toLocaleString()} of ${all.toLocaleString()} ${desktops}.`;
  return `Applied on ${all === 1 ? "the only" : `all ${all.toLocaleString()}`} affected ${desktops}.`;
}
