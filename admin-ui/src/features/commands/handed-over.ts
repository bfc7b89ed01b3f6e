/** Sessions selected in their list, for the page that sends a command to them. */

import type { QueryClient } from "@tanstack/react-query";
import type { SessionView } from "../../api/generated/client";

const KEY = ["sessions", "handed-over"];

export interface HandedOver {
  readonly connected: readonly SessionView[];
  /** Sessions that have ended or are offline: they cannot receive a command. */
  readonly left: number;
}

export function handOver(queries: QueryClient, sessions: readonly SessionView[]): void {
  const connected = sessions.filter((session) => session.active);
  queries.setQueryData<HandedOver>(KEY, { connected, left: sessions.length - connected.length });
}

/** Read the passed selection, which is valid for one visit of the page. */
export function takeOver(queries: QueryClient): HandedOver | null {
  const found = queries.getQueryData<HandedOver>(KEY) ?? null;
  queries.removeQueries({ queryKey: KEY, exact: true });
  return found;
}
