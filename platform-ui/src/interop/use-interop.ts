/** Connects the page to the FDC3 agent of its user, if the manager names a central gateway. */

import { useComputedColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useMe, useSession } from "../../../admin-ui/src/api/context";
import hubScript from "../agent/hub-worker.ts?sharedworker&url";
import { useApps } from "../apps/queries";
import { listNotifications, showToast } from "../notifications/app-notifications";
import type { PageOptions } from "../options";
import { usePreferences } from "../preferences/use-preferences";
import type { Workbench } from "../workspace/workbench";
import { Interop } from "./interop";
import { thisTab } from "./only-tab";

export function useNewInterop(): Interop {
  const [interop] = useState(() => new Interop());
  return interop;
}

export function useInteropConnection(interop: Interop, workbench: Workbench, options: PageOptions): void {
  const session = useSession();
  const queries = useQueryClient();
  const me = useMe();
  const wishes = useWishes(interop);
  const { gatewayURL: url } = options;
  useEffect(() => {
    if (!url) return;
    const credentials = async () => {
      const token = session.currentToken();
      return token === null ? ({ method: "session" } as const) : ({ method: "access-token", token } as const);
    };
    const clients = () => interop.clients;
    const loadClients = async () => {
      const [{ startClients }, { id: tab }] = await Promise.all([import("./client-host"), thisTab()]);
      return startClients({
        ...{ url, user: me.id, tab, credentials, client: session.client, queries, interop, workbench },
        theme: { current: () => wishes.current.theme, select: (name) => wishes.current.select(name) },
        notify: (notification) => showToast(notification, clients, wishes.current.notifies),
        showNotifications: (notifications) => listNotifications(notifications, clients),
      });
    };
    interop.start({
      url,
      user: me.id,
      credentials,
      open: (request) => workbench.openFor(request),
      connected: (instanceId) => workbench.recallInstance(instanceId),
      recall: (source, origin) => workbench.recall(source, origin),
      loadClients,
      ...("SharedWorker" in window ? { worker: () => hubOf(me.id, url) } : {}),
    });
    return () => interop.stop();
  }, [interop, workbench, session, queries, wishes, me.id, url]);
}

/** The current preferences of the user, for requests of apps; apps are notified when the theme changes. */
function useWishes(interop: Interop) {
  const theme = useComputedColorScheme("light");
  const { preferences, change } = usePreferences();
  const now = {
    theme,
    notifies: preferences.notifies ?? false,
    select: (name: string) => change({ theme: name === "dark" ? "dark" : "light" }),
  };
  const wishes = useRef(now);
  useEffect(() => {
    wishes.current = now;
  });
  const { data: apps } = useApps();
  useEffect(() => interop.clients?.themeChanged(), [interop, theme]);
  useEffect(() => interop.clients?.appsChanged(), [interop, apps]);
  return wishes;
}

/** All pages of this browser share one hub for each user. */
function hubOf(user: string, url: string): SharedWorker {
  // Browsers that support `extendedLifetime` keep the worker while its only page is reloaded.
  const options = { name: `rostrum-agent ${user} ${url}`, extendedLifetime: true } as WorkerOptions;
  return new SharedWorker(hubScript, options);
}
