/** The method and the streams of the platform, with which the client libraries call operations and get events. */

import { newId } from "../workspace/new-id";
import type { OpenWindow, OpenWindows } from "./app-windows";
import { type Domain, type OpenOptions, type Platform, UnsupportedOperation } from "./domain";
import { AppsDomain } from "./domains/apps";
import { ChannelsDomain } from "./domains/channels";
import { IntentsDomain } from "./domains/intents";
import { LayoutsDomain } from "./domains/layouts";
import { NotificationsDomain } from "./domains/notifications";
import { PreferencesDomain } from "./domains/preferences";
import { extensionDomain, systemDomain, uiDomain } from "./domains/system";
import { ThemesDomain } from "./domains/themes";
import { WindowsDomain } from "./domains/windows";
import type { ClientHost } from "./host";
import type { Json, Peer, RemoteMethod } from "./peer";

const CONTROL = "T42.Web.Platform.Control";
const EVENTS = "T42.Web.Platform.Stream";
const THEMES = "T42.Core.Plus.Themes.Stream";
const CLIENT_CONTROL = "T42.Web.Client.Control";
const CONNECT_MS = 15_000;
/** The user may have to allow a window first. */
const OPEN_MS = 60_000;

export class Control implements Platform {
  private current: Peer | null = null;
  private readonly apps = new AppsDomain(this);
  private readonly channels = new ChannelsDomain(this);
  private readonly notifications = new NotificationsDomain(this);
  private readonly preferences = new PreferencesDomain(this);
  private readonly themes = new ThemesDomain(this);
  private readonly domains: Readonly<Record<string, Domain>> = {
    system: systemDomain,
    ui: uiDomain,
    extension: extensionDomain,
    windows: new WindowsDomain(this),
    appManager: this.apps,
    layouts: new LayoutsDomain(this),
    channels: this.channels,
    intents: new IntentsDomain(this),
    notifications: this.notifications,
    prefs: this.preferences,
    themes: this.themes,
  };
  private readonly connecting = new Map<OpenWindow, (() => void)[]>();
  private readonly opening = new Map<string, (open: OpenWindow) => void>();

  constructor(
    readonly host: ClientHost,
    readonly windows: OpenWindows,
  ) {}

  async offer(peer: Peer): Promise<void> {
    this.current = peer;
    await peer.stream(EVENTS);
    await peer.stream(THEMES);
    await peer.register(CONTROL, (args, caller) => this.carryOut(args, caller));
  }

  withdraw(): void {
    this.current = null;
  }

  peer(): Peer {
    if (this.current === null) throw new Error("The gateway cannot be reached at the moment.");
    return this.current;
  }

  publish(domain: string, operation: string, data: unknown): void {
    // Only apps of this page: other peers of the user could also have subscribed.
    for (const each of this.windows.all) this.post(each, domain, operation, data);
  }

  post(open: OpenWindow, domain: string, operation: string, data: unknown): void {
    if (open.relay?.peer) this.current?.post(EVENTS, open.relay.peer, { domain, operation, data });
  }

  async ask(open: OpenWindow, domain: string, operation: string, data: Json): Promise<Json> {
    const method = this.clientControl(open);
    if (method === undefined) {
      throw new Error(`${domain}.${operation}: the app ${open.app.appId} is not connected with a client library.`);
    }
    return this.peer().call(method, { domain, operation, data });
  }

  async open(app: string, { source, bounds = {}, context, channel }: OpenOptions): Promise<OpenWindow> {
    const wanted = newId();
    if (channel !== undefined) this.channels.opening(wanted, channel);
    await this.apps.giveContext(wanted, context);
    const instanceId = await this.host.open({ app, instanceId: wanted, source: source.app.instanceId, bounds });
    return this.windows.withInstance(instanceId) ?? this.opened(app, instanceId);
  }

  private opened(app: string, instanceId: string): Promise<OpenWindow> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.opening.delete(instanceId);
        reject(new Error(`The app ${app} could not be opened.`));
      }, OPEN_MS);
      this.opening.set(instanceId, (open) => [clearTimeout(timer), resolve(open)]);
    });
  }

  connected(open: OpenWindow): Promise<boolean> {
    if (this.clientControl(open) !== undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), CONNECT_MS);
      const waiting = this.connecting.get(open) ?? [];
      waiting.push(() => [clearTimeout(timer), resolve(this.windows.withId(open.windowId) === open)]);
      this.connecting.set(open, waiting);
    });
  }

  added(open: OpenWindow): void {
    const { instanceId } = open.app;
    this.opening.get(instanceId)?.(open);
    this.opening.delete(instanceId);
    for (const each of Object.values(this.domains)) each.added?.(open);
  }

  removed(open: OpenWindow): void {
    this.settle(open);
    for (const each of Object.values(this.domains)) each.removed?.(open);
  }

  /** The page of a window has given it another id than the one in its name. */
  renamed(open: OpenWindow, windowId: string): void {
    for (const each of Object.values(this.domains)) each.removed?.(open);
    open.windowId = windowId;
    for (const each of Object.values(this.domains)) each.added?.(open);
  }

  methodAdded({ name, server }: RemoteMethod): void {
    const open = name === CLIENT_CONTROL ? this.windows.withPeer(server) : undefined;
    if (open === undefined) return;
    this.settle(open);
    // The app may have ended; there is nothing to show then.
    this.channels.connected(open).catch(() => undefined);
  }

  appsChanged(): void {
    this.apps.changed();
  }

  themeChanged(): void {
    this.current?.publish(THEMES, this.themes.event());
  }

  preferencesChanged(): void {
    // If this fails, the manager is unavailable; the next change notifies the apps.
    this.preferences.refresh().catch(() => undefined);
  }

  selectChannel(instanceId: string, channel: string | null): boolean {
    return this.channels.select(instanceId, channel);
  }

  clickNotification(id: string, action?: string): void {
    this.notifications.clicked(id, action);
  }

  clearNotification(id: string): void {
    this.notifications.clear(id);
  }

  private clientControl(open: OpenWindow): RemoteMethod | undefined {
    return this.peer()
      .known(CLIENT_CONTROL)
      .find(({ server }) => server === open.relay?.peer);
  }

  private settle(open: OpenWindow): void {
    const waiting = this.connecting.get(open) ?? [];
    this.connecting.delete(open);
    for (const done of waiting) done();
  }

  private async carryOut(args: Json, caller: string): Promise<unknown> {
    const open = this.windows.withPeer(caller);
    if (open === undefined) throw new Error(`Only apps that this platform has opened can call ${CONTROL}.`);
    const { domain, operation } = args;
    const found = own(this.domains, domain);
    const data = (typeof args.data === "object" && args.data !== null ? args.data : {}) as Json;
    const operations = found?.operations ?? {};
    if (operation === "operationCheck" && found !== undefined) {
      return { isSupported: data.operation === operation || own(operations, data.operation) !== undefined };
    }
    const wanted = own(operations, operation);
    if (wanted === undefined) throw new UnsupportedOperation(domain, operation);
    return (await wanted(data, open)) ?? {};
  }
}

function own<Value>(members: Readonly<Record<string, Value>>, name: unknown): Value | undefined {
  return typeof name === "string" && Object.hasOwn(members, name) ? members[name] : undefined;
}
