/** How far running desktops are with a change, in one sentence. */

import type { ReceiptList } from "../../api/generated/client";

export function receiptSentence({ applied, pending }: Pick<ReceiptList, "applied" | "pending">): string {
  const all = applied + pending;
  if (all === 0) return "No running desktop is concerned.";
  const desktops = all === 1 ? "running desktop that it concerns" : "running desktops that it concerns";
  return pending === 0
    ? `In force: ${all === 1 ? "the one" : `all ${all.toLocaleString()}`} ${desktops} ${all === 1 ? "has" : "have"} it.`
    : `${applied.toLocaleString()} of ${all.toLocaleString()} ${desktops} ${applied === 1 ? "has" : "have"} it.`;
}
