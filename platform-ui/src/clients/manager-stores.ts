/** Layouts and preferences of the user, stored by the manager. */

import type { Client } from "../../../admin-ui/src/api/client";
import { objectOf, textOf } from "./client-app";
import type { LayoutStore, PreferenceStore, StoredLayout, StoredPreferences } from "./host";
import type { Json } from "./peer";

export class ManagerLayouts implements LayoutStore {
  constructor(private readonly client: Client) {}

  async list(): Promise<readonly StoredLayout[]> {
    const { data } = await this.client.call("getLayouts", {});
    return data.layouts.map(objectOf).map((layout) => ({
      ...layout,
      name: textOf(layout.name),
      type: textOf(layout.type),
      components: Array.isArray(layout.components) ? layout.components : [],
    }));
  }

  async save(layout: StoredLayout): Promise<void> {
    await this.client.call("saveLayout", { body: { layout: { ...layout } } });
  }

  async rename(layout: StoredLayout, newName: string): Promise<void> {
    await this.client.call("renameLayout", { body: { layout: { ...layout }, newName } });
  }

  async remove(type: string, name: string): Promise<void> {
    await this.client.call("removeLayouts", { body: { type, name } });
  }

  async readDefault(): Promise<{ name: string; type: string } | null> {
    const { data } = await this.client.call("getDefaultLayout", {});
    const { name, type } = objectOf(data);
    return typeof name === "string" && typeof type === "string" ? { name, type } : null;
  }

  async chooseDefault(layout: { name: string; type: string } | null): Promise<void> {
    await this.client.call("setDefaultLayout", {
      body: layout === null ? {} : { name: layout.name, type: layout.type },
    });
  }
}

export class ManagerPreferences implements PreferenceStore {
  constructor(
    private readonly client: Client,
    /** Data of the platform itself; apps can neither read nor remove it. */
    private readonly ownName = "",
  ) {}

  async read(app: string): Promise<StoredPreferences> {
    this.checkName(app);
    const { data } = await this.client.call("getPreferences", { query: { app } });
    return { ...stored(Array.isArray(data) ? data[0] : data), app };
  }

  async readAll(): Promise<readonly StoredPreferences[]> {
    const { data } = await this.client.call("getAllPreferences", {});
    return (Array.isArray(data) ? data : []).map(stored).filter(({ app }) => app !== "" && !this.isOwn(app));
  }

  async save(app: string, data: Json): Promise<void> {
    this.checkName(app);
    await this.client.call("savePreferences", { body: { app, data } });
  }

  async remove(app: string): Promise<void> {
    this.checkName(app);
    await this.client.call("clearPreferences", { body: { app } });
  }

  async removeAll(): Promise<void> {
    for (const { app } of await this.readAll()) await this.remove(app);
  }

  private checkName(app: string): void {
    if (this.isOwn(app)) throw new Error(`The name ${app} is reserved for the platform.`);
  }

  private isOwn(app: string): boolean {
    return this.ownName !== "" && app.toLowerCase() === this.ownName;
  }
}

function stored(answer: unknown): StoredPreferences {
  const { app, data, lastUpdate } = objectOf(answer);
  return { app: textOf(app), data: objectOf(data), ...(typeof lastUpdate === "string" ? { lastUpdate } : {}) };
}
