/** Who is logged in: found out at the start, lost when the session expires, and whether the manager answers at all. */

import { Client } from "./client";
import { isUnauthorized, Refused } from "./errors";
import type { Me } from "./generated/client";

export type SessionState =
  | { readonly phase: "checking" | "out"; readonly me: null }
  | { readonly phase: "in"; readonly me: Me }
  /** The session ended under an open page: it stays as it is until the same user is back. */
  | { readonly phase: "expired"; readonly me: Me };

export class Session {
  readonly client: Client;
  private state: SessionState = { phase: "checking", me: null };
  private authorization: string | null = null;
  private away = false;
  private logIns = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    apiURL: string,
    private readonly useSessionCookie: boolean,
  ) {
    this.client = new Client({
      apiURL,
      useSessionCookie,
      authorization: () => this.authorization,
      logIn: () => this.logIns,
      heard: (status, logIn) => this.heard(status, logIn),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** A stream of events carries no header of its own: it needs the cookie. */
  get canListen(): boolean {
    return this.useSessionCookie;
  }

  readonly current = (): SessionState => this.state;
  readonly isAway = (): boolean => this.away;

  /** Find out whether a cookie of an earlier visit still counts. */
  async begin(): Promise<void> {
    if (!this.useSessionCookie) return this.become({ phase: "out", me: null });
    try {
      const { data } = await this.client.call("readMe", {});
      this.become({ phase: "in", me: data });
    } catch {
      this.become({ phase: "out", me: null });
    }
  }

  /** Ask again who this is: rights may have changed, the session may be over. */
  async check(): Promise<void> {
    if (this.state.phase !== "in") return;
    const { data } = await this.client.call("readMe", {});
    if (JSON.stringify(data) !== JSON.stringify(this.state.me)) this.become({ phase: "in", me: data });
  }

  /** Log in; answers whether the page before belongs to someone else now. */
  async logIn(user: string, password: string): Promise<{ me: Me; authorization: string; isOther: boolean }> {
    const before = this.state.me;
    const authorization = basicHeader(user, password);
    this.authorization = authorization;
    try {
      const { data } = await this.client.call("readMe", {});
      this.logIns += 1;
      this.become({ phase: "in", me: data });
      return { me: data, authorization, isOther: before !== null && before.id !== data.id };
    } catch (error) {
      throw isUnauthorized(error) ? new Refused(401, "The user or the password is wrong.") : error;
    } finally {
      // With cookies on, the cookie that came with the answer is enough from now on.
      if (this.useSessionCookie || this.state.phase !== "in") this.authorization = null;
    }
  }

  /** Change the password of the signed-in user. This session continues, all others end. */
  async changePassword(current: string, next: string): Promise<void> {
    await this.client.call("changeOwnPassword", { body: { current, new: next } });
    // What was asked with the old cookie or password is refused from now on, and says nothing about this session.
    this.logIns += 1;
    if (!this.useSessionCookie && this.state.me) this.authorization = basicHeader(this.state.me.id, next);
  }

  async logOut(): Promise<void> {
    try {
      await this.client.call("logOut", {});
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
    }
    this.authorization = null;
    this.become({ phase: "out", me: null });
  }

  private heard(status: number, logIn: number): void {
    if (this.away !== (status === 0)) {
      this.away = status === 0;
      this.tell();
    }
    // A late answer to what was asked before the log-in tells nothing about it.
    if (status === 401 && this.state.phase === "in" && logIn === this.logIns) {
      this.authorization = null;
      this.become({ phase: "expired", me: this.state.me });
    }
  }

  private become(state: SessionState): void {
    this.state = state;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** RFC 7617, with UTF-8. */
export function basicHeader(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
