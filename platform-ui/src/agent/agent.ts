/** The FDC3 agent of the user for the platform page: apps connect here, and share one WebSocket. */

import { parseToPage } from "../messages";
import type { AppIntent, UserChannel } from "./agent-events";
import type { AppWindow } from "./app-window";
import type { Credentials } from "./gateway-socket";
import { Hub } from "./hub";
import type { Question, ToHub, ToPage } from "./hub-messages";
import { WebConnections } from "./wcp";
import { type AppProtocol, WindowMessages } from "./window-messages";

const CLOSED_INTERVAL = 500;

export interface Choice {
  readonly intent: string;
  readonly appId: string;
  readonly instanceId?: string;
}

/** An app cannot be opened, with one of the FDC3 error names. */
export class OpenError extends Error {
  constructor(
    readonly error: "AppNotFound" | "ErrorOnLaunch" | "AppTimeout" | "ResolverUnavailable",
    text: string = error,
  ) {
    super(text);
  }
}

/** Functions of the page that the agent uses. */
export interface AgentHost {
  /** Open an app, and call `Agent.add` with its window before its page is loaded. Return the id of the instance. */
  open(request: { readonly appId: string; readonly instanceId: string; readonly source: string }): Promise<string>;
  /** Let the user choose the handler of an intent; undefined if the user cancels. The signal aborts the choice. */
  choose(request: {
    readonly source: string;
    readonly appIntents: readonly AppIntent[];
    readonly context: unknown;
    readonly signal: AbortSignal;
  }): Promise<Choice | undefined>;
  /** An app has connected as an instance, which is on this channel. */
  started?(instanceId: string, channelId: string | null): void;
  /** The app of an instance has disconnected. */
  ended?(instanceId: string): void;
  /** Show the channel of an instance. */
  channelChanged(instanceId: string, channelId: string | null): void;
  /** Show the available channels. */
  channels(channels: readonly UserChannel[]): void;
  /** Show whether the agent is available; the text is the reason if not. */
  status(isConnected: boolean, reason: string): void;
  /** An app was not connected, or its connection has ended: show the reason. */
  refused(app: AppWindow, reason: string): void;
}

export interface AgentOptions {
  /** Address of the gateway, such as wss://manager.example.com/gw. */
  readonly url: string;
  /** The user of the page. Connections that sign in as another user are not used. */
  readonly user?: string;
  /** The credentials; requested for each connection, so that tokens are current. */
  readonly credentials: () => Promise<Credentials>;
  readonly host: AgentHost;
  /** Starts the hub that the pages of this browser share. Without it, or if that fails, the page has its own. */
  readonly worker?: () => SharedWorker;
  /** Further protocols with which apps connect, in addition to that of FDC3. */
  readonly protocols?: readonly AppProtocol[];
  /** Call `Agent.add` for this window if the platform opened it before the page was reloaded. */
  readonly recall?: (source: Window, origin: string) => void;
}

export class Agent {
  private readonly messages: WindowMessages;
  private readonly watch: ReturnType<typeof setInterval>;
  private readonly choices = new Map<string, AbortController>();
  private readonly leave = () => {
    this.ownHub?.flush();
    this.send({ kind: "leave" });
  };
  private ownHub: Hub | undefined;
  private port: MessagePort | undefined;
  /** Ports of apps must not be sent to a worker that does not start, so they wait for its first message. */
  private waiting: [ToHub, Transferable[]][] | undefined = [];

  constructor(private readonly options: AgentOptions) {
    const wcp = new WebConnections((app, port) => this.send({ kind: "app", app }, [port]));
    this.messages = new WindowMessages(
      [wcp, ...(options.protocols ?? [])],
      (app, reason) => options.host.refused(app, reason),
      options.recall,
    );
    this.watch = setInterval(() => {
      for (const each of this.messages.closed()) this.remove(each);
    }, CLOSED_INTERVAL);
    window.addEventListener("pagehide", this.leave);
    this.reachHub();
  }

  /** Allow the app in a window or frame to connect. Call this before its page is loaded. */
  add(target: Window | HTMLIFrameElement, app: AppWindow): void {
    this.messages.add(target, app);
  }

  /** End the app of a window or frame that is closed. */
  remove(target: Window | HTMLIFrameElement): void {
    const app = this.messages.remove(target);
    if (app !== undefined) this.send({ kind: "gone", place: app.place });
  }

  /** Assign an instance to the channel that the user selected, or to none. */
  selectChannel(instanceId: string, channelId: string | null): void {
    this.send({ kind: "selectChannel", instanceId, channelId });
  }

  /** Stop. Running apps keep their identity and their listeners for a while. */
  stop(): void {
    clearInterval(this.watch);
    window.removeEventListener("pagehide", this.leave);
    this.messages.stop();
    this.leave();
    this.ownHub?.stop();
    if (this.port) this.port.onmessage = null;
    for (const each of this.choices.values()) each.abort();
  }

  private reachHub(): void {
    try {
      const worker = this.options.worker?.();
      if (worker === undefined) {
        this.useOwnHub();
        return;
      }
      // The script could not be loaded or started.
      worker.addEventListener("error", () => {
        if (this.waiting !== undefined) this.useOwnHub();
      });
      this.use(worker.port);
    } catch {
      this.useOwnHub();
    }
  }

  private useOwnHub(): void {
    const { port1, port2 } = new MessageChannel();
    this.ownHub = new Hub();
    this.ownHub.attach(port2);
    this.use(port1);
  }

  private use(port: MessagePort): void {
    this.port = port;
    port.onmessage = (event) => {
      const message = parseToPage(event.data);
      if (message !== null) this.receive(message);
    };
    port.start();
    const { url, user } = this.options;
    port.postMessage({ kind: "attach", url, user } satisfies ToHub);
  }

  private receive(message: ToPage): void {
    const { waiting } = this;
    this.waiting = undefined;
    for (const [each, transfer] of waiting ?? []) this.send(each, transfer);
    const { host } = this.options;
    switch (message.kind) {
      case "credentials":
        void this.signIn();
        break;
      case "status":
        // Nothing is reported before the first attempt has ended.
        if (message.isConnected || message.reason) host.status(message.isConnected, message.reason);
        break;
      case "channels":
        host.channels(message.channels);
        break;
      case "started":
        host.started?.(message.instanceId, message.channelId);
        break;
      case "ended":
        host.ended?.(message.instanceId);
        break;
      case "channelChanged":
        host.channelChanged(message.instanceId, message.channelId);
        break;
      case "refused":
        host.refused(message.app, message.reason);
        break;
      case "withdrawn":
        this.choices.get(message.request)?.abort();
        break;
      case "open":
        void this.open(message);
        break;
      case "choose":
        void this.choose(message);
        break;
    }
  }

  private async signIn(): Promise<void> {
    try {
      this.send({ kind: "credentials", credentials: await this.options.credentials() });
    } catch (error) {
      this.send({ kind: "noCredentials", reason: error instanceof Error ? error.message : String(error) });
    }
  }

  private async open(question: Extract<Question, { kind: "open" }>): Promise<void> {
    const { request, appId, source } = question;
    try {
      const instanceId = await this.options.host.open({ appId, instanceId: question.instanceId, source });
      this.answer(request, { kind: "Opened", request, instanceId });
    } catch (error) {
      const name = error instanceof OpenError ? error.error : "ErrorOnLaunch";
      this.answer(request, { kind: "OpenFailed", request, error: name });
    }
  }

  private async choose(question: Extract<Question, { kind: "choose" }>): Promise<void> {
    const { request, source, appIntents, context } = question;
    const control = new AbortController();
    this.choices.set(request, control);
    try {
      const choice = await this.options.host.choose({ source, appIntents, context, signal: control.signal });
      const answer = choice === undefined ? { kind: "ChoiceCancelled" } : { kind: "Chosen", ...choice };
      if (!control.signal.aborted) this.answer(request, { ...answer, request });
    } catch {
      this.answer(request, { kind: "ChoiceUnavailable", request });
    } finally {
      this.choices.delete(request);
    }
  }

  private answer(request: string, message: object): void {
    this.send({ kind: "answer", request, message });
  }

  private send(message: ToHub, transfer: Transferable[] = []): void {
    if (this.waiting !== undefined) this.waiting.push([message, transfer]);
    else this.port?.postMessage(message, transfer);
  }
}
