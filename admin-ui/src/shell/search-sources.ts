/** The sources of the global search, and the labels of results. */

import type { Client } from "../api/client";
import type { ConfigView } from "../api/generated/client";
import {
  documentFor,
  loadCatalogue,
  matches,
  type SettingsDocument,
  wordsIn,
} from "../features/configs/form/catalogue";
import { placeOf, placeText } from "../features/configs/scope";
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
  /** Find something by words; `here` is the path of the open page. */
  readonly find: (client: Client, words: string, signal: AbortSignal, here: string) => Promise<Find[]>;
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
  { needs: "SYSTEM_CONFIGS", find: findSettings },
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

/** Settings of configuration files: in the file that is open, or else in the file for everyone. */
async function findSettings(client: Client, q: string, signal: AbortSignal, here: string): Promise<Find[]> {
  const words = wordsIn(q);
  const found = (await loadCatalogue()).flatMap((document) =>
    document.sections
      .flatMap((section) => section.fields)
      .filter((field) => matches(field, words))
      .map((field) => ({ field, document })),
  );
  const [first] = found;
  if (!first) return [];
  const open = await openFile(client, here, signal);
  const same = open ? found.filter(({ document }) => documentFor([document], open.file)) : [];
  const file = open && same.length > 0 ? open : await fileForEveryone(client, first.document, signal);
  return (same.length > 0 ? same : found.filter(({ document }) => document === first.document))
    .slice(0, EACH)
    .map(({ field, document }) => ({
      label: field.path,
      note: file ? `Setting in ${file.file} for ${placeText(placeOf(file))}` : `Setting of ${document.document}`,
      to: file ? pathOf("configs", file.id) : "/configs/-/new",
      search: { view: "form", setting: field.path },
      icon: "configs",
    }));
}

async function openFile(client: Client, here: string, signal: AbortSignal): Promise<ConfigView | null> {
  const [, id] = /^\/configs\/([^/]{2,})$/.exec(here) ?? [];
  if (!id) return null;
  const path = { config_id: decodeURIComponent(id) };
  return client.call("readConfig", { path, signal }).then(
    (answer) => answer.data,
    () => null,
  );
}

async function fileForEveryone(
  client: Client,
  { document }: SettingsDocument,
  signal: AbortSignal,
): Promise<ConfigView | null> {
  const query = { file: document, scope: "base", limit: 1 };
  return (await client.call("listConfigs", { query, signal })).data.items[0] ?? null;
}
