/** A main page that serves apps with client libraries, and apps with FDC3, in windows and frames. */

import { Client } from "../../../admin-ui/src/api/client";
import { Agent, type AgentHost, type Choice, OpenError } from "../../../platform-ui/src/agent";
import type { AppWindow } from "../../../platform-ui/src/agent/app-window";
import {
  type AppNotification,
  type ClientHost,
  ClientPlatform,
  clientApps,
  frameName,
  ManagerLayouts,
  ManagerPreferences,
  webSockets,
  windowName,
} from "../../../platform-ui/src/clients";
import { Manager } from "../../../platform-ui/src/library/manager";

interface Setting {
  readonly url: string;
  readonly token: string;
  readonly records: readonly Record<string, unknown>[];
  /** Apps that are shown in frames. */
  readonly frames: readonly string[];
  readonly manager?: string;
  /** The user at the manager. */
  readonly username?: string;
}

/** What tests look at, and what they do as the user. */
const seen = {
  statuses: [] as boolean[],
  refusals: [] as string[],
  channels: {} as Record<string, readonly string[]>,
  notifications: [] as readonly AppNotification[],
  toasts: [] as string[],
  theme: "light",
  choice: undefined as Choice | undefined,
};
const setting: Setting = await (await fetch("setting.json")).json();
const apps = clientApps(setting.records);
const places = new Map<string, { readonly target: Window; close(): void; focus(): void }>();

let token = "";
const client = new Client({
  apiURL: setting.manager ?? "",
  sendsCookie: () => false,
  authorization: () => token && `Bearer ${token}`,
  confirmation: () => null,
  confirm: () => Promise.resolve(false),
  logIn: () => 0,
  heard: () => undefined,
});
if (setting.manager !== undefined) {
  const manager = new Manager({
    url: setting.manager,
    username: setting.username ?? "",
    password: "a long password",
    fetchIntervalMS: 60_000,
    tokenRefreshIntervalMS: 60_000,
  });
  await manager.openSession();
  token = ((await manager.call("POST", "/token/refresh")) as { token: string }).token;
}

function openApp(appId: string, instanceId: string): void {
  const app = apps.find(({ name }) => name === appId);
  if (app === undefined) throw new OpenError("AppNotFound");
  const known: AppWindow = { appId, instanceId, origin: app.origin, place: crypto.randomUUID(), outlivesPage: !setting.frames.includes(appId) };
  if (setting.frames.includes(appId)) {
    const frame = document.createElement("iframe");
    frame.name = frameName(instanceId);
    document.body.append(frame);
    const target = frame.contentWindow as Window;
    places.set(instanceId, { target, close: () => closed(instanceId, () => frame.remove()), focus: () => frame.focus() });
    agent.add(target, known);
    frame.src = app.url;
    return;
  }
  const target = window.open(app.url, windowName(instanceId), "popup");
  if (target === null) throw new OpenError("ErrorOnLaunch");
  places.set(instanceId, { target, close: () => closed(instanceId, () => target.close()), focus: () => target.focus() });
  agent.add(target, known);
}

function closed(instanceId: string, close: () => void): void {
  const { target } = places.get(instanceId) ?? {};
  if (target === undefined) return;
  places.delete(instanceId);
  agent.remove(target);
  close();
}

const agentHost: AgentHost = {
  async open({ appId, instanceId }) {
    openApp(appId, instanceId);
    return instanceId;
  },
  choose: async () => seen.choice,
  channelChanged: () => undefined,
  channels: () => undefined,
  status: (isConnected) => {
    seen.statuses.push(isConnected);
  },
  refused: (app, reason) => {
    seen.refusals.push(`${app.appId}: ${reason}`);
  },
};

const clientHost: ClientHost = {
  apps: () => apps,
  open: async ({ app, instanceId }) => {
    openApp(app, instanceId);
    return instanceId;
  },
  close: (instanceId) => places.get(instanceId)?.close(),
  focus: (instanceId) => places.get(instanceId)?.focus(),
  disconnected: () => undefined,
  rememberChannels: () => undefined,
  channelsOf: () => undefined,
  channelsChanged: (instanceId, channels) => {
    seen.channels[instanceId] = channels;
  },
  choose: async () => seen.choice,
  notify: ({ title }) => {
    seen.toasts.push(title);
  },
  notificationsChanged: (notifications) => {
    seen.notifications = notifications;
  },
  refused: agentHost.refused,
  layouts: new ManagerLayouts(client),
  preferences: new ManagerPreferences(client),
  themes: {
    all: [
      { name: "light", displayName: "Light" },
      { name: "dark", displayName: "Dark" },
    ],
    current: () => seen.theme,
    select: (name) => {
      seen.theme = name;
      clients.themeChanged();
    },
  },
};

const credentials = async () => ({ method: "access-token", token: setting.token }) as const;
const clients = new ClientPlatform({
  connect: webSockets(setting.url),
  credentials,
  host: clientHost,
  id: crypto.randomUUID(),
});
const agent = new Agent({ url: setting.url, credentials, host: agentHost, protocols: [clients] });
setInterval(() => {
  for (const { target, close } of places.values()) if (target.closed) close();
}, 100);
Object.assign(window, { seen, openApp, agent, clients });
