/** The workbench of this page: created once, restored from the last session, and updated with the user's apps. */

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import { useClient, useMe } from "../../../admin-ui/src/api/context";
import { showError, showUndo } from "../../../admin-ui/src/ui/notices";
import type { WebApp } from "../apps/apps";
import type { Interop } from "../interop/interop";
import { thisTab } from "../interop/only-tab";
import { readDefaultLayout } from "../layouts/queries";
import type { PageOptions } from "../options";
import { usePreferences } from "../preferences/use-preferences";
import { type SavedWorkbench, Workbench } from "../workspace/workbench";

const SAVE_MS = 300;

export function useWorkbench(options: PageOptions, apps: readonly WebApp[] | undefined, interop: Interop): Workbench {
  const me = useMe();
  const client = useClient();
  const { preferences, change } = usePreferences();
  const outside = useRef<readonly string[]>([]);
  useEffect(() => {
    outside.current = preferences.outside ?? [];
  }, [preferences.outside]);
  const remember = useRef<(app: WebApp) => void>(() => undefined);
  useEffect(() => {
    remember.current = (app) => {
      const before = outside.current;
      if (before.includes(app.name)) return;
      change({ outside: [...before, app.name] });
      showUndo(`"${app.title}" opens in a window from now on.`, async () => change({ outside: before }));
    };
  });
  const [workbench] = useState(
    () =>
      new Workbench({
        obstacle: (app) => {
          if (options.user !== me.id) return "cookie";
          return options.frameOrigins.includes(app.origin) ? null : "reload";
        },
        opensOutside: (app) => options.user !== me.id || outside.current.includes(app.name),
        onMovedOutside: (app) => remember.current(app),
        onBlocked: showBlocked,
        interop,
      }),
  );
  const hasBegun = useRef(false);

  useEffect(() => {
    if (!apps) return;
    workbench.setApps(apps);
    if (hasBegun.current) return;
    hasBegun.current = true;
    const key = `rostrum-open:${me.id}`;
    const begin = async () => {
      if (!restore(workbench, key, (await thisTab()).isOnly)) {
        const first = await readDefaultLayout(client).catch(() => null);
        if (first) workbench.add(first.name, first.state);
        else workbench.add("Workspace 1");
      }
      keepInTab(workbench, key);
      openFromAddress(workbench, apps);
    };
    void begin().catch(showError);
  }, [workbench, apps, client, me.id]);

  return workbench;
}

/** Open the apps that were open in this tab before it was reloaded. */
function restore(workbench: Workbench, key: string, keepsIds: boolean): boolean {
  try {
    const saved = JSON.parse(sessionStorage.getItem(key) ?? "null") as SavedWorkbench | null;
    if (!saved?.workspaces.length) return false;
    // With its identity, an app also gets its channel.
    const made = saved.workspaces.map(({ name, state, ids }) => workbench.add(name, state, keepsIds ? ids : []));
    const active = made[saved.active];
    if (active) workbench.select(active.id);
    if (keepsIds) workbench.expectWindows(saved.windows ?? []);
    return true;
  } catch {
    return workbench.current().workspaces.length > 0;
  }
}

/** Store what is open, for a reload of this tab. */
function keepInTab(workbench: Workbench, key: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    clearTimeout(timer);
    try {
      sessionStorage.setItem(key, JSON.stringify(workbench.saved));
    } catch {
      // Storage is full or blocked: a reload starts with the default layout then.
    }
  };
  workbench.onArranged(() => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_MS);
  });
  window.addEventListener("pagehide", save);
}

/** `?app=NAME` opens an app once: it is removed from the address, because every reload would open another one. */
function openFromAddress(workbench: Workbench, apps: readonly WebApp[]): void {
  const address = new URL(window.location.href);
  const name = address.searchParams.get("app");
  if (name === null) return;
  address.searchParams.delete("app");
  window.history.replaceState(null, "", address);
  const app = apps.find((each) => each.name === name);
  if (app) workbench.open(app);
  else showError(new Error(`You do not have an app "${name}" that runs in a browser.`));
}

function showBlocked(app: WebApp, retry: () => void): void {
  const id = notifications.show({
    color: "orange",
    autoClose: false,
    role: "alert",
    title: "The browser blocked a window",
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Allow pop-ups for this site to open "{app.title}" directly.</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            retry();
          }}
        >
          Open now
        </Button>
      </Group>
    ),
  });
}
