/** The FDC3 agent of the user, as the page of the platform uses it: apps connect here, one WebSocket carries them all. */

import { AppConnection } from "./app-connection";
import type { AppWindow } from "./app-window";
import { type AgentEvent, type AppIntent, type Credentials, GatewaySocket, type UserChannel } from "./gateway-socket";
import { WebConnections } from "./wcp";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
const CLOSED_INTERVAL = 500;

export interface Choice {
  readonly intent: string;
  readonly appId: string;
  readonly instanceId?: string;
}

/** An app cannot be opened, by one of the names that FDC3 has for the reason. */
export class OpenError extends Error {
  constructor(readonly error: "AppNotFound" | "ErrorOnLaunch" | "AppTimeout" | "ResolverUnavailable") {
    super(error);
  }
}

/** What the page does for the agent. */
export interface AgentHost {
  /** Open an app, and call `Agent.add` with its window before its page is loaded. Return the id of the instance. */
  open(request: { readonly appId: string; readonly instanceId: string; readonly source: string }): Promise<string>;
  /** Let the user choose who handles an intent; undefined if the user cancels. */
  choose(request: {
    readonly source: string;
    readonly appIntents: readonly AppIntent[];
    readonly context: unknown;
  }): Promise<Choice | undefined>;
  /** Show the channel that an instance is on. */
  channelChanged(instanceId: string, channelId: string | null): void;
  /** Show the channels that users can select. */
  channels(channels: readonly UserChannel[]): void;
  /** Show whether the agent can be reached; the text is the reason if not. */
  status(isConnected: boolean, reason: string): void;
  /** An app was not connected, or its connection has ended: show the reason. */
  refused(app: AppWindow, reason: string): void;
}

export interface AgentOptions {
  /** Address of the gateway, such as wss://manager.example.com/gw. */
  readonly url: string;
  /** With what to sign in; asked for each connection, so that tokens are fresh. */
  readonly credentials: () => Promise<Credentials>;
  readonly host: AgentHost;
}

export class Agent {
  private readonly connections = new Map<string, AppConnection>();
  private readonly web: WebConnections;
  private readonly watch: ReturnType<typeof setInterval>;
  private socket: GatewaySocket | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private isLinked = false;
  private isStopped = false;
  private pause = FIRST_PAUSE;

  constructor(private readonly options: AgentOptions) {
    this.web = new WebConnections({
      connected: (app, port) => this.connected(app, port),
      refused: (app, reason) => options.host.refused(app, reason),
    });
    this.watch = setInterval(() => {
      for (const each of this.web.closed()) this.remove(each);
    }, CLOSED_INTERVAL);
    void this.open();
  }

  private readonly windows = new Map<Window, AppWindow>();

  /** Let the app in a window or frame connect. Call this before its page is loaded. */
  add(target: Window, app: AppWindow): void {
    this.windows.set(target, app);
    this.web.add(target, app);
  }

  /** End the app of a window or frame that is closed. */
  remove(target: Window): void {
    const app = this.windows.get(target);
    this.windows.delete(target);
    this.web.remove(target);
    if (app !== undefined) this.disconnect(app);
  }

  /** Put an instance on a channel that the user selected, or on none. */
  selectChannel(instanceId: string, channelId: string | null): void {
    this.send({ kind: "SelectChannel", instanceId, channelId });
  }

  /** Stop. Apps that still run keep their identity and their listeners for a while. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.watch);
    clearTimeout(this.retry);
    this.web.stop();
    this.socket?.close();
  }

  private async open(): Promise<void> {
    try {
      const credentials = await this.options.credentials();
      if (this.isStopped) return;
      this.socket = new GatewaySocket(this.options.url, credentials, {
        event: (event) => this.event(event),
        closed: (reason) => this.interrupted(reason),
      });
    } catch (error) {
      this.interrupted(error instanceof Error ? error.message : String(error));
    }
  }

  private interrupted(reason: string): void {
    this.isLinked = false;
    for (const each of this.connections.values()) each.interrupted();
    if (this.isStopped) return;
    this.options.host.status(false, reason);
    this.retry = setTimeout(() => void this.open(), this.pause * (0.5 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private event(event: AgentEvent): void {
    switch (event.kind) {
      case "message":
        this.connections.get(event.connection)?.deliver(event.payload);
        break;
      case "linked":
        this.isLinked = true;
        this.pause = FIRST_PAUSE;
        this.options.host.channels(event.channels);
        for (const each of this.connections.values()) each.connect();
        this.options.host.status(true, "");
        break;
      case "unavailable":
        this.socket?.close(event.reason);
        break;
      case "channels":
        this.options.host.channels(event.channels);
        break;
      case "channelChanged":
        this.options.host.channelChanged(event.instanceId, event.channelId);
        break;
      case "resumed":
        this.connections.get(event.connection)?.resumed();
        break;
      case "close":
        this.closed(event.connection, event.reason);
        break;
      case "open":
        void this.openApp(event);
        break;
      case "choose":
        void this.choose(event);
        break;
    }
  }

  private async openApp(event: Extract<AgentEvent, { kind: "open" }>): Promise<void> {
    const { request, appId, source } = event;
    try {
      const instanceId = await this.options.host.open({ appId, instanceId: event.instanceId, source });
      this.send({ kind: "Opened", request, instanceId });
    } catch (error) {
      this.send({ kind: "OpenFailed", request, error: error instanceof OpenError ? error.error : "ErrorOnLaunch" });
    }
  }

  private async choose(event: Extract<AgentEvent, { kind: "choose" }>): Promise<void> {
    const { request, source, appIntents, context } = event;
    try {
      const choice = await this.options.host.choose({ source, appIntents, context });
      this.send(choice === undefined ? { kind: "ChoiceCancelled", request } : { kind: "Chosen", request, ...choice });
    } catch {
      this.send({ kind: "ChoiceUnavailable", request });
    }
  }

  private connected(app: AppWindow, port: MessagePort): void {
    // The page was loaded again: what was there before is gone.
    this.disconnect(app);
    const connection = new AppConnection(crypto.randomUUID(), app, port, { send: (message) => this.send(message) });
    this.connections.set(connection.id, connection);
    if (this.isLinked) connection.connect();
  }

  private disconnect(app: AppWindow): void {
    for (const [id, connection] of this.connections) {
      if (connection.app !== app) continue;
      this.connections.delete(id);
      connection.close();
      this.send({ kind: "Disconnect", connection: id });
    }
  }

  private closed(id: string, reason: string): void {
    const connection = this.connections.get(id);
    if (connection === undefined) return;
    this.connections.delete(id);
    connection.close();
    this.options.host.refused(connection.app, reason);
  }

  private send(message: object): boolean {
    if (!this.isLinked || this.socket === undefined) return false;
    this.socket.send(message);
    return true;
  }
}
