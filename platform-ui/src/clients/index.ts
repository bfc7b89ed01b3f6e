/**
 * Connects apps that use `@interopio/browser` or `@glue42/web`: they use this page as their platform, and connect to
 * the gateway of the user through it. The messages come from `WindowMessages`, which checks the window and its origin.
 */

import type { AppWindow } from "../agent/app-window";
import type { AppPageMessage, AppProtocol } from "../agent/window-messages";
import type { WindowMessage } from "../messages";
import { type OpenWindow, OpenWindows } from "./app-windows";
import { Control } from "./control";
import type { ClientHost } from "./host";
import { Peer } from "./peer";
import { Relay } from "./relay";
import type { Connect } from "./transport";

export { type ClientApp, clientApps } from "./client-app";
export type * from "./host";
export { ManagerLayouts, ManagerPreferences } from "./manager-stores";
export { frameName, windowName } from "./page-messages";
export { webSockets } from "./transport";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
const PROTOCOL = 2;

export interface ClientPlatformOptions {
  readonly connect: Connect;
  /** The user of the page. Connections that sign in as another user are not used. */
  readonly user?: string;
  /** The credentials; requested for each connection, so that tokens are current. */
  readonly credentials: () => Promise<object>;
  readonly host: ClientHost;
  /** Identifies the page for its apps, among all pages of the user; the same after a reload. */
  readonly id: string;
}

interface Request {
  readonly clientId: string;
  readonly windowId: string | undefined;
}

export class ClientPlatform implements AppProtocol {
  private readonly windows = new OpenWindows();
  private readonly control: Control;
  private readonly requests = new Map<OpenWindow, Request>();
  private peer: Peer | null = null;
  private isReady = false;
  private isStopped = false;
  private pause = FIRST_PAUSE;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Apps in windows search the page again, which may have been reloaded by then. */
  private readonly leave = () => {
    for (const each of this.windows.all) each.relay?.restart();
  };

  constructor(private readonly options: ClientPlatformOptions) {
    this.control = new Control(options.host, this.windows);
    window.addEventListener("pagehide", this.leave);
    void this.open();
  }

  recognises({ type }: WindowMessage): boolean {
    return type !== "WCP1Hello";
  }

  added(app: AppWindow): void {
    this.control.added(this.windows.add(app));
  }

  removed(app: AppWindow): void {
    const removed = this.windows.remove(app);
    if (removed === undefined) return;
    this.requests.delete(removed);
    this.control.removed(removed);
    this.left(removed);
  }

  /** The apps of the user have changed. */
  appsChanged(): void {
    this.control.appsChanged();
  }

  /** The user has selected another theme. */
  themeChanged(): void {
    this.control.themeChanged();
  }

  /** Data of apps has changed, possibly on another machine. */
  preferencesChanged(): void {
    this.control.preferencesChanged();
  }

  /** Assign an app to the channel that the user selected, or to none; false if it has no client library. */
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
    window.removeEventListener("pagehide", this.leave);
    this.leave();
    this.peer?.close();
  }

  private async open(): Promise<void> {
    try {
      const authentication = await this.options.credentials();
      if (this.isStopped) return;
      const identity = { application: "Platform", applicationName: "Platform", instance: this.options.id };
      const connection = crypto.getRandomValues(new Uint32Array(2)).join("-");
      const { connect, user } = this.options;
      const peer = new Peer(
        connect,
        { identity: { ...identity, connection }, authentication, ...(user === undefined ? {} : { user }) },
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
    // In the meantime, requests of apps failed immediately; now they connect again.
    for (const each of this.windows.all) {
      each.relay?.restart();
      this.left(each);
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

  receive({ app, source, data: message }: AppPageMessage): void {
    const open = this.windows.of(app);
    if (open === undefined) return;
    open.page = source;
    if (message.type === "platformPing") open.answer({ type: "platformReady" });
    else if (message.type === "connectionRequest") {
      const claimed = message.selfAssignedWindowId ?? message.bridgeInstanceId;
      const windowId = typeof claimed === "string" && claimed.startsWith("g42") ? claimed : undefined;
      const request = { clientId: message.clientId, windowId };
      this.requests.set(open, request);
      if (this.isReady) void this.accept(open, request);
    } else if (message.type === "clientUnload") this.left(open);
  }

  private async accept(open: OpenWindow, request: Request): Promise<void> {
    const authentication = await this.options.credentials().catch(() => null);
    // In the meantime, the page may have sent another request, or may have been closed.
    if (authentication === null || !this.isReady || this.requests.get(open) !== request) return;
    this.requests.delete(open);
    const { app } = open;
    const { clientId, windowId } = request;
    const other = windowId === undefined ? undefined : this.windows.withId(windowId);
    if (other !== undefined && other !== open) {
      const error = "The window has the name of another window.";
      open.answer({ type: "connectionRejected", clientId, error });
      this.options.host.refused(app, `${error} The page of ${app.appId} has changed the name`);
      return;
    }
    if (windowId !== undefined && windowId !== open.windowId) this.control.renamed(open, windowId);
    this.left(open);
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
    open.answer(answer, [port2]);
  }

  /** The page of an app was closed, or connects again. */
  private left(open: OpenWindow): void {
    const { relay } = open;
    open.relay = null;
    relay?.close();
    if (relay) this.options.host.disconnected(open.app.instanceId);
  }

  private relay(open: OpenWindow, port: MessagePort, authentication: object): Relay {
    const relay: Relay = new Relay({
      app: open.app,
      windowId: open.windowId,
      port,
      connect: this.options.connect,
      authentication,
      user: this.options.user,
      left: () => {
        if (open.relay === relay) this.left(open);
        else relay.close();
      },
      interrupted: () => {
        // If only this connection has ended, the app reconnects immediately; otherwise after the platform has
        // reconnected.
        if (this.isReady && open.relay === relay) {
          open.relay = null;
          relay.restart();
          this.options.host.disconnected(open.app.instanceId);
        }
      },
    });
    return relay;
  }
}
