/** All open workspaces with their contents, and apps in separate windows. */

import { OpenError } from "../agent";
import type { WebApp } from "../apps/apps";
import type { Interop } from "../interop/interop";
import type { AppPanel, Obstacle, PanelHost } from "./app-panel";
import { type AppWindow, AppWindows, type Bounds, type KnownWindow } from "./app-windows";
import { Dock } from "./dock";
import type { WorkspaceState } from "./layout-format";
import { newId } from "./new-id";
import { OpenedApps } from "./opened-apps";

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly dock: Dock;
}

/** The displayed list of workspaces; a new object for each change. */
export interface WorkbenchState {
  readonly workspaces: readonly Workspace[];
  readonly active: string;
  readonly windows: readonly AppWindow[];
}

export interface SavedWorkbench {
  /** `ids` are the identities of the apps, in the order of their windows. */
  workspaces: { name: string; state: WorkspaceState; ids: string[] }[];
  active: number;
  windows?: KnownWindow[];
}

export interface WorkbenchOptions {
  obstacle(app: WebApp): Obstacle | null;
  /** Whether the user prefers a window for an app, regardless of its definition. */
  opensOutside(app: WebApp): boolean;
  /** The user has moved an app out of its panel. */
  onMovedOutside(app: WebApp): void;
  /** Notified of apps that the browser did not allow to open. */
  onBlocked(app: WebApp, retry: () => void): void;
  /** Connects the apps with each other. */
  interop: Interop;
}

const EMPTY = "Nothing is open in this workspace. Open an app from the list of apps (Ctrl K).";

export class Workbench {
  private apps = new Map<string, WebApp>();
  private state: WorkbenchState = { workspaces: [], active: "", windows: [] };
  private readonly windows: AppWindows;
  private readonly openedApps = new OpenedApps((id) => this.whereIs(id) !== null);
  private readonly listeners = new Set<() => void>();
  private readonly changes = new Set<() => void>();
  private readonly host: PanelHost;

  constructor(private readonly options: WorkbenchOptions) {
    this.host = {
      appOf: (name) => this.apps.get(name),
      obstacle: options.obstacle,
      openOutside: (app) => {
        const isOpen = this.openOutside(app, "window");
        if (isOpen) options.onMovedOutside(app);
        return isOpen;
      },
      frameMade: ({ frame, app, id }) => {
        if (frame && app) options.interop.add(frame, identityOf(app, id, false));
      },
      frameGone: ({ frame, id }) => {
        if (frame) options.interop.remove(frame, id);
      },
      interop: options.interop,
    };
    this.windows = new AppWindows(() => this.become({ windows: this.windows.all }), {
      opened: ({ window: target, app, id }) => options.interop.add(target, identityOf(app, id, true)),
      closed: ({ window: target, id }) => options.interop.remove(target, id),
    });
    // The browser only reports the address of a blocked frame, and nothing if the page itself refuses.
    document.addEventListener("securitypolicyviolation", (event) => {
      if (event.effectiveDirective === "frame-src") this.refusedByPolicy(event.blockedURI);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): WorkbenchState => this.state;

  /** Notified of each change of what is open and where, to store it. */
  readonly onArranged = (listener: () => void): (() => void) => {
    this.changes.add(listener);
    return () => this.changes.delete(listener);
  };

  /** The current apps of the user. Open apps stay open; panels that waited for their app show it. */
  setApps(apps: readonly WebApp[]): void {
    this.apps = new Map(apps.map((app) => [app.name, app]));
    for (const panel of this.panels) panel.show();
  }

  /** Add a workspace; `ids` are the identities of its apps, if known. */
  add(name: string, state?: WorkspaceState, ids: readonly string[] = []): Workspace {
    const dock = new Dock(
      this.host,
      (app) => this.apps.get(app)?.title ?? app,
      () => this.arranged(),
      EMPTY,
    );
    try {
      if (state) dock.restore(state, ids);
    } catch (error) {
      dock.dispose();
      throw error;
    }
    const workspace = { id: newId(), name, dock };
    this.become({ workspaces: [...this.state.workspaces, workspace], active: workspace.id });
    return workspace;
  }

  select(id: string): void {
    this.become({ active: id });
  }

  rename(id: string, name: string): void {
    this.become({ workspaces: this.state.workspaces.map((each) => (each.id === id ? { ...each, name } : each)) });
  }

  /** Close a workspace with its contents. At least one workspace always remains. */
  close(id: string): void {
    const { workspaces, active } = this.state;
    const at = workspaces.findIndex((each) => each.id === id);
    const left = workspaces.filter((each) => each.id !== id);
    workspaces[at]?.dock.dispose();
    const next = active === id ? (left[Math.max(0, at - 1)]?.id ?? "") : active;
    this.become({ workspaces: left, active: next });
    if (left.length === 0) this.add("Workspace 1");
  }

  /** Open an app as its definition requires, or bring an open instance to the front. */
  open(app: WebApp): void {
    if (!app.allowsMany && this.focus(app.name)) return;
    const place = this.placeOf(app);
    if (place === "frame") this.activeWorkspace.dock.add(app);
    else this.openOutside(app, place);
  }

  /** Open an app for another one, beside which it is shown; the result is its identity. */
  async openFor(request: { appId: string; instanceId: string; source: string; bounds?: Bounds }): Promise<string> {
    const app = this.apps.get(request.appId);
    if (!app) throw new OpenError("AppNotFound");
    const running = app.allowsMany ? undefined : this.focus(app.name);
    if (running) return running;
    const by = this.appOf(request.source);
    if (!this.openedApps.add(by?.name ?? request.source, request.instanceId)) {
      const name = by?.title ?? "An app";
      throw new OpenError("ErrorOnLaunch", `${name} has opened too many apps. Close some of them, and try again.`);
    }
    const place = this.placeOf(app);
    if (place === "frame") {
      const from = this.state.workspaces.find(({ dock }) => dock.panels.has(request.source));
      if (from) this.select(from.id);
      (from ?? this.activeWorkspace).dock.add(app, request.instanceId, request.source);
    } else {
      const add = () => this.windows.add(app, place, request.instanceId, request.bounds);
      // The user may open the blocked window later; until then the agent waits for the app.
      if (!add()) this.options.onBlocked(app, add);
    }
    return request.instanceId;
  }

  openOutside(app: WebApp, place: "window" | "tab"): boolean {
    const opened = this.windows.add(app, place);
    if (!opened) this.options.onBlocked(app, () => this.openOutside(app, place));
    return opened !== null;
  }

  /** Close a running app. */
  closeApp(instanceId: string): void {
    this.windows.close(instanceId);
    this.state.workspaces.find(({ dock }) => dock.panels.has(instanceId))?.dock.close(instanceId);
  }

  /** Set the windows that this tab opened before the page was reloaded. */
  expectWindows(windows: readonly KnownWindow[]): void {
    this.windows.expect(windows);
  }

  /** Find the window of a page that has sent a message, if it was opened before a reload. */
  recall(source: Window, origin: string): void {
    this.windows.recall(source, origin, (name) => this.apps.get(name));
  }

  /** Find the window of a connected app. */
  recallInstance(instanceId: string): void {
    this.windows.recallInstance(instanceId, (name) => this.apps.get(name));
  }

  /** Bring a running app to the front. */
  show(instanceId: string): void {
    this.windows.all.find((each) => each.id === instanceId)?.window.focus();
    const workspace = this.state.workspaces.find(({ dock }) => dock.panels.has(instanceId));
    if (!workspace) return;
    this.select(workspace.id);
    workspace.dock.focus(instanceId);
  }

  /** Return where a running app is; null if it is not in this page. */
  whereIs(instanceId: string): string | null {
    if (this.windows.all.some((each) => each.id === instanceId)) return "Window";
    return this.state.workspaces.find(({ dock }) => dock.panels.has(instanceId))?.name ?? null;
  }

  /** An app that the user has. */
  find(name: string): WebApp | undefined {
    return this.apps.get(name);
  }

  /** The app of an instance in this page. */
  appOf(instanceId: string): WebApp | undefined {
    const outside = this.windows.all.find((each) => each.id === instanceId)?.app;
    return outside ?? this.panels.find((each) => each.id === instanceId)?.app;
  }

  get saved(): SavedWorkbench {
    const { workspaces, active } = this.state;
    return {
      workspaces: workspaces.map(({ name, dock }) => ({ name, ...dock.saved })),
      active: Math.max(
        0,
        workspaces.findIndex((each) => each.id === active),
      ),
      windows: this.windows.saved,
    };
  }

  get activeWorkspace(): Workspace {
    const found = this.state.workspaces.find((each) => each.id === this.state.active);
    return found ?? this.add("Workspace 1");
  }

  get panels(): AppPanel[] {
    return this.state.workspaces.flatMap(({ dock }) => [...dock.panels.values()]);
  }

  private placeOf(app: WebApp): "frame" | "window" | "tab" {
    if (app.place !== "frame") return app.place;
    return this.options.opensOutside(app) ? "window" : "frame";
  }

  /** Bring an app to the front; the result is its identity, or undefined if it is not open. */
  private focus(app: string): string | undefined {
    const outside = this.windows.of(app);
    outside?.window.focus();
    if (outside) return outside.id;
    for (const { id, dock } of this.state.workspaces) {
      const panel = [...dock.panels.values()].find((each) => each.name === app);
      if (!panel) continue;
      this.select(id);
      dock.focus(panel.id);
      return panel.id;
    }
    return undefined;
  }

  private refusedByPolicy(address: string): void {
    const reason =
      "The page redirects to an address that is not in its app definition. Open it in a window, or ask an administrator to correct the address of the app.";
    const origin = URL.canParse(address) && new URL(address).origin;
    for (const panel of this.panels) {
      if (panel.app?.origin === origin) panel.refused(reason);
    }
  }

  private become(change: Partial<WorkbenchState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
    this.arranged();
  }

  private arranged(): void {
    for (const listener of this.changes) listener();
  }
}

/** The identity of an app's window or frame; the id of the instance names both. */
function identityOf(app: WebApp, id: string, outlivesPage: boolean) {
  return { appId: app.name, instanceId: id, origin: app.origin, place: id, outlivesPage };
}
