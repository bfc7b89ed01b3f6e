/** Notifies the user of apps that an administrator has added or removed while the page is open. */

import { useEffect, useRef } from "react";
import type { WebApp } from "../apps/apps";
import { usePreferences } from "../preferences/use-preferences";
import { showByBrowser } from "./by-browser";
import { notices } from "./notifications";

export function useAppChanges(apps: readonly WebApp[] | undefined): void {
  const before = useRef<readonly WebApp[] | undefined>(undefined);
  const { preferences } = usePreferences();
  const notifies = preferences.notifies ?? false;
  useEffect(() => {
    const old = before.current;
    before.current = apps;
    if (!old || !apps || old === apps) return;
    for (const [title, list] of [
      ["App added", missing(apps, old)],
      ["App removed", missing(old, apps)],
    ] as const) {
      if (list.length === 0) continue;
      const text = list.map((app) => app.title).join(", ");
      notices.add(list.length === 1 ? title : `${title.replace("App", "Apps")}`, text);
      if (notifies) showByBrowser(title, text);
    }
  }, [apps, notifies]);
}

function missing(these: readonly WebApp[], among: readonly WebApp[]): WebApp[] {
  const known = new Set(among.map((app) => app.name));
  return these.filter((app) => app.isListed && !known.has(app.name));
}
