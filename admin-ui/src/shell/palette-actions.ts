/** Actions of the search, in addition to pages and documents. */

import { may, type Resource } from "../api/context";
import type { Me } from "../api/generated/client";
import type { IconName } from "../ui/icons";

/** Actions without a page. */
export type PaletteRun = "openReference" | "signOut" | "switchColours" | "showShortcuts";

export interface PaletteAction {
  readonly label: string;
  readonly icon: IconName;
  /** The resource that the user must be allowed to change; null if no permission is required. */
  readonly needs: Resource | null;
  /** Whether the permission to read the resource is sufficient. */
  readonly isReading?: boolean;
  /** The page to open; without it, `run` is called. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly run?: PaletteRun;
}

const ACTIONS: readonly PaletteAction[] = [
  { label: "Create user", icon: "plus", needs: "USERS", to: "/users/-/new" },
  { label: "Create group", icon: "plus", needs: "GROUPS", to: "/groups/-/new" },
  { label: "Create application", icon: "plus", needs: "APPS", to: "/apps/-/new" },
  { label: "Create layout", icon: "plus", needs: "LAYOUTS", to: "/layouts/-/new" },
  { label: "Create configuration file", icon: "plus", needs: "SYSTEM_CONFIGS", to: "/configs/-/new" },
  { label: "Create preference", icon: "plus", needs: "PREFERENCES", to: "/preferences/-/new" },
  { label: "Import applications…", icon: "upload", needs: "APPS", to: "/apps/-/import" },
  { label: "Import layouts…", icon: "upload", needs: "LAYOUTS", to: "/layouts/-/import" },
  { label: "Send command…", icon: "send", needs: "COMMANDS", to: "/commands/-/new" },
  { label: "Compare users…", icon: "eye", needs: "USERS", isReading: true, to: "/compare" },
  {
    label: "Compare groups…",
    icon: "eye",
    needs: "GROUPS",
    isReading: true,
    to: "/compare",
    search: { kind: "groups" },
  },
  { label: "Open the guide", icon: "info", needs: null, to: "/help/admin-ui" },
  { label: "Open the API reference", icon: "info", needs: null, run: "openReference" },
  { label: "Show keyboard shortcuts", icon: "info", needs: null, run: "showShortcuts" },
  { label: "Switch between light and dark colours", icon: "moon", needs: null, run: "switchColours" },
  { label: "Sign out", icon: "logout", needs: null, run: "signOut" },
];

/** The permitted actions whose label contains all words. */
export function actionsFor(me: Me, words: string): PaletteAction[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return ACTIONS.filter(
    ({ label, needs, isReading = false }) =>
      (needs === null || may(me, needs, isReading ? "READ" : "WRITE")) &&
      wanted.every((word) => label.toLowerCase().includes(word)),
  );
}
