/** One workspace on the screen: tabs, splits and floating groups of apps. */

import {
  createDockview,
  type DockviewApi,
  type DockviewGroupPanel,
  type IDockviewPanel,
  type IHeaderActionsRenderer,
  type ITabRenderer,
  type TabPartInitParameters,
} from "dockview";
import type { WebApp } from "../apps/apps";
import type { Interop } from "../interop/interop";
import { AppPanel, type PanelHost } from "./app-panel";
import { ChannelButton, ChannelMark } from "./channel-button";
import { type PanelParams, toScreen, toWorkspace, type WorkspaceState, windowIdsOf } from "./layout-format";
import { newId } from "./new-id";

/** A group of at least this width is split for an app that another app opens. */
const ROOM_BESIDES = 720;

export class Dock {
  readonly element = document.createElement("div");
  readonly panels = new Map<string, AppPanel>();
  private readonly api: DockviewApi;

  constructor(
    host: PanelHost,
    private readonly titleOf: (app: string) => string,
    onChange: () => void,
    emptyText: string,
  ) {
    this.element.className = "dock";
    this.api = createDockview(this.element, {
      defaultRenderer: "always",
      theme: { name: "rostrum", className: "dockview-theme-rostrum", gap: 6, dndTabIndicator: "line" },
      floatingGroupBounds: "boundedWithinViewport",
      createComponent: ({ id }) => {
        const panel = new AppPanel(id, host);
        this.panels.set(id, panel);
        return panel;
      },
      defaultTabComponent: "app",
      createTabComponent: () => new AppTab(host.interop),
      createWatermarkComponent: () => watermark(emptyText),
      createRightHeaderActionComponent: (group) =>
        new GroupActions(
          group,
          () => this.api,
          () => this.moveOutside(group.activePanel?.id ?? "", host),
          host.interop,
        ),
    });
    withoutLevels(this.element);
    // Here and not at the tabs: dockview creates a new tab for an app that moves to another group.
    this.element.addEventListener("keydown", (event) => this.tabKey(event));
    this.api.onDidRemovePanel((panel) => {
      this.panels.delete(panel.id);
    });
    this.api.onDidLayoutChange(onChange);
  }

  /** Open an app in the active group, or beside another app if there is space. */
  add(app: WebApp, id: string = newId(), besides = ""): void {
    const params: PanelParams = { app: app.name };
    const options = { id, component: "app", title: app.title, params, renderer: "always" } as const;
    const other = this.api.getPanel(besides);
    if (!other) this.api.addPanel(options);
    else {
      const direction = other.group.width >= ROOM_BESIDES ? "right" : "within";
      this.api.addPanel({ ...options, position: { referencePanel: other, direction } });
    }
  }

  focus(id: string): void {
    this.api.getPanel(id)?.api.setActive();
    this.panels.get(id)?.focus();
  }

  close(id: string): void {
    this.api.getPanel(id)?.api.close();
  }

  setTitle(id: string, title: string): void {
    this.api.getPanel(id)?.api.setTitle(title);
  }

  /** Move an app from its panel to a window, where its page is loaded again. */
  private moveOutside(id: string, host: PanelHost): void {
    const app = this.panels.get(id)?.app;
    if (app && host.openOutside(app)) this.close(id);
  }

  get state(): WorkspaceState {
    return toWorkspace(this.api.toJSON());
  }

  /** The open apps, with their identities. */
  get saved(): { state: WorkspaceState; ids: string[] } {
    const screen = this.api.toJSON();
    return { state: toWorkspace(screen), ids: windowIdsOf(screen) };
  }

  /** Restore a saved workspace; `ids` are the identities of the apps, if known. */
  restore(state: WorkspaceState, ids: readonly string[] = []): void {
    this.api.fromJSON(toScreen(state, newId, this.titleOf, ids));
  }

  dispose(): void {
    this.api.dispose();
    this.element.remove();
  }

  /** On a tab, Delete closes its app. Ctrl, Shift and an arrow key move the app, as the pointer does by dragging. */
  private tabKey(event: KeyboardEvent): void {
    const id = (event.target as Element).closest(".dv-tab")?.getAttribute("data-tab-panel-id") ?? "";
    const panel = this.api.getPanel(id);
    if (!panel) return;
    if (event.key === "Delete") panel.api.close();
    if (!isDirection(event.key) || !event.ctrlKey || !event.shiftKey) return;
    event.preventDefault();
    this.move(panel, event.key);
    this.element.querySelector<HTMLElement>(`.dv-tab[data-tab-panel-id="${CSS.escape(id)}"]`)?.focus();
  }

  /** Move an app to the next group in a direction; at the end of the workspace, split its own group. */
  private move({ api, group }: IDockviewPanel, key: keyof typeof DIRECTIONS): void {
    const { next, edge } = DIRECTIONS[key];
    const target = this.api.adjacentGroupInDirection(group, next);
    if (target) api.moveTo({ group: target as DockviewGroupPanel });
    else if (group.panels.length > 1) api.moveTo({ group, position: edge });
  }
}

/** Arrow keys that move an app, with the name of the direction for groups and for the edges of a group. */
const DIRECTIONS = {
  ArrowLeft: { next: "left", edge: "left" },
  ArrowRight: { next: "right", edge: "right" },
  ArrowUp: { next: "up", edge: "top" },
  ArrowDown: { next: "down", edge: "bottom" },
} as const;

function isDirection(key: string): key is keyof typeof DIRECTIONS {
  return key in DIRECTIONS;
}

/** The tab of an app. A tab must not contain other controls, so its cross is for the pointer; Delete does the same. */
class AppTab implements ITabRenderer {
  readonly element = document.createElement("div");
  private readonly title = document.createElement("span");
  private listener: { dispose(): void } | null = null;
  private mark: ChannelMark | null = null;

  constructor(private readonly interop: Interop) {}

  init({ api, title }: TabPartInitParameters): void {
    this.element.className = "app-tab";
    this.title.textContent = title;
    const cross = document.createElement("span");
    cross.className = "tab-close";
    cross.setAttribute("aria-hidden", "true");
    cross.append(drawing("M6 6l12 12M18 6L6 18"));
    // A press would start to drag the tab.
    cross.addEventListener("pointerdown", (event) => event.preventDefault());
    cross.addEventListener("click", (event) => {
      event.stopPropagation();
      api.close();
    });
    this.mark = new ChannelMark(this.interop, api.id);
    this.element.append(this.mark.element, this.title, cross);
    this.listener = api.onDidTitleChange((change) => {
      this.title.textContent = change.title;
    });
  }

  dispose(): void {
    this.listener?.dispose();
    this.mark?.dispose();
  }
}

/** dockview keeps the order of floating groups in `aria-level`, which dialogs may not have. */
function withoutLevels(element: HTMLElement): void {
  const clean = () => {
    for (const each of element.querySelectorAll("[role=dialog][aria-level]")) each.removeAttribute("aria-level");
  };
  new MutationObserver(clean).observe(element, { subtree: true, attributeFilter: ["aria-level"], childList: true });
}

/** The buttons of a group: select the channel of its app, open the app in a window, float or dock it, maximize or restore it. */
class GroupActions implements IHeaderActionsRenderer {
  readonly element = document.createElement("div");
  private readonly outside = action("M14 4h6v6M20 4l-9 9M18 14v6H4V6h6");
  private readonly float = action("M4 8h10v10H4zM9 8V4h11v11h-6");
  private readonly maximize = action("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5");
  private readonly listeners: { dispose(): void }[] = [];
  private readonly channel: ChannelButton;

  constructor(
    private readonly group: DockviewGroupPanel,
    private readonly dockview: () => DockviewApi,
    onOutside: () => void,
    interop: Interop,
  ) {
    this.element.className = "group-actions";
    this.channel = new ChannelButton(interop, () => this.group.activePanel ?? null);
    this.element.append(this.channel.element, this.outside, this.float, this.maximize);
    name(this.outside, "Open in a window");
    this.outside.addEventListener("click", onOutside);
    this.float.addEventListener("click", () => this.toggleFloat());
    this.maximize.addEventListener("click", () => this.toggleMaximize());
  }

  init(): void {
    this.listeners.push(
      this.group.api.onDidLocationChange(() => this.label()),
      this.group.api.onDidActivePanelChange(() => this.channel.show()),
      this.dockview().onDidMaximizedGroupChange(() => this.label()),
    );
    this.label();
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.channel.dispose();
  }

  private get isFloating(): boolean {
    return this.group.api.location.type === "floating";
  }

  private toggleFloat(): void {
    if (!this.isFloating) {
      this.dockview().addFloatingGroup(this.group, { x: 60, y: 60, width: 520, height: 380 });
      return;
    }
    const docked = this.dockview().groups.find((group) => group.api.location.type === "grid");
    const target = docked ?? this.dockview().addGroup();
    this.group.api.moveTo(docked ? { group: target, position: "right" } : { group: target });
  }

  private toggleMaximize(): void {
    if (this.group.api.isMaximized()) this.group.api.exitMaximized();
    else this.group.api.maximize();
  }

  private label(): void {
    name(this.float, this.isFloating ? "Dock this group" : "Float this group");
    this.maximize.hidden = this.isFloating;
    name(this.maximize, this.group.api.isMaximized() ? "Restore this group" : "Maximize this group");
  }
}

function action(path: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "group-action";
  button.append(drawing(path));
  return button;
}

function drawing(path: string): SVGElement {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  picture.append(line);
  return picture;
}

function name(button: HTMLButtonElement, text: string): void {
  button.setAttribute("aria-label", text);
  button.title = text;
}

function watermark(text: string) {
  const element = document.createElement("div");
  element.className = "workspace-empty";
  element.textContent = text;
  return { element, init: () => undefined };
}
