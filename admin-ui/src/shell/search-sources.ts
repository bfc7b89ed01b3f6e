/** Where the search over everything looks, and what a find is called. */

import type { Client } from "../api/client";
import type { Resource } from "../api/context";
import type { IconName } from "../ui/icons";
import { pathOf } from "../ui/link";

export interface Find {
  readonly label: string;
  readonly note: string;
  readonly to: string;
  readonly icon: IconName;
}

export interface SearchSource {
  readonly needs: Resource;
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
];
