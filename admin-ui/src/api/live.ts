/** Listens to what changes on the manager, so that lists and documents are fetched again at once. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "./context";
import { Refused } from "./errors";
import type { Session } from "./session";

/** What each event of the stream makes old; whatever changes leaves a mark in the audit too. */
export const MAKES_OLD: Readonly<Record<string, readonly string[]>> = {
  apps: ["apps", "users", "own-apps", "audit"],
  layouts: ["layouts", "users", "audit"],
  prefs: ["preferences", "audit"],
  systemConfig: ["configs", "audit"],
  commands: ["commands", "audit"],
};

const RETRY_MS = 3_000;

/** Listen while the page is in sight: a browser allows only a few open streams, and hidden pages need none. */
export function useLiveUpdates(): void {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    let listening: AbortController | null = null;
    const follow = () => {
      if (document.visibilityState === "hidden") {
        listening?.abort();
        listening = null;
      } else if (!listening) {
        listening = new AbortController();
        void listen(session, queries, listening.signal);
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      listening?.abort();
    };
  }, [session, queries]);
}

/** Not an EventSource: that could neither mark its request as the page's own nor send a token. */
async function listen(session: Session, queries: QueryClient, signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined;
  let retryMs = RETRY_MS;
  while (!signal.aborted) {
    let waitMs = retryMs;
    try {
      for await (const event of session.client.events("listenForEvents", { query: { lastEventId }, signal })) {
        retryMs = waitMs = event.retry ?? retryMs;
        lastEventId = event.id ?? lastEventId;
        for (const key of MAKES_OLD[event.type] ?? []) void queries.invalidateQueries({ queryKey: [key] });
        if (event.type === "reset") void queries.invalidateQueries();
      }
    } catch (error) {
      if (error instanceof Refused && error.retryAfter) waitMs = error.retryAfter * 1000;
    }
    await pause(waitMs, signal);
    await signedIn(session, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Wait until somebody is signed in: the stream ends with the session. */
function signedIn(session: Session, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (session.current().phase !== "in" && !signal.aborted) return;
      stop();
      resolve();
    };
    const stop = session.subscribe(look);
    signal.addEventListener("abort", look);
    look();
  });
}
