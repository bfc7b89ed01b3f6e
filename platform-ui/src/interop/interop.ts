/** How the apps of this page work together: their connection to the user's FDC3 agent, as the page shows it. */

import { Agent, type AgentOptions, type AppIntent, type AppWindow, type Choice, type UserChannel } from "../agent";

/** An intent for which the user has to choose the app. */
export interface Resolution {
  readonly id: number;
  readonly source: string;
  readonly appIntents: readonly AppIntent[];
  /** Answer the question; without a choice it is cancelled. */
  readonly settle: (choice?: Choice) => void;
}

/** What the page shows; a new object whenever something of it changes. */
export interface InteropState {
  readonly isConnected: boolean;
  /** Why the agent cannot be reached; empty while it can, and before the first attempt has ended. */
  readonly problem: string;
  readonly channels: readonly UserChannel[];
  /** The connected instances of this page, with the channel of each. */
  readonly instances: ReadonlyMap<string, string | null>;
  /** Instances that the agent refused or has ended, with the reason. */
  readonly refusals: ReadonlyMap<string, string>;
  /** The questions that the user has not answered yet, the oldest one first. */
  readonly resolutions: readonly Resolution[];
}

export type InteropOptions = Omit<AgentOptions, "host"> & {
  open(request: { readonly appId: string; readonly instanceId: string; readonly source: string }): Promise<string>;
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
  private count = 0;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): InteropState => this.state;

  start(options: InteropOptions): void {
    const { open, ...rest } = options;
    this.agent = new Agent({
      ...rest,
      host: {
        open,
        choose: ({ source, appIntents, signal }) => this.choose(source, appIntents, signal),
        started: (id, channel) => {
          this.change("instances", id, channel);
          this.change("refusals", id, undefined);
        },
        ended: (id) => this.change("instances", id, undefined),
        channelChanged: (id, channel) => {
          if (this.state.instances.has(id)) this.change("instances", id, channel);
        },
        channels: (channels) => this.become({ channels }),
        status: (isConnected, problem) => this.become({ isConnected, problem }),
        refused: (app, reason) => this.change("refusals", app.instanceId, reason),
      },
    });
  }

  stop(): void {
    this.agent?.stop();
    this.agent = undefined;
    this.become(NOTHING);
  }

  /** Let the app in a window or frame connect. */
  add(target: Window | HTMLIFrameElement, app: AppWindow): void {
    this.agent?.add(target, app);
  }

  remove(target: Window | HTMLIFrameElement, instanceId: string): void {
    this.agent?.remove(target);
    this.change("refusals", instanceId, undefined);
  }

  /** The channel of an instance: null for none, undefined if the app is not connected. */
  channelOf(instanceId: string): UserChannel | null | undefined {
    const id = this.state.instances.get(instanceId);
    return id ? (this.state.channels.find((each) => each.id === id) ?? null) : id === null ? null : undefined;
  }

  selectChannel(instanceId: string, channelId: string | null): void {
    this.agent?.selectChannel(instanceId, channelId);
  }

  private choose(source: string, appIntents: readonly AppIntent[], signal: AbortSignal): Promise<Choice | undefined> {
    return new Promise((resolve) => {
      this.count += 1;
      const id = this.count;
      const settle = (choice?: Choice) => {
        this.become({ resolutions: this.state.resolutions.filter((each) => each.id !== id) });
        resolve(choice);
      };
      signal.addEventListener("abort", () => settle());
      this.become({ resolutions: [...this.state.resolutions, { id, source, appIntents, settle }] });
    });
  }

  private change<T>(part: "instances" | "refusals", id: string, value: T | undefined): void {
    const before: ReadonlyMap<string, unknown> = this.state[part];
    if (before.get(id) === value && before.has(id) === (value !== undefined)) return;
    const map = new Map(before);
    if (value === undefined) map.delete(id);
    else map.set(id, value);
    this.become({ [part]: map });
  }

  private become(change: Partial<InteropState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
}
