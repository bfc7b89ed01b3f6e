/** The connection of this page's apps to the user's FDC3 agent, and its state for display. */

import { Agent, type AgentOptions, type AppIntent, type AppWindow, type Choice, type UserChannel } from "../agent";
import type { ClientPlatform } from "../clients";
import { ClientLibraries } from "./client-libraries";

/** An intent for which the user must choose the app. */
export interface Resolution {
  readonly id: number;
  readonly source: string;
  readonly appIntents: readonly AppIntent[];
  /** Answer the question; without a choice, it is cancelled. */
  readonly settle: (choice?: Choice) => void;
}

/** The displayed state; a new object for each change. */
export interface InteropState {
  readonly isConnected: boolean;
  /** Why the agent is not available; empty while it is, and before the first attempt has ended. */
  readonly problem: string;
  readonly channels: readonly UserChannel[];
  /** The connected instances of this page, with the channel of each. */
  readonly instances: ReadonlyMap<string, string | null>;
  /** Instances that the agent refused or has ended, with the reason. */
  readonly refusals: ReadonlyMap<string, string>;
  /** The pending questions, the oldest one first. */
  readonly resolutions: readonly Resolution[];
}

export type InteropOptions = Omit<AgentOptions, "host" | "protocols"> & {
  open(request: { readonly appId: string; readonly instanceId: string; readonly source: string }): Promise<string>;
  /** An app of this page has connected: its window may have been opened before the page was reloaded. */
  connected(instanceId: string): void;
  /** Load the module that serves apps with client libraries. */
  loadClients(): Promise<ClientPlatform>;
};

const NOTHING: InteropState = {
  isConnected: false,
  problem: "",
  channels: [],
  instances: new Map(),
  refusals: new Map(),
  resolutions: [],
};

export class Interop {
  private state = NOTHING;
  private agent: Agent | undefined;
  private libraries: ClientLibraries | undefined;
  private count = 0;
  /** The instances that use FDC3 and those that use a client library; an app can use both. */
  private readonly withFdc3 = new Map<string, string | null>();
  private readonly withClient = new Map<string, readonly string[]>();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): InteropState => this.state;

  start(options: InteropOptions): void {
    const { open, connected, loadClients, ...rest } = options;
    this.libraries = new ClientLibraries(loadClients, (app, reason) => this.refused(app, reason));
    this.agent = new Agent({
      ...rest,
      protocols: [this.libraries],
      host: {
        open,
        choose: ({ source, appIntents, signal }) => this.choose(source, appIntents, signal),
        started: (id, channel) => {
          this.withFdc3.set(id, channel);
          this.connected(id);
          connected(id);
        },
        ended: (id) => {
          this.withFdc3.delete(id);
          this.showInstances();
        },
        channelChanged: (id, channel) => {
          if (!this.withFdc3.has(id)) return;
          this.withFdc3.set(id, channel);
          this.showInstances();
        },
        channels: (channels) => {
          this.become({ channels });
          this.showInstances();
        },
        status: (isConnected, problem) => this.become({ isConnected, problem }),
        refused: (app, reason) => this.refused(app, reason),
      },
    });
  }

  stop(): void {
    this.agent?.stop();
    this.agent = undefined;
    this.libraries?.stop();
    this.libraries = undefined;
    this.withFdc3.clear();
    this.withClient.clear();
    this.become(NOTHING);
  }

  /** The module that serves apps with client libraries; undefined until such an app has run. */
  get clients(): ClientPlatform | undefined {
    return this.libraries?.current;
  }

  /** Allow the app in a window or frame to connect. */
  add(target: Window | HTMLIFrameElement, app: AppWindow): void {
    this.agent?.add(target, app);
  }

  remove(target: Window | HTMLIFrameElement, instanceId: string): void {
    this.agent?.remove(target);
    this.changeRefusal(instanceId, undefined);
  }

  /** The channel of an instance: null for none, undefined if the app is not connected. */
  channelOf(instanceId: string): UserChannel | null | undefined {
    const id = this.state.instances.get(instanceId);
    return id ? (this.state.channels.find((each) => each.id === id) ?? null) : id === null ? null : undefined;
  }

  selectChannel(instanceId: string, channelId: string | null): void {
    if (this.withFdc3.has(instanceId)) this.agent?.selectChannel(instanceId, channelId);
    const channel = this.state.channels.find(({ id }) => id === channelId);
    this.clients?.selectChannel(instanceId, channel ? platformName(channel) : null);
  }

  /** An app is connected by its client library, and has joined these channels. */
  clientOnChannels(instanceId: string, channels: readonly string[]): void {
    this.withClient.set(instanceId, channels);
    this.connected(instanceId);
  }

  clientDisconnected(instanceId: string): void {
    this.withClient.delete(instanceId);
    this.showInstances();
  }

  refused(app: AppWindow, reason: string): void {
    this.changeRefusal(app.instanceId, reason);
  }

  /** Let the user choose the handler of an intent; undefined if the user cancels. The signal aborts the choice. */
  choose(source: string, appIntents: readonly AppIntent[], signal?: AbortSignal): Promise<Choice | undefined> {
    return new Promise((resolve) => {
      this.count += 1;
      const id = this.count;
      const settle = (choice?: Choice) => {
        this.become({ resolutions: this.state.resolutions.filter((each) => each.id !== id) });
        resolve(choice);
      };
      signal?.addEventListener("abort", () => settle());
      this.become({ resolutions: [...this.state.resolutions, { id, source, appIntents, settle }] });
    });
  }

  private connected(instanceId: string): void {
    this.showInstances();
    this.changeRefusal(instanceId, undefined);
  }

  private showInstances(): void {
    const named = new Map(this.state.channels.map((channel) => [platformName(channel), channel.id]));
    const ofClients = [...this.withClient].map(([id, [name = ""]]) => [id, named.get(name) ?? null] as const);
    this.become({ instances: new Map([...ofClients, ...this.withFdc3]) });
  }

  private changeRefusal(id: string, value: string | undefined): void {
    const before = this.state.refusals;
    if (before.get(id) === value) return;
    const map = new Map(before);
    if (value === undefined) map.delete(id);
    else map.set(id, value);
    this.become({ refusals: map });
  }

  private become(change: Partial<InteropState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
}

/** The name of a channel for apps without FDC3. */
function platformName({ platformName: given, name }: UserChannel): string {
  return given ?? name;
}
