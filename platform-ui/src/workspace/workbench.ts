/** Everything that is open: the workspaces and what is in them, and apps in windows of their own. */

import type { WebApp } from "../apps/apps";
import type { AppPanel, Obstacle, PanelHost } from "./app-panel";
import { type AppWindow, AppWindows } from "./app-windows";
import { Dock } from "./dock";
import type { WorkspaceState } from "./layout-format";
import { newId } from "./new-id";

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly dock: Dock;
}

/** What a list of workspaces shows; a new object whenever something of it changes. */
export interface WorkbenchState {
  readonly workspaces: readonly Workspace[];
  readonly active: string;
  readonly windows: readonly AppWindow[];
}

export interface SavedWorkbench {
  workspaces: { name: string; state: WorkspaceState }[];
  active: number;
}

export interface WorkbenchOptions {
  obstacle(app: WebApp): Obstacle | null;
  /** Whether the user wants an app in a window, whatever its definition says. */
  opensOutside(app: WebApp): boolean;
  /** The user has moved an app out of its panel. */
  onMovedOutside(app: WebApp): void;
  /** Told of apps that the browser did not let the platform open. */
  onBlocked(app: WebApp, retry: () => void): void;
  onFrame?: (panel: AppPanel) => void;
  onFrameGone?: (panel: AppPanel) => void;
}

const EMPTY = "Nothing is open in this workspace. Open an app from the list of apps (Ctrl K).";

export class Workbench {
  private apps = new Map<string, WebApp>();
  private state: WorkbenchState = { workspaces: [], active: "", windows: [] };
  private readonly windows = new AppWindows(() => this.become({ windows: this.windows.all }));
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
      frameMade: (panel) => options.onFrame?.(panel),
      frameGone: (panel) => options.onFrameGone?.(panel),
    };
    // The browser names a refused frame by its address only, and says nothing if the page itself refuses.
    document.addEventListener("securitypolicyviolation", (event) => {
      if (event.effectiveDirective === "frame-src") this.refusedByPolicy(event.blockedURI);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): WorkbenchState => this.state;

  /** Told of each change of what is open and where; used to remember it. */
  readonly onArranged = (listener: () => void): (() => void) => {
    this.changes.add(listener);
    return () => this.changes.delete(listener);
  };

  /** The apps that the user has now. Open apps stay open; panels that waited for their app show it. */
  setApps(apps: readonly WebApp[]): void {
    this.apps = new Map(apps.map((app) => [app.name, app]));
    for (const panel of this.panels) panel.show();
  }

  add(name: string, state?: WorkspaceState): Workspace {
    const dock = new Dock(
      this.host,
      (app) => this.apps.get(app)?.title ?? app,
      () => this.arranged(),
      EMPTY,
    );
    try {
      if (state) dock.restore(state);
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

  /** Close a workspace and everything in it. There is always one. */
  close(id: string): void {
    const { workspaces, active } = this.state;
    const at = workspaces.findIndex((each) => each.id === id);
    const left = workspaces.filter((each) => each.id !== id);
    workspaces[at]?.dock.dispose();
    const next = active === id ? (left[Math.max(0, at - 1)]?.id ?? "") : active;
    this.become({ workspaces: left, active: next });
    if (left.length === 0) this.add("Workspace 1");
  }

  /** Open an app where its definition says, or bring the one that is open to the front. */
  open(app: WebApp): void {
    if (!app.allowsMany && this.focus(app.name)) return;
    if (app.place !== "frame") this.openOutside(app, app.place);
    else if (this.options.opensOutside(app)) this.openOutside(app, "window");
    else this.activeWorkspace.dock.add(app);
  }

  openOutside(app: WebApp, place: "window" | "tab"): boolean {
    const opened = this.windows.add(app, place);
    if (!opened) this.options.onBlocked(app, () => this.openOutside(app, place));
    return opened !== null;
  }

  get saved(): SavedWorkbench {
    const { workspaces, active } = this.state;
    return {
      workspaces: workspaces.map(({ name, dock }) => ({ name, state: dock.state })),
      active: Math.max(
        0,
        workspaces.findIndex((each) => each.id === active),
      ),
    };
  }

  get activeWorkspace(): Workspace {
    const found = this.state.workspaces.find((each) => each.id === this.state.active);
    return found ?? this.add("Workspace 1");
  }

  get panels(): AppPanel[] {
    return this.state.workspaces.flatMap(({ dock }) => [...dock.panels.values()]);
  }

  private focus(app: string): boolean {
    const outside = this.windows.of(app);
    outside?.window.focus();
    if (outside) return true;
    for (const { id, dock } of this.state.workspaces) {
      const panel = [...dock.panels.values()].find((each) => each.name === app);
      if (!panel) continue;
      this.select(id);
      dock.focus(panel.id);
      return true;
    }
    return false;
  }

  private refusedByPolicy(address: string): void {
    const reason =
      "The page leads to an address that the app directory does not name. Open it in a window, or ask an administrator to correct the address of the app.";
    for (const panel of this.panels) {
      if (panel.app && address.startsWith(panel.app.origin)) panel.refused(reason);
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
