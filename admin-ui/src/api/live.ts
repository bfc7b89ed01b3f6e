/** Listens to what changes on the manager, so that lists and documents are fetched again at once. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "./context";
import type { Session } from "./session";

/** What each event of the stream makes old; whatever changes leaves a mark in the audit too. */
export const MAKES_OLD: Readonly<Record<string, readonly string[]>> = {
  apps: ["apps", "users", "own-apps", "audit"],
  layouts: ["layouts", "users", "audit"],
  prefs: ["preferences", "audit"],
  systemConfig: ["configs", "audit"],
  commands: ["commands", "audit"],
};

/** Listen while the page is in sight: a browser allows only a few open streams, and hidden pages need none. */
export function useLiveUpdates(): void {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    if (!session.canListen) return;
    let stop: (() => void) | null = null;
    const follow = () => {
      if (document.visibilityState === "hidden") {
        stop?.();
        stop = null;
      } else if (!stop) {
        stop = listen(session, queries);
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop?.();
    };
  }, [session, queries]);
}

function listen(session: Session, queries: QueryClient): () => void {
  const stream = new EventSource(session.client.address("listenForEvents"), { withCredentials: true });
  for (const [event, keys] of Object.entries(MAKES_OLD)) {
    stream.addEventListener(event, () => {
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    });
  }
  stream.addEventListener("reset", () => void queries.invalidateQueries());
  // The stream ends with the session; the browser tries again by itself when only the connection was lost.
  stream.addEventListener("error", () => void session.check().catch(() => undefined));
  return () => stream.close();
}
