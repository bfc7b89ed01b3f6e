/** Keeps the page up to date: by events, by polling while there are none, and with receipts for administrators. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useSession } from "../../../admin-ui/src/api/context";
import { Refused } from "../../../admin-ui/src/api/errors";
import { listenWhileVisible } from "../../../admin-ui/src/api/live";
import { ClientSession, type Kind } from "./client-session";

const POLL_MS = 60_000;

/** The queries that each event invalidates. The page uses no system configuration, so its changes count as applied. */
const QUERIES: Readonly<Record<Kind, string | null>> = {
  apps: "apps",
  layouts: "layouts",
  prefs: "prefs",
  systemConfig: null,
};
const isKind = (type: string): type is Kind => type in QUERIES;

/** Open a session while the page is shown; return its ID. */
export function usePlatformSession(
  version: string,
  onEnded: () => void,
  onChange: (kind: Kind) => void,
): string | null {
  const session = useSession();
  const queries = useQueryClient();
  const ended = useEffectEvent(onEnded);
  const changed = useEffectEvent(onChange);
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    let isListening = false;
    let isOver = false;
    let stop: () => void = () => undefined;
    const connection = new ClientSession(session.client, version, () => ended());

    const refetch = async (kind: Kind, revision: number) => {
      const key = QUERIES[kind];
      changed(kind);
      if (key) await queries.invalidateQueries({ queryKey: [key] });
      if (!key || queries.getQueryState([key])?.status !== "error") connection.applied(kind, revision);
    };
    const listen = () => {
      if (isOver) return;
      setId(connection.id);
      stop = listenWhileVisible(session, {
        ...(connection.id ? { clientSession: connection.id } : {}),
        onEvent: ({ type, data }) => {
          isListening = true;
          if (type === "reset") connection.forgetReceipts();
          // Changes between the first fetch and the start of the stream were not reported.
          const kinds =
            type === "ready" || type === "reset" ? Object.keys(QUERIES).filter(isKind) : [type].filter(isKind);
          for (const kind of kinds) void refetch(kind, revisionIn(data));
        },
        onEnd: (error) => {
          isListening = false;
          // The stream of an ended session is rejected: check whether the session was ended.
          if (error instanceof Refused) connection.check();
        },
      });
    };
    // The page also works without a session, but administrators do not see it.
    void connection
      .open()
      .catch(() => undefined)
      .then(listen);

    const poll = setInterval(() => {
      if (!isListening) void queries.invalidateQueries();
    }, POLL_MS);
    const leave = () => connection.close();
    window.addEventListener("pagehide", leave);
    return () => {
      isOver = true;
      clearInterval(poll);
      window.removeEventListener("pagehide", leave);
      stop();
      connection.close();
    };
  }, [session, queries, version]);
  return id;
}

function revisionIn(data: string): number {
  try {
    const revision = (JSON.parse(data) as { revision?: unknown }).revision;
    return typeof revision === "number" ? revision : 0;
  } catch {
    return 0;
  }
}
