/** Functions of this page for apps with client libraries, loaded together with the module that serves these apps. */

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../../admin-ui/src/api/client";
import type { Credentials } from "../agent";
import { APPS } from "../apps/queries";
import {
  type AppNotification,
  type ClientApp,
  type ClientHost,
  ClientPlatform,
  clientApps,
  ManagerLayouts,
  ManagerPreferences,
  type Theme,
  webSockets,
} from "../clients";
import { APP } from "../preferences/use-preferences";
import type { Workbench } from "../workspace/workbench";
import type { Interop } from "./interop";
import { rememberChannels, rememberedChannels } from "./remembered-channels";

/** The parts of the page that apps use. */
export interface ClientPage {
  readonly url: string;
  readonly user: string;
  /** Identifies the tab of the browser. */
  readonly tab: string;
  readonly credentials: () => Promise<Credentials>;
  readonly client: Client;
  readonly queries: QueryClient;
  readonly interop: Interop;
  readonly workbench: Workbench;
  readonly theme: { current(): string; select(name: string): void };
  /** Show a temporary notification. */
  notify(notification: AppNotification): void;
  /** Show the remaining notifications. */
  showNotifications(notifications: readonly AppNotification[]): void;
}

const THEMES: readonly Theme[] = [
  { name: "light", displayName: "Light" },
  { name: "dark", displayName: "Dark" },
];

export function startClients(page: ClientPage): ClientPlatform {
  const { url, user, tab, credentials } = page;
  return new ClientPlatform({ connect: webSockets(url), user, credentials, host: hostOf(page), id: tab });
}

function hostOf(page: ClientPage): ClientHost {
  const { client, interop, workbench, theme } = page;
  return {
    apps: appsOf(page.queries),
    open: ({ app, instanceId, source, bounds }) => workbench.openFor({ appId: app, instanceId, source, bounds }),
    close: (id) => workbench.closeApp(id),
    focus: (id) => workbench.show(id),
    channelsChanged: (id, channels) => interop.clientOnChannels(id, channels),
    disconnected: (id) => interop.clientDisconnected(id),
    rememberChannels,
    channelsOf: rememberedChannels,
    choose: ({ source, appIntents }) => interop.choose(source, appIntents),
    notify: (notification) => page.notify(notification),
    notificationsChanged: (notifications) => page.showNotifications(notifications),
    refused: (app, reason) => interop.refused(app, reason),
    layouts: new ManagerLayouts(client),
    preferences: new ManagerPreferences(client, APP),
    themes: { all: THEMES, current: () => theme.current(), select: (name) => theme.select(name) },
  };
}

/** The fetched apps, converted once for each version of the directory. */
function appsOf(queries: QueryClient): () => readonly ClientApp[] {
  let known: { readonly records: unknown; readonly apps: readonly ClientApp[] } | undefined;
  return () => {
    const records = queries.getQueryData<readonly Record<string, unknown>[]>(APPS) ?? [];
    if (known?.records !== records) known = { records, apps: clientApps(records) };
    return known.apps;
  };
}
