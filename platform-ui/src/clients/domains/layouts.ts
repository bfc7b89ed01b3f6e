/**
 * Layouts: stored by the manager. A layout of the type `Global` contains the open apps. Only these can be restored here.
 */

import type { OpenWindow } from "../app-windows";
import { objectOf, present, textOf } from "../client-app";
import { boundsOf, type Domain, type Operation, type Platform, UnsupportedOperation } from "../domain";
import type { StoredLayout } from "../host";
import type { Json } from "../peer";

const GLOBAL = "Global";

export class LayoutsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    get: async ({ name, type }) => present({ layout: await this.find(textOf(type), textOf(name)) }),
    getAll: async ({ type }) => ({ summaries: (await this.ofType(textOf(type))).map(summary) }),
    export: async ({ type }) => ({ layouts: await this.ofType(textOf(type)) }),
    import: ({ layouts, mode }) => this.import(Array.isArray(layouts) ? layouts.map(objectOf) : [], mode),
    save: ({ layout }) => this.save(objectOf(layout)),
    restore: ({ layout }, caller) => this.restore(objectOf(layout), caller),
    remove: ({ type, name }) => this.remove(textOf(type), textOf(name)),
    rename: ({ layout, newName }) => this.rename(objectOf(layout), textOf(newName)),
    updateMetadata: ({ layout }) => this.updateMetadata(objectOf(layout)),
    getCurrent: () => present({ layout: this.current }),
    getDefaultGlobal: async () => present({ layout: await this.readDefault() }),
    setDefaultGlobal: ({ name }) => this.chooseDefault(textOf(name)),
    clearDefaultGlobal: () => this.chooseDefault(null),
    checkGlobalActivated: () => ({ isAvailable: true }),
    getGlobalPermissionState: () => ({ state: "granted" }),
    requestGlobalPermission: () => ({ isAvailable: true }),
  };
  private current: StoredLayout | undefined;

  constructor(private readonly platform: Platform) {}

  private async ofType(type: string): Promise<readonly StoredLayout[]> {
    return (await this.platform.host.layouts.list()).filter((layout) => layout.type === type).map(clean);
  }

  private async find(type: string, name: string): Promise<StoredLayout | undefined> {
    return (await this.ofType(type)).find((layout) => layout.name === name);
  }

  private async existing(operation: string, type: string, name: string): Promise<StoredLayout> {
    const found = await this.find(type, name);
    if (found === undefined) throw new Error(`layouts.${operation}: there is no layout ${name} of the type ${type}.`);
    return found;
  }

  private async import(layouts: readonly Json[], mode: unknown): Promise<void> {
    for (const layout of layouts.map(stored)) {
      const before = await this.find(layout.type, layout.name);
      if (mode === "merge" && before !== undefined) continue;
      await this.store(layout, before !== undefined);
    }
  }

  private async store(layout: StoredLayout, isKnown: boolean): Promise<void> {
    await this.platform.host.layouts.save(layout);
    this.platform.publish("layouts", isKnown ? "layoutChanged" : "layoutAdded", layout);
  }

  private async save({ name, context, metadata, instances, ignoreInstances, setAsCurrent }: Json): Promise<Json> {
    const wanted = this.platform.windows.all.filter(
      ({ windowId }) =>
        (!Array.isArray(instances) || instances.includes(windowId)) &&
        !(Array.isArray(ignoreInstances) && ignoreInstances.includes(windowId)),
    );
    const components = await Promise.all(wanted.map((open) => this.component(open, textOf(name))));
    const layout = stored(present({ name, type: GLOBAL, components, context, metadata }));
    await this.store(layout, (await this.find(GLOBAL, layout.name)) !== undefined);
    if (setAsCurrent !== false) this.current = layout;
    return { layout };
  }

  /** Describe an open app, with the context that its page provides for restoring. */
  private async component(open: OpenWindow, layoutName: string): Promise<Json> {
    const { app, windowId, channels } = open;
    const { url } = this.platform.host.apps().find(({ name }) => name === app.appId) ?? { url: "" };
    const asked = { layoutType: GLOBAL, layoutName };
    const { windowContext } = await this.answer(open, "layouts", "clientSaveRequest", asked);
    const { bounds } = await this.answer(open, "windows", "getBounds", { windowId });
    const state = present({
      bounds: { top: 0, left: 0, width: 800, height: 600, ...boundsOf(objectOf(bounds)) },
      createArgs: present({ name: app.appId, url: url || undefined }),
      context: windowContext ?? {},
      instanceId: windowId,
      restoreSettings: {},
      channelId: channels[0],
    });
    return { type: "window", componentType: "application", application: app.appId, state };
  }

  /** Call an operation of the library of an app; the result is empty without a library, or if the call fails. */
  private async answer(open: OpenWindow, domain: string, operation: string, data: Json): Promise<Json> {
    if (!open.relay?.peer) return {};
    return this.platform.ask(open, domain, operation, data).catch(() => ({}));
  }

  private async restore(options: Json, caller: OpenWindow): Promise<void> {
    const { name, context, closeRunningInstance, closeMe } = options;
    const layout = await this.existing("restore", GLOBAL, textOf(name));
    const components = layout.components.filter(({ type }) => type === "window");
    if (components.length < layout.components.length) {
      throw new UnsupportedOperation("layouts", "restore", "The layout contains workspaces. Open it in the platform.");
    }
    const before = closeRunningInstance === false ? [] : this.platform.windows.all.filter((open) => open !== caller);
    for (const { application, state } of components) {
      const { bounds, context: own, channelId } = objectOf(state);
      const channel = typeof channelId === "string" ? { channel: channelId } : {};
      const given = { ...objectOf(own), ...objectOf(context) };
      await this.platform.open(textOf(application), {
        source: caller,
        bounds: boundsOf(objectOf(bounds)),
        context: given,
        ...channel,
      });
    }
    for (const open of before) this.platform.host.close(open.app.instanceId);
    this.current = layout;
    this.platform.publish("layouts", "layoutRestored", layout);
    // The response must reach the app before its page is closed.
    if (closeMe === true) setTimeout(() => this.platform.host.close(caller.app.instanceId), 0);
  }

  private async remove(type: string, name: string): Promise<void> {
    const layout = await this.existing("remove", type, name);
    await this.platform.host.layouts.remove(type, name);
    this.platform.publish("layouts", "layoutRemoved", layout);
  }

  private async rename({ name, type }: Json, newName: string): Promise<Json> {
    const layout = await this.existing("rename", textOf(type), textOf(name));
    await this.platform.host.layouts.rename(layout, newName);
    this.platform.publish("layouts", "layoutRenamed", { ...layout, name: newName, prevName: layout.name });
    return { status: "success" };
  }

  private async updateMetadata({ name, type, metadata }: Json): Promise<void> {
    const layout = await this.existing("updateMetadata", textOf(type), textOf(name));
    await this.store({ ...layout, metadata }, true);
  }

  private async readDefault(): Promise<StoredLayout | undefined> {
    const chosen = await this.platform.host.layouts.readDefault();
    return chosen?.type === GLOBAL ? this.find(GLOBAL, chosen.name) : undefined;
  }

  private async chooseDefault(name: string | null): Promise<void> {
    if (name !== null) await this.existing("setDefaultGlobal", GLOBAL, name);
    await this.platform.host.layouts.chooseDefault(name === null ? null : { name, type: GLOBAL });
    this.platform.publish("layouts", "defaultLayoutChanged", name === null ? undefined : { name });
  }
}

function stored(layout: Json): StoredLayout {
  const components = Array.isArray(layout.components) ? layout.components.map(objectOf) : [];
  return clean({ ...layout, name: textOf(layout.name), type: textOf(layout.type), components });
}

/** Keep the members that the libraries use; the manager adds others. */
function clean(layout: StoredLayout): StoredLayout {
  const { name, type, components, context, metadata, version } = layout;
  return present({ name, type, components, context, metadata, version }) as unknown as StoredLayout;
}

function summary({ name, type, context, metadata }: StoredLayout): Json {
  return present({ name, type, context, metadata });
}
