/** The view of a configuration file, form or JSON. It is in the address, and stored in the browser for each user. */

import { useSearch } from "@tanstack/react-router";
import { useMe } from "../../../api/context";
import { type Search, useSetSearch } from "../../../ui/list/list-search";

export type View = "form" | "json";

export function useView(): readonly [View, (view: View) => void] {
  const me = useMe();
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const asked = search.view ?? (search.setting ? "form" : remembered(me.id));
  const choose = (view: View) => {
    remember(me.id, view);
    setSearch({ view, ...(view === "json" ? { setting: "" } : {}) });
  };
  return [asked === "json" ? "json" : "form", choose];
}

const keyOf = (user: string) => `rostrum-admin-config-view ${user}`;

function remembered(user: string): string | null {
  try {
    return localStorage.getItem(keyOf(user));
  } catch {
    // Some browsers refuse access in private windows or frames.
    return null;
  }
}

function remember(user: string, view: View): void {
  try {
    localStorage.setItem(keyOf(user), view);
  } catch {
    // The view is then only in the address.
  }
}
