/**
 * The workspaces of a frame on the desktop. The platform determines what is open. This page draws it, like the browser
 * platform, and reports user changes of the arrangement. Apps are not in frames of the page: the window process shows
 * their windows above their panels.
 */

import {
  createDockview,
  type DockviewApi,
  type DockviewGroupPanel,
  type IContentRenderer,
  type IHeaderActionsRenderer,
  type ITabRenderer,
  type TabPartInitParameters,
} from "dockview";
import { toScreen, toWorkspace, type WorkspaceState, windowIdsOf } from "../src/workspace/layout-format";
import { newId } from "../src/workspace/new-id";

interface Workspace {
  readonly id: string;
  readonly title: string;
  readonly maximized: string;
  readonly state: WorkspaceState;
  /** The windows in the order of the state. */
  readonly ids: readonly string[];
  /** The running apps of windows. */
  readonly windows: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
}
interface Drawing {
  readonly number: number;
  readonly selected: string;
  readonly workspaces: readonly Workspace[];
}
interface Place {
  readonly instance: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
interface PageHelpers {
  call<Answer = object>(method: string, args?: object): Promise<Answer | null>;
  say(text: string): void;
  $(selector: string): HTMLElement;
  make(name: string, attributes?: object, ...children: (Node | string)[]): HTMLElement;
}
declare const page: PageHelpers;
declare global {
  interface Window {
    readonly rostrum: { on(event: string, listener: (data: never) => void): void };
  }
}

const { call, $, make } = page;

/** One workspace. Its panels are empty: windows of apps are shown above them. */
class Dock {
  readonly element = document.createElement("div");
  private readonly panels = new Map<string, HTMLElement>();
  private readonly api: DockviewApi;
  private readonly sizes = new ResizeObserver(() => reportPlaces());
  private windows: Readonly<Record<string, string>> = {};
  private known = "";

  constructor(readonly id: string) {
    this.element.className = "dock";
    this.api = createDockview(this.element, {
      theme: { name: "rostrum", className: "dockview-theme-rostrum", gap: 6, dndTabIndicator: "line" },
      floatingGroupBounds: "boundedWithinViewport",
      createComponent: ({ id: panel }) => this.panel(panel),
      defaultTabComponent: "app",
      createTabComponent: () => new AppTab(),
      createRightHeaderActionComponent: (group) => new GroupActions(group),
    });
    this.api.onDidRemovePanel((panel) => {
      const element = this.panels.get(panel.id);
      if (element) this.sizes.unobserve(element);
      this.panels.delete(panel.id);
    });
    this.api.onDidLayoutChange(() => this.arranged());
  }

  draw(workspace: Workspace): void {
    this.windows = workspace.windows;
    const wanted = JSON.stringify([workspace.state, workspace.ids]);
    if (wanted !== this.known) {
      const screen = toScreen(workspace.state, newId, (app) => app, workspace.ids);
      for (const panel of Object.values(screen.panels)) panel.renderer = "onlyWhenVisible";
      this.known = wanted;
      this.api.fromJSON(screen);
      // The page determines the sizes; they are reported to the platform when the user changes the arrangement.
      this.known = this.now();
    }
    for (const [id, title] of Object.entries(workspace.titles)) this.api.getPanel(id)?.api.setTitle(title);
    const filled = workspace.maximized ? this.api.getPanel(workspace.maximized) : undefined;
    if (filled) filled.api.maximize();
    else if (this.api.hasMaximizedGroup()) this.api.exitMaximizedGroup();
  }

  /** The positions of the visible panels, those of floating groups last. */
  get places(): Place[] {
    const shown = this.api.panels.filter((panel) => panel.api.isVisible && this.windows[panel.id]);
    const places = shown.map((panel) => {
      const box = this.panels.get(panel.id)?.getBoundingClientRect();
      const place = { left: box?.left ?? 0, top: box?.top ?? 0, width: box?.width ?? 0, height: box?.height ?? 0 };
      return { ...place, instance: this.windows[panel.id] ?? "", isFloating: panel.api.location.type === "floating" };
    });
    return places
      .filter(({ width, height }) => width > 0 && height > 0)
      .sort((a, b) => Number(a.isFloating) - Number(b.isFloating))
      .map(({ isFloating: _, ...place }) => place);
  }

  dispose(): void {
    this.sizes.disconnect();
    this.api.dispose();
    this.element.remove();
  }

  private panel(id: string): IContentRenderer {
    const element = document.createElement("div");
    element.className = "panel";
    this.panels.set(id, element);
    this.sizes.observe(element);
    return { element, init: () => undefined };
  }

  private now(): string {
    const screen = this.api.toJSON();
    return JSON.stringify([toWorkspace(screen), windowIdsOf(screen)]);
  }

  private arranged(): void {
    reportPlaces();
    const now = this.now();
    if (now === this.known || this.api.hasMaximizedGroup()) return;
    this.known = now;
    const [state, ids] = JSON.parse(now);
    void call("Workspaces.Rearranged", { workspace: this.id, state, ids });
  }
}

/** The tab of an app. A tab must not contain other controls, so its cross is for the pointer; Delete does the same. */
class AppTab implements ITabRenderer {
  readonly element = make("div", { class: "app-tab" });
  private listener: { dispose(): void } | null = null;

  init({ api, title }: TabPartInitParameters): void {
    const text = make("span", {}, title);
    const close = () => void call("Workspaces.Close", { item: api.id });
    const cross = make("span", { class: "tab-close", "aria-hidden": "true", onclick: close }, "×");
    // A press would start to drag the tab.
    cross.addEventListener("pointerdown", (event) => event.preventDefault());
    this.element.append(text, cross);
    this.listener = api.onDidTitleChange((change) => {
      text.textContent = change.title;
    });
    queueMicrotask(() => {
      this.element.closest(".dv-tab")?.addEventListener("keydown", (event) => {
        if ((event as KeyboardEvent).key === "Delete") close();
      });
    });
  }

  dispose(): void {
    this.listener?.dispose();
  }
}

class GroupActions implements IHeaderActionsRenderer {
  readonly element = make("div", { class: "group-actions" });

  constructor(group: DockviewGroupPanel) {
    const eject = () => void call("Workspaces.Eject", { item: group.activePanel?.id ?? "" });
    this.element.append(make("button", { title: "Show in a separate window", onclick: eject }, "⧉"));
  }

  init(): void {}
  dispose(): void {}
}

const docks = new Map<string, Dock>();
let drawing: Drawing = { number: 0, selected: "", workspaces: [] };
let isCovered = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Report the positions of windows to the window process, once for several changes. */
function reportPlaces(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const places = isCovered ? [] : (docks.get(drawing.selected)?.places ?? []);
    void call("Workspaces.Places", { places });
  });
}

/** Windows would cover a dialog, and the markers that show where a dragged tab goes. */
function cover(covered: boolean): void {
  isCovered = covered;
  reportPlaces();
}

function draw(next: Drawing): void {
  if (next.number < drawing.number) return;
  drawing = next;
  for (const [id, dock] of docks) {
    if (next.workspaces.some((workspace) => workspace.id === id)) continue;
    dock.dispose();
    docks.delete(id);
  }
  for (const workspace of next.workspaces) {
    let dock = docks.get(workspace.id);
    if (!dock) {
      dock = new Dock(workspace.id);
      docks.set(workspace.id, dock);
      $("#workspaces").append(dock.element);
    }
    dock.element.hidden = workspace.id !== next.selected;
    dock.draw(workspace);
  }
  drawTabs(next);
  reportPlaces();
  void call("Workspaces.Drawn", { number: next.number });
}

function drawTabs({ workspaces, selected }: Drawing): void {
  const tabs = workspaces.map(({ id, title }) =>
    make(
      "button",
      {
        role: "tab",
        "aria-selected": String(id === selected),
        onclick: () => void call("Workspaces.Select", { workspace: id }),
      },
      title,
    ),
  );
  $("#tabs").replaceChildren(...tabs);
  $("#empty").hidden = (workspaces.find(({ id }) => id === selected)?.ids.length ?? 0) > 0;
}

/** Show the apps and saved workspaces that can be opened. */
async function chooseWhatToOpen(): Promise<void> {
  const answer = await call<{ apps: { name: string; title: string }[]; layouts: string[] }>("Workspaces.Choices");
  if (!answer) return;
  const dialog = $("#choices") as HTMLDialogElement;
  const choice = (text: string, method: string, args: object) => {
    const choose = () => {
      dialog.close();
      void call(method, args);
    };
    return make("button", { onclick: choose }, text);
  };
  $("#apps").replaceChildren(...answer.apps.map(({ name, title }) => choice(title, "Workspaces.Add", { app: name })));
  $("#layouts").replaceChildren(...answer.layouts.map((name) => choice(name, "Workspaces.Open", { name })));
  cover(true);
  dialog.showModal();
}

function save(): void {
  const dialog = $("#saving") as HTMLDialogElement;
  const current = drawing.workspaces.find(({ id }) => id === drawing.selected);
  ($("#name") as HTMLInputElement).value = current?.title ?? "";
  cover(true);
  dialog.showModal();
}

for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => cover(false));
$("#saving form").addEventListener("submit", () => {
  const name = ($("#name") as HTMLInputElement).value.trim();
  if (name) void call("Workspaces.Save", { workspace: drawing.selected, name });
});
$("#open").addEventListener("click", () => void chooseWhatToOpen());
$("#save").addEventListener("click", save);
$("#new").addEventListener("click", () => void call("Workspaces.New"));
$("#close").addEventListener("click", () => void call("Workspaces.Close", { item: drawing.selected }));
document.addEventListener("dragstart", () => cover(true));
document.addEventListener("dragend", () => cover(false));
window.addEventListener("resize", () => reportPlaces());
window.rostrum.on("draw", draw);
void call<Drawing>("Workspaces.Drawing").then((first) => first?.workspaces && draw(first));
