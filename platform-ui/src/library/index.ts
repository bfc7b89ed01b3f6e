/**
 * The npm package `@rostrum/browser-platform`: a custom main page signs in to the manager and uses its apps and
 * layouts.
 */

import { found, type WebApp, webApps } from "../apps/apps";
import { type BrowserPlatformConfig, settingsOf } from "./config";
import { Manager, ManagerError } from "./manager";

export type { Place, WebApp } from "../apps/apps";
export type { BrowserPlatformConfig } from "./config";
export { ManagerError } from "./manager";

export type Topic = "apps" | "layouts" | "prefs" | "offline" | "online" | "ended";
export type Layout = Record<string, unknown> & { name: string; type: string };

export interface BrowserPlatform {
  /** The signed-in user. */
  readonly user: string;
  /** The apps of the user that run in a browser, as of the last fetch. */
  readonly apps: readonly WebApp[];
  /** Find apps by words of their title, name, description and keywords. */
  find(words: string): WebApp[];
  /** Open an app in a window or tab of the browser, depending on its definition; null if the browser blocked it. */
  open(name: string): Window | null;
  layouts(): Promise<Layout[]>;
  saveLayout(layout: Layout): Promise<void>;
  /** Data that an app stored for the user. */
  preferences(app: string): Promise<unknown>;
  savePreferences(app: string, data: unknown): Promise<void>;
  /** Subscribe to changes; returns the function that unsubscribes. */
  on(topic: Topic, listener: () => void): () => void;
  /** End the session. The object cannot be used afterwards. */
  stop(): Promise<void>;
}

const RETRY_MS = 3_000;

/** Sign in to the manager, open a session there and fetch the user's apps. */
export async function browserPlatform(config: BrowserPlatformConfig): Promise<BrowserPlatform> {
  const settings = settingsOf(config);
  const manager = new Manager(settings);
  const session = await manager.openSession();
  const platform = new Platform(manager, session.id, session.user, settings.fetchIntervalMS);
  await platform.begin(settings.tokenRefreshIntervalMS);
  return platform;
}

class Platform implements BrowserPlatform {
  apps: readonly WebApp[] = [];
  private readonly listeners = new Map<Topic, Set<() => void>>();
  private readonly ending = new AbortController();
  private isListening = false;
  private isOffline = false;
  private poll: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly manager: Manager,
    private readonly session: string,
    readonly user: string,
    private readonly fetchMS: number,
  ) {}

  async begin(refreshMS: number): Promise<void> {
    await this.fetchApps();
    void this.listen();
    this.pollLater();
    const refresh = setInterval(() => void this.guarded(() => this.manager.refreshToken()), refreshMS);
    const beat = setInterval(() => void this.guarded(() => this.touch()), 60_000);
    const leave = () => void this.manager.closeSession(this.session).catch(() => undefined);
    window.addEventListener("pagehide", leave);
    this.ending.signal.addEventListener("abort", () => {
      clearInterval(refresh);
      clearInterval(beat);
      clearTimeout(this.poll);
      window.removeEventListener("pagehide", leave);
    });
  }

  find(words: string): WebApp[] {
    return found(this.apps, words);
  }

  open(name: string): Window | null {
    const app = this.apps.find((each) => each.name === name);
    if (!app) throw new Error(`You do not have an app "${name}" that runs in a browser.`);
    const size = `popup,width=${app.width ?? 960},height=${app.height ?? 640}`;
    return window.open(app.url, "_blank", app.place === "tab" ? "" : size);
  }

  async layouts(): Promise<Layout[]> {
    return ((await this.manager.call("GET", "/layouts")) as { layouts: Layout[] }).layouts;
  }

  async saveLayout(layout: Layout): Promise<void> {
    await this.manager.call("POST", "/layouts", { layout });
  }

  async preferences(app: string): Promise<unknown> {
    const answer = await this.manager.call("GET", `/prefs?app=${encodeURIComponent(app)}`);
    const first = Array.isArray(answer) ? answer[0] : answer;
    return (first as { data?: unknown } | undefined)?.data;
  }

  async savePreferences(app: string, data: unknown): Promise<void> {
    await this.manager.call("POST", "/prefs", { app, data });
  }

  on(topic: Topic, listener: () => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  async stop(): Promise<void> {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    await this.manager.closeSession(this.session);
  }

  private async fetchApps(): Promise<void> {
    const { applications } = (await this.manager.call("GET", "/v2/apps")) as {
      applications: Record<string, unknown>[];
    };
    const apps = webApps(applications);
    const isNew = JSON.stringify(apps) !== JSON.stringify(this.apps);
    this.apps = apps;
    if (isNew) this.tell("apps");
  }

  private async touch(): Promise<void> {
    await this.manager.call("PATCH", `/sessions/${encodeURIComponent(this.session)}`, {});
  }

  /** Poll for changes while there are no events; each response starts the next interval. */
  private pollLater(): void {
    this.poll = setTimeout(async () => {
      if (!this.isListening) await this.guarded(() => this.fetchApps());
      if (!this.ending.signal.aborted) this.pollLater();
    }, this.fetchMS);
  }

  private async listen(): Promise<void> {
    const { signal } = this.ending;
    let lastEventId: string | undefined;
    let retryMS = RETRY_MS;
    while (!signal.aborted) {
      await this.guarded(async () => {
        for await (const event of this.manager.events(lastEventId, signal)) {
          this.isListening = true;
          this.online();
          lastEventId = event.id ?? lastEventId;
          retryMS = event.retry ?? retryMS;
          if (event.type === "apps" || event.type === "reset") await this.fetchApps();
          if (event.type === "layouts" || event.type === "prefs") this.tell(event.type);
        }
      });
      this.isListening = false;
      await new Promise((resolve) => setTimeout(resolve, retryMS));
    }
  }

  /** Send a request that may fail: notify the page if the manager is not available or the session has ended. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.online();
    } catch (error) {
      if (this.ending.signal.aborted || !(error instanceof ManagerError)) return;
      if ([401, 404, 409].includes(error.status)) {
        this.ending.abort();
        this.tell("ended");
      } else if (error.status === 0 && !this.isOffline) {
        this.isOffline = true;
        this.tell("offline");
      }
    }
  }

  private online(): void {
    if (!this.isOffline) return;
    this.isOffline = false;
    this.tell("online");
  }

  private tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }
}
