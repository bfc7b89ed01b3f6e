/** Maintains the session of a page: resumes it, detects its end, and clears cached data after a sign-out. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession, useSessionState } from "../api/context";

const CHECK_EVERY_MS = 30_000;

export function useSessionChecks(): void {
  const session = useSession();
  const queries = useQueryClient();
  const user = useSessionState().me?.id;

  useEffect(() => {
    void session.begin();
  }, [session]);

  // The server does not report that a session has expired, so the page checks regularly.
  useEffect(() => {
    const check = () => void session.check().catch(() => undefined);
    const timer = setInterval(check, CHECK_EVERY_MS);
    window.addEventListener("focus", check);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", check);
    };
  }, [session]);

  // The next user must not see cached data of this one.
  useEffect(() => {
    if (!user) queries.clear();
  }, [user, queries]);
}
