/** Layouts and preferences of the user, as the manager stores them. */

import { objectOf, textOf } from "./client-app";
import type { LayoutStore, PreferenceStore, StoredLayout, StoredPreferences } from "./host";
import type { Json } from "./peer";

/** A request to the manager, by the path of its API, such as `/layouts`. */
export type ManagerCall = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: Json) => Promise<unknown>;

export class ManagerLayouts implements LayoutStore {
  constructor(private readonly call: ManagerCall) {}

  async list(): Promise<readonly StoredLayout[]> {
    const { layouts } = objectOf(await this.call("GET", "/layouts"));
    return (Array.isArray(layouts) ? layouts : []).map(objectOf).map((layout) => ({
      ...layout,
      name: textOf(layout.name),
      type: textOf(layout.type),
      components: Array.isArray(layout.components) ? layout.components : [],
    }));
  }

  async save(layout: StoredLayout): Promise<void> {
    await this.call("POST", "/layouts", { layout });
  }

  async rename(layout: StoredLayout, newName: string): Promise<void> {
    await this.call("PUT", "/layouts", { layout, newName });
  }

  async remove(type: string, name: string): Promise<void> {
    await this.call("DELETE", "/layouts", { type, name });
  }

  async readDefault(): Promise<{ name: string; type: string } | null> {
    const { name, type } = objectOf(await this.call("GET", "/layouts/default"));
    return typeof name === "string" && typeof type === "string" ? { name, type } : null;
  }

  async chooseDefault(layout: { name: string; type: string } | null): Promise<void> {
    await this.call("POST", "/layouts/default", layout === null ? {} : { name: layout.name, type: layout.type });
  }
}

export class ManagerPreferences implements PreferenceStore {
  constructor(private readonly call: ManagerCall) {}

  async read(app: string): Promise<StoredPreferences> {
    const answer = await this.call("GET", `/prefs?app=${encodeURIComponent(app)}`);
    return { ...stored(Array.isArray(answer) ? answer[0] : answer), app };
  }

  async readAll(): Promise<readonly StoredPreferences[]> {
    const answer = await this.call("GET", "/prefs/all");
    return (Array.isArray(answer) ? answer : []).map(stored).filter(({ app }) => app !== "");
  }

  async save(app: string, data: Json): Promise<void> {
    await this.call("POST", "/prefs", { app, data });
  }

  async remove(app: string): Promise<void> {
    await this.call("DELETE", "/prefs", { app });
  }

  async removeAll(): Promise<void> {
    await this.call("DELETE", "/prefs");
  }
}

function stored(answer: unknown): StoredPreferences {
  const { app, data, lastUpdate } = objectOf(answer);
  return { app: textOf(app), data: objectOf(data), ...(typeof lastUpdate === "string" ? { lastUpdate } : {}) };
}
