/** The sources of the global search, and the labels of results. */

import type { Client } from "../api/client";
import { machineName } from "../features/sessions/columns";
import type { IconName } from "../ui/icons";
import { pathOf } from "../ui/link";
import { exactTime } from "../ui/time";
import type { Page } from "./navigation";
import type { PaletteRun } from "./palette-actions";

export interface Find {
  readonly label: string;
  readonly note: string;
  /** The page to open; without it, `run` is called. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly run?: PaletteRun;
  readonly icon: IconName;
}

export interface SearchSource {
  readonly needs: Page["needs"];
  readonly find: (client: Client, words: string, signal: AbortSignal) => Promise<Find[]>;
}

const EACH = 5;

export const SOURCES: readonly SearchSource[] = [
  {
    needs: "USERS",
    find: async (client, q, signal) =>
      (await client.call("listUsers", { query: { q, limit: EACH }, signal })).data.items.map((user) => ({
        label: user.id,
        note: user.email ?? "User",
        to: pathOf("users", user.id),
        icon: "users",
      })),
  },
  {
    needs: "APPS",
    find: async (client, q, signal) =>
      (await client.call("listApps", { query: { q, limit: EACH }, signal })).data.items.map((app) => ({
        label: app.name,
        note: String(app.definition.title ?? "Application"),
        to: pathOf("apps", app.name),
        icon: "apps",
      })),
  },
  {
    needs: "GROUPS",
    find: async (client, q, signal) =>
      (await client.call("listGroups", { query: { q, limit: EACH }, signal })).data.items.map((group) => ({
        label: group.name,
        note: `Group, ${group.members === 1 ? "1 direct member" : `${group.members} direct members`}`,
        to: pathOf("groups", group.name),
        icon: "groups",
      })),
  },
  {
    needs: "LAYOUTS",
    find: async (client, q, signal) =>
      (await client.call("listLayouts", { query: { q, limit: EACH }, signal })).data.items.map((layout) => ({
        label: layout.name,
        note: `${layout.type} layout of ${layout.owner === "*" ? "everyone" : layout.owner}`,
        to: pathOf("layouts", layout.id),
        icon: "layouts",
      })),
  },
  {
    needs: "SYSTEM_CONFIGS",
    find: async (client, q, signal) =>
      (await client.call("listConfigs", { query: { q, limit: EACH }, signal })).data.items.map((config) => ({
        label: config.file,
        note:
          config.scope === "base"
            ? "For all users"
            : `For ${config.scope} ${config.version ?? config.group ?? config.user}`,
        to: pathOf("configs", config.id),
        icon: "configs",
      })),
  },
  {
    needs: "MACHINES",
    find: async (client, q, signal) =>
      (await client.call("listMachines", { query: { q, limit: EACH }, signal })).data.items.map((machine) => ({
        label: machine.name || machine.id,
        note: "Machine",
        to: pathOf("machines", machine.id),
        icon: "machines",
      })),
  },
  {
    needs: "SESSIONS",
    find: async (client, q, signal) =>
      (await client.call("listSessions", { query: { q, limit: EACH, sort: "-started" }, signal })).data.items.map(
        (session) => ({
          label: session.user,
          note: `${session.active ? "Active session" : "Session"} on ${machineName(session.machine)}, started ${exactTime(session.started)}`,
          to: pathOf("sessions", session.id),
          icon: "sessions",
        }),
      ),
  },
  {
    needs: "EVERYTHING",
    find: async (client, q, signal) => {
      const { settings } = (await client.call("readServer", { signal })).data;
      const words = q.toLowerCase().split(/\s+/);
      return settings
        .filter(({ property, variable }) =>
          words.every((word) => `${property} ${variable}`.toLowerCase().includes(word)),
        )
        .slice(0, EACH)
        .map(({ property, display }) => ({
          label: property,
          note: `Setting of the server: ${display || "not set"}`,
          to: "/server",
          search: { q: property },
          icon: "server",
        }));
    },
  },
];
