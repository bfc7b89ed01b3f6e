/** The signed-in user: detected at the start, lost when the session expires; and whether the manager responds. */

import { Client } from "./client";
import { Confirmation } from "./confirmation";
import { type Ends, NOTHING, withPassword } from "./endings";
import { isUnauthorized, Refused, Unreachable } from "./errors";
import type { Me } from "./generated/client";

export type SessionState =
  | { readonly phase: "checking" | "out"; readonly me: null }
  | { readonly phase: "in"; readonly me: Me }
  /** The session ended while a page is open: the page is kept until the same user signs in again. */
  | { readonly phase: "expired"; readonly me: Me };

const RETRY_RENEWAL_MS = 30_000;
const LEAST_RENEWAL_MS = 1_000;

/**
 * With cookies, the browser holds the session. If it does not store cookies (blocked for other sites, or disabled on
 * the server), a short-lived token is used instead. The token stays in the memory of the page only, not in storage or
 * addresses.
 */
export class Session {
  readonly client: Client;
  readonly confirmation = new Confirmation();
  private state: SessionState = { phase: "checking", me: null };
  private usesCookie: boolean;
  private token: string | null = null;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private serverHasCookie: boolean | null = null;
  private problem: string | null = null;
  private away = false;
  private isBetweenTokens = false;
  private isPasswordNew = false;
  private logIns = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly apiURL: string,
    /** If undefined, the server decides. */
    private readonly wantsCookie: boolean | undefined,
  ) {
    this.usesCookie = wantsCookie ?? true;
    this.client = new Client({
      apiURL,
      sendsCookie: () => this.usesCookie,
      authorization: () => this.token && `Bearer ${this.token}`,
      confirmation: this.confirmation.current,
      confirm: this.confirmation.request,
      logIn: () => this.logIns,
      heard: (status, logIn) => this.heard(status, logIn),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): SessionState => this.state;
  readonly isAway = (): boolean => this.away;
  /** The token of the session; null if a cookie is used. */
  readonly currentToken = (): string | null => this.token;
  /** Why the session lasts only as long as the page, although a cookie was requested. */
  readonly cookieProblem = (): string | null => this.problem;

  /** Check whether a cookie of an earlier visit is still valid. */
  async begin(): Promise<void> {
    try {
      if (this.wantsCookie === undefined) await this.agreeOnCookie();
      if (!this.usesCookie) return this.become({ phase: "out", me: null });
      const { data } = await this.client.call("readMe", {});
      this.become({ phase: "in", me: data });
    } catch {
      this.become({ phase: "out", me: null });
    }
  }

  /** Read the user again: permissions may have changed, or the session may have ended. */
  async check(): Promise<void> {
    if (this.state.phase !== "in") return;
    const { data } = await this.client.call("readMe", {});
    if (JSON.stringify(data) !== JSON.stringify(this.state.me)) this.become({ phase: "in", me: data });
  }

  /** Sign in; `isOther` is true if another user was signed in before. */
  async logIn(user: string, password: string): Promise<{ me: Me; authorization: string; isOther: boolean }> {
    const before = this.state.me;
    const authorization = basicHeader(user, password);
    this.dropToken();
    try {
      await this.agreeOnCookie();
      let me = await this.signIn(authorization);
      if (this.usesCookie && !(await this.hasCookie())) {
        this.usesCookie = false;
        this.problem = whyNoCookie(this.apiURL);
        me = await this.signIn(authorization);
      }
      this.logIns += 1;
      this.become({ phase: "in", me });
      return { me, authorization, isOther: before !== null && before.id !== me.id };
    } catch (error) {
      throw isUnauthorized(error) ? new Refused(401, "The user name or password is incorrect.") : error;
    }
  }

  /** Confirm the identity of the signed-in user, for changes that a session alone does not allow. */
  async confirmIdentity(password: string): Promise<void> {
    const { data } = await this.client.call("confirmIdentity", { body: { password } });
    this.confirmation.accept(data.confirmation, data.expiresIn);
  }

  /** Change the password of the signed-in user. This session continues, all others end. */
  async changePassword(current: string, next: string, ends: Ends = NOTHING): Promise<void> {
    // Also before the response: the sessions may end earlier than it arrives.
    this.isPasswordNew = true;
    try {
      await this.client.call("changeOwnPassword", { body: { current, new: next, ...withPassword(ends) } });
    } catch (error) {
      this.isPasswordNew = false;
      throw error;
    }
    // Requests with the old cookie or token are rejected from now on, which does not concern this session.
    this.logIns += 1;
    if (this.usesCookie || !this.state.me) return;
    this.isBetweenTokens = true;
    try {
      await this.signIn(basicHeader(this.state.me.id, next));
    } finally {
      this.isBetweenTokens = false;
      this.logIns += 1;
    }
  }

  /** Whether the page must be loaded again after a change of the password, to open a new session of the platform. */
  get needsReload(): boolean {
    return this.isPasswordNew && this.usesCookie;
  }

  async logOut(): Promise<void> {
    try {
      await this.client.call("logOut", {});
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
    }
    this.dropToken();
    this.become({ phase: "out", me: null });
  }

  /** End all sessions of the user, including this one. */
  async logOutEverywhere(ends: Ends): Promise<void> {
    await this.client.call("signOutEverywhere", { body: ends });
    this.dropToken();
    this.become({ phase: "out", me: null });
  }

  /** Decide between cookie and token: if the server has no session cookies, a token is used. */
  private async agreeOnCookie(): Promise<void> {
    if (this.wantsCookie === false || this.problem) return;
    if (this.serverHasCookie === null) {
      const { data } = await this.client.call("readSignInOptions", { omitsCookie: true });
      this.serverHasCookie = data.sessionCookie;
    }
    this.usesCookie = this.serverHasCookie;
  }

  /** Sign in with a password, or renew the current token; without cookies, the new token is stored. */
  private async signIn(authorization?: string): Promise<Me> {
    const query = this.usesCookie ? {} : { token: true };
    const { data } = await this.client.call("signIn", { query, ...(authorization ? { authorization } : {}) });
    this.dropToken();
    if (data.token) {
      this.token = data.token;
      // Without session cookies on the server, a session has no fixed end: it lasts as long as the page.
      if (data.renewable) this.renewIn(Math.max((data.expiresIn ?? 0) * 500, LEAST_RENEWAL_MS));
    }
    return data.user;
  }

  private renewIn(milliseconds: number): void {
    this.renewal = setTimeout(() => {
      this.signIn().catch((error) => {
        if (error instanceof Unreachable) this.renewIn(RETRY_RENEWAL_MS);
      });
    }, milliseconds);
  }

  private dropToken(): void {
    clearTimeout(this.renewal);
    this.token = null;
  }

  /** Whether the cookie of the sign-in is sent back. */
  private async hasCookie(): Promise<boolean> {
    try {
      await this.client.call("readMe", {});
      return true;
    } catch (error) {
      if (isUnauthorized(error)) return false;
      throw error;
    }
  }

  private heard(status: number, logIn: number): void {
    if (this.away !== (status === 0)) {
      this.away = status === 0;
      this.tell();
    }
    // A late response to a request from before the sign-in does not affect it.
    if (status === 401 && this.state.phase === "in" && logIn === this.logIns && !this.isBetweenTokens) {
      this.dropToken();
      this.become({ phase: "expired", me: this.state.me });
    }
  }

  private become(state: SessionState): void {
    if (state.phase !== "in" || state.me.id !== this.state.me?.id) this.confirmation.forget();
    this.state = state;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Explain why a browser did not store the cookie, and the consequence for the user. */
export function whyNoCookie(apiURL: string, page: string = window.location.href): string {
  const server = new URL(apiURL, page);
  let reason = "This browser blocks cookies.";
  if (server.origin !== new URL(page).origin) {
    reason =
      server.protocol === "https:"
        ? "This browser blocks cookies of other sites (third-party cookies)."
        : `Browsers accept cookies of another site only over HTTPS, and the address of the manager is ${server.origin}.`;
  }
  return `${reason} You stay signed in until you close or reload this page.`;
}

/** RFC 7617, with UTF-8. */
export function basicHeader(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
