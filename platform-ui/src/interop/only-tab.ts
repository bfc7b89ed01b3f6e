/**
 * Browsers copy the session storage of a duplicated tab. The copy must not claim the identities of the apps that run in
 * the first tab, so each tab holds a lock with its name while it is open.
 */

import { newId } from "../workspace/new-id";

const TAB = "rostrum-tab";
/** After a reload, the earlier page may still hold its lock briefly. */
const LONGEST_WAIT_MS = 1_500;

export interface Tab {
  /** Identifies the tab; the same after a reload. */
  readonly id: string;
  /** Whether no other open tab has the session storage of this one. */
  readonly isOnly: boolean;
}

let found: Promise<Tab> | undefined;

/** Identify this tab. */
export function thisTab(): Promise<Tab> {
  found ??= find();
  return found;
}

async function find(): Promise<Tab> {
  const known = sessionStorage.getItem(TAB) ?? newId();
  // Without HTTPS there are no locks; duplicated tabs share identities there.
  if (!("locks" in navigator) || (await hold(known))) {
    sessionStorage.setItem(TAB, known);
    return { id: known, isOnly: true };
  }
  const other = newId();
  sessionStorage.setItem(TAB, other);
  await hold(other);
  return { id: other, isOnly: false };
}

function hold(tab: string): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const held = navigator.locks.request(`${TAB}-${tab}`, { signal }, () => {
      resolve(true);
      // The lock is held until the page is closed.
      return new Promise<void>(() => undefined);
    });
    held.catch(() => resolve(false));
  });
}
