/**
 * Connects apps that use `@interopio/browser` or `@glue42/web`: they find this page as their platform, and use the
 * gateway of the user through it.
 *
 * Every page can send messages to this one. Only windows and frames that the platform opened are answered, only if the
 * sender has the origin of the app's directory record, and only to exactly this origin.
 */

import type { AppWindow } from "../agent/app-window";
import { type OpenWindow, OpenWindows } from "./app-windows";
import { Control } from "./control";
import type { ClientHost } from "./host";
import { Peer } from "./peer";
import { Relay } from "./relay";
import type { Connect } from "./transport";

export { frameName, windowName } from "./app-windows";
export { type ClientApp, clientApps } from "./client-app";
export type * from "./host";
export { ManagerLayouts, ManagerPreferences } from "./manager-stores";
export { webSockets } from "./transport";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
const PROTOCOL = 2;

export interface ClientPlatformOptions {
  readonly connect: Connect;
  /** With what to sign in; asked for each connection, so that tokens are fresh. */
  readonly credentials: () => Promise<object>;
  readonly host: ClientHost;
  /** Identifies the platform for the apps; the same after the page was loaded again. */
  readonly id: string;
}

interface Request {
  readonly clientId: string;
  readonly windowId: string | undefined;
}

export class ClientPlatform {
  private readonly windows = new OpenWindows();
  private readonly control: Control;
  private readonly requests = new Map<OpenWindow, Request>();
  private readonly listener = (event: MessageEvent) => this.message(event);
  private peer: Peer | null = null;
  private isReady = false;
  private isStopped = false;
  private pause = FIRST_PAUSE;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ClientPlatformOptions) {
    this.control = new Control(options.host, this.windows);
    window.addEventListener("message", this.listener);
    void this.open();
  }

  /** Let the app in a window or frame connect. Call this before its page is loaded. */
  add(target: Window, app: AppWindow): void {
    this.control.added(this.windows.add(target, app));
  }

  /** End the app of a window or frame that is closed. */
  remove(target: Window): void {
    const removed = this.windows.remove(target);
    if (removed === undefined) return;
    this.requests.delete(removed);
    removed.relay?.close();
    removed.relay = null;
    this.control.removed(removed);
  }

  /** The apps of the user have changed. */
  appsChanged(): void {
    this.control.appsChanged();
  }

  /** The user has selected another theme. */
  themeChanged(): void {
    this.control.themeChanged();
  }

  /** What an app stores has changed elsewhere. */
  preferencesChanged(app: string): void {
    this.control.preferencesChanged(app);
  }

  /** Put an app on a channel that the user selected, or on none; false if it has no client library. */
  selectChannel(instanceId: string, channel: string | null): boolean {
    return this.control.selectChannel(instanceId, channel);
  }

  /** The user has clicked a notification, or one of its actions. */
  clickNotification(id: string, action?: string): void {
    this.control.clickNotification(id, action);
  }

  clearNotification(id: string): void {
    this.control.clearNotification(id);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.retry);
    window.removeEventListener("message", this.listener);
    for (const each of this.windows.all) each.relay?.restart();
    this.peer?.close();
  }

  private async open(): Promise<void> {
    try {
      const authentication = await this.options.credentials();
      if (this.isStopped) return;
      const identity = { application: "Platform", applicationName: "Platform", instance: this.options.id };
      const connection = crypto.getRandomValues(new Uint32Array(2)).join("-");
      const peer = new Peer(
        this.options.connect,
        { identity: { ...identity, connection }, authentication },
        {
          ready: () => void this.ready(peer),
          methodAdded: (method) => this.control.methodAdded(method),
          closed: () => this.interrupted(),
        },
      );
      this.peer = peer;
    } catch {
      this.interrupted();
    }
  }

  private async ready(peer: Peer): Promise<void> {
    try {
      await this.control.offer(peer);
    } catch {
      peer.close();
      return;
    }
    this.isReady = true;
    this.pause = FIRST_PAUSE;
    // Requests of apps failed at once meanwhile; now they connect again, however long it was.
    for (const each of this.windows.all) {
      each.relay?.restart();
      each.relay = null;
    }
    for (const [open, request] of [...this.requests]) void this.accept(open, request);
  }

  private interrupted(): void {
    this.isReady = false;
    this.control.withdraw();
    if (this.isStopped) return;
    this.retry = setTimeout(() => void this.open(), this.pause * (0.5 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private message(event: MessageEvent): void {
    const open = this.windows.of(event.source);
    const data = (event.data as { glue42core?: Record<string, unknown> } | null)?.glue42core;
    if (open === undefined || typeof data !== "object" || data === null) return;
    const { app } = open;
    if (event.origin !== app.origin) {
      this.options.host.refused(app, `A page of ${event.origin} is shown in the window of ${app.appId}`);
    } else if (data.type === "platformPing") {
      open.target.postMessage({ glue42core: { type: "platformReady" } }, app.origin);
    } else if (data.type === "connectionRequest" && typeof data.clientId === "string") {
      const claimed = data.selfAssignedWindowId ?? data.bridgeInstanceId;
      const windowId = typeof claimed === "string" && claimed.startsWith("g42") ? claimed : undefined;
      const request = { clientId: data.clientId, windowId };
      this.requests.set(open, request);
      if (this.isReady) void this.accept(open, request);
    } else if (data.type === "clientUnload") {
      open.relay?.close();
      open.relay = null;
    }
  }

  private async accept(open: OpenWindow, request: Request): Promise<void> {
    const authentication = await this.options.credentials().catch(() => null);
    // Meanwhile the page may have asked again, or may be gone.
    if (authentication === null || !this.isReady || this.requests.get(open) !== request) return;
    this.requests.delete(open);
    const { app } = open;
    const { clientId, windowId } = request;
    const other = windowId === undefined ? undefined : this.windows.withId(windowId);
    if (other !== undefined && other !== open) {
      const error = "The name of the window is that of another one.";
      open.target.postMessage({ glue42core: { type: "connectionRejected", clientId, error } }, app.origin);
      this.options.host.refused(app, `${error} The page of ${app.appId} has changed it`);
      return;
    }
    if (windowId !== undefined && windowId !== open.windowId) this.control.renamed(open, windowId);
    open.relay?.close();
    const { port1, port2 } = new MessageChannel();
    open.relay = this.relay(open, port1, authentication);
    const answer = {
      type: "connectionAccepted",
      port: port2,
      communicationId: this.options.id,
      isPreferredActivated: false,
      connectionProtocolVersion: PROTOCOL,
      appName: app.appId,
      clientId,
      clientType: "child",
    };
    open.target.postMessage({ glue42core: answer }, app.origin, [port2]);
  }

  private relay(open: OpenWindow, port: MessagePort, authentication: object): Relay {
    const relay: Relay = new Relay({
      app: open.app,
      windowId: open.windowId,
      port,
      connect: this.options.connect,
      authentication,
      left: () => {
        relay.close();
        if (open.relay === relay) open.relay = null;
      },
      interrupted: () => {
        // If only this connection has ended, the app connects again at once; otherwise when the platform has.
        if (this.isReady && open.relay === relay) {
          open.relay = null;
          relay.restart();
        }
      },
    });
    return relay;
  }
}
