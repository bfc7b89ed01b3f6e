/** Provides the session, the client and the caller's permissions to all pages. */

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Client } from "./client";
import type { Me } from "./generated/client";
import type { Session, SessionState } from "./session";

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("used outside of AdminUI");
  return session;
}

export function useClient(): Client {
  return useSession().client;
}

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.current);
}

export function useIsAway(): boolean {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.isAway);
}

/** Why the session lasts only as long as the page, if it does. */
export function useCookieProblem(): string | null {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.cookieProblem);
}

/** The caller; pages are only rendered if there is one. */
export function useMe(): Me {
  const { me } = useSessionState();
  if (!me) throw new Error("no user is signed in");
  return me;
}

export type Resource =
  | "APPS"
  | "AUDITS"
  | "COMMANDS"
  | "CRASHES"
  | "FEEDBACKS"
  | "GROUPS"
  | "LAYOUTS"
  | "MACHINES"
  | "PREFERENCES"
  | "SESSIONS"
  | "SYSTEM_CONFIGS"
  | "USERS";

export function may(me: Me, resource: Resource, right: "READ" | "WRITE"): boolean {
  return me.permissions.includes(`PLATFORM_MANAGER:${resource}:${right}`);
}

/** Whether this is a full administrator. */
export function mayEverything(me: Me): boolean {
  return me.groups.includes("PLATFORM_SERVER_ADMIN");
}

export function useMay(resource: Resource, right: "READ" | "WRITE"): boolean {
  return may(useMe(), resource, right);
}
