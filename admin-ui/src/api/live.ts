/** Listens to changes on the manager, so that lists and documents are refreshed immediately. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "./context";
import { Refused } from "./errors";
import type { ServerEvent } from "./events";
import type { Session } from "./session";

/** The queries that each event invalidates; every change also adds an audit entry. */
export const MAKES_OLD: Readonly<Record<string, readonly string[]>> = {
  apps: ["apps", "users", "own-apps", "audit"],
  layouts: ["layouts", "users", "audit"],
  prefs: ["preferences", "audit"],
  systemConfig: ["configs", "audit"],
  commands: ["commands", "audit"],
};

const RETRY_MS = 3_000;
/** The least time between two refreshes: while a command run lasts, thousands of desktops answer within seconds. */
const REFRESH_MS = 500;
/** A refresh that takes longer than this no longer delays the next one. */
const LONGEST_REFRESH_MS = 5_000;

export interface Listening {
  /** The client session whose commands are observed, if any. */
  readonly clientSession?: string;
  /** The position at which an interrupted stream continues. */
  lastEventId?: string | undefined;
  onEvent(event: ServerEvent): void;
  /** The stream has ended, with an error if there was one. */
  onEnd?(error: unknown): void;
}

/** Listen while the page is visible: a browser allows only a few open streams, and hidden pages need none. */
export function listenWhileVisible(session: Session, listening: Listening): () => void {
  let stream: AbortController | null = null;
  const follow = () => {
    if (document.visibilityState === "hidden") {
      stream?.abort();
      stream = null;
    } else if (!stream) {
      stream = new AbortController();
      void listen(session, listening, stream.signal);
    }
  };
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    stream?.abort();
  };
}

export function useLiveUpdates(): void {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = refresher((keys) => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] }))));
    return listenWhileVisible(session, {
      onEvent: ({ type }) => {
        refresh(MAKES_OLD[type] ?? []);
        if (type === "reset") void queries.invalidateQueries();
      },
    });
  }, [session, queries]);
}

/**
 * Refresh immediately after an event. While a refresh lasts, later events are collected for the next one: otherwise each
 * event would cancel the requests of the previous one and send them again.
 */
export function refresher(refresh: (keys: readonly string[]) => Promise<unknown>): (keys: readonly string[]) => void {
  const old = new Set<string>();
  let isBusy = false;
  const run = async () => {
    isBusy = true;
    while (old.size > 0) {
      const keys = [...old];
      old.clear();
      await Promise.all([pause(REFRESH_MS), Promise.race([refresh(keys), pause(LONGEST_REFRESH_MS)])]);
    }
    isBusy = false;
  };
  return (keys) => {
    for (const key of keys) old.add(key);
    if (!isBusy && old.size > 0) void run();
  };
}

/** Not an EventSource, which can neither mark its request as the page's own nor send a token. */
async function listen(session: Session, listening: Listening, signal: AbortSignal): Promise<void> {
  let retryMs = RETRY_MS;
  while (!signal.aborted) {
    let waitMs = retryMs;
    let problem: unknown;
    const query = { lastEventId: listening.lastEventId, session: listening.clientSession };
    try {
      for await (const event of session.client.events("listenForEvents", { query, signal })) {
        retryMs = waitMs = event.retry ?? retryMs;
        listening.lastEventId = event.id ?? listening.lastEventId;
        listening.onEvent(event);
      }
    } catch (error) {
      problem = error;
      if (error instanceof Refused && error.retryAfter) waitMs = error.retryAfter * 1000;
    }
    listening.onEnd?.(problem);
    await pause(waitMs, signal);
    await signedIn(session, signal);
  }
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Wait until a user is signed in: the stream ends with the session. */
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
