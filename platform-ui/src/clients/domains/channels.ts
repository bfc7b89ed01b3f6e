/** Channels: the libraries access them on the gateway themselves; the platform tracks which apps have joined which. */

import type { OpenWindow } from "../app-windows";
import { type Domain, type Operation, type Platform, windowOf } from "../domain";
import type { Json } from "../peer";

const ATTEMPTS = 5;
const PAGE = ["restrict", "restrictAll"] as const;

export class ChannelsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    appHello: (_data, caller) => this.hello(caller),
    getMode: () => ({ mode: "single" }),
    joinChannel: (data) => this.byPage("joinChannel", data.windowId, data),
    leaveChannel: (data) => this.byPage("leaveChannel", data.windowId, data),
    getRestrictions: (data) => this.byPage("getRestrictions", data.windowId, data),
    ...Object.fromEntries(PAGE.map((name) => [name, (data: Json) => this.restrict(name, data)])),
    notifyChannelsChanged: ({ channelNames }, caller) => this.changed(caller, channelNames),
    getMyChannel: (_data, caller) => (caller.channels[0] === undefined ? {} : { channel: caller.channels[0] }),
    getWindowIdsOnChannel: ({ channel }) => ({ windowIds: this.windowsOn(channel).map(({ windowId }) => windowId) }),
    getWindowIdsWithChannels: ({ filter }) => ({ windowIdsWithChannels: this.matching((filter ?? {}) as Json) }),
    // The platform shows the channels of each app itself.
    requestChannelSelector: () => ({}),
  };
  /** Channels of apps that are being opened, and of apps whose page was reloaded. */
  private readonly wanted = new Map<string, readonly string[]>();

  constructor(private readonly platform: Platform) {}

  opening(instanceId: string, channel: string): void {
    this.wanted.set(instanceId, [channel]);
  }

  removed(open: OpenWindow): void {
    this.wanted.delete(open.app.instanceId);
  }

  /** Assign an app to the channel that the user selected; false if it has no library that supports this. */
  select(instanceId: string, channel: string | null): boolean {
    const open = this.platform.windows.withInstance(instanceId);
    if (!open?.relay?.peer) return false;
    const { windowId } = open;
    const done =
      channel === null
        ? this.platform.ask(open, "channels", "leaveChannel", { windowId })
        : this.platform.ask(open, "channels", "joinChannel", { channel, windowId });
    done.catch((error: Error) => this.platform.host.refused(open.app, error.message));
    return true;
  }

  /** The library has reconnected without a new start: it has joined the same channels. */
  async connected(open: OpenWindow): Promise<void> {
    const { instanceId } = open.app;
    if (this.platform.host.channelsOf(instanceId) === undefined) return;
    const { channel } = await this.platform.ask(open, "channels", "getMyChannel", {});
    open.channels = typeof channel === "string" ? [channel] : [];
    this.platform.host.channelsChanged(instanceId, open.channels);
  }

  private hello(caller: OpenWindow): Json {
    const { instanceId } = caller.app;
    const [channel] = this.wanted.get(instanceId) ?? this.platform.host.channelsOf(instanceId) ?? [];
    caller.channels = [];
    this.platform.host.channelsChanged(instanceId, []);
    // The library starts without channels, because it listens only to channels that it joins.
    if (channel !== undefined) void this.rejoin(caller, channel).catch(() => undefined);
    return { mode: "single", channels: [], restrictions: [] };
  }

  /** Assign an app to a channel while its library starts, which sets the channels itself when it has the response. */
  private async rejoin(open: OpenWindow, channel: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const current = await this.platform.ask(open, "channels", "getMyChannel", {});
      if (current.channel === channel) return;
      await this.platform.ask(open, "channels", "joinChannel", { channel, windowId: open.windowId });
    }
  }

  private byPage(operation: string, windowId: unknown, data: Json): Promise<Json> {
    return this.platform.ask(windowOf(this.platform, `channels.${operation}`, windowId), "channels", operation, data);
  }

  private restrict(operation: (typeof PAGE)[number], data: Json): Promise<Json> {
    const { windowId } = (data.config ?? data.restrictions ?? {}) as Json;
    return this.byPage(operation, windowId, data);
  }

  private changed(open: OpenWindow, names: unknown): void {
    open.channels = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
    this.wanted.set(open.app.instanceId, open.channels);
    this.platform.host.rememberChannels(open.app.instanceId, open.channels);
    this.platform.host.channelsChanged(open.app.instanceId, open.channels);
    const data = { windowId: open.windowId, channelNames: open.channels };
    this.platform.publish("windows", "notifyChannelsChanged", data);
  }

  private windowsOn(channel: unknown): readonly OpenWindow[] {
    return this.platform.windows.all.filter(({ channels }) => channels.includes(String(channel)));
  }

  private matching({ application, channels, windowIds }: Json): Json[] {
    return this.platform.windows.all
      .filter(
        (open) =>
          (application === undefined || open.app.appId === application) &&
          (!Array.isArray(channels) || channels.some((each) => open.channels.includes(each))) &&
          (!Array.isArray(windowIds) || windowIds.includes(open.windowId)),
      )
      .map(({ app, windowId, channels: [channel] }) => ({
        application: app.appId,
        windowId,
        ...(channel === undefined ? {} : { channel }),
      }));
  }
}
