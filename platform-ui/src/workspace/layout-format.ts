/**
 * Converts between the arrangement of a workspace on the screen and the `Workspace` layouts that the manager stores.
 * Rows, columns, groups and windows of a layout are the branches, leaves and panels of dockview. Floating groups are
 * not part of that tree, so they are in the free settings of the workspace.
 */

import type { SerializedDockview } from "dockview";

export interface WindowItem {
  type: "window";
  config: { appName: string; title?: string; isFocused?: boolean };
}
export interface GroupItem {
  type: "group";
  children: WindowItem[];
  config?: { activeTabIndex?: number; width?: number; height?: number };
}
export interface BoxItem {
  type: "row" | "column";
  children: Item[];
  config?: { width?: number; height?: number };
}
export type Item = WindowItem | GroupItem | BoxItem;

export interface FloatingGroup {
  bounds: { left: number; top: number; width: number; height: number };
  group: GroupItem;
}
export interface WorkspaceState {
  type?: "workspace";
  children: Item[];
  config?: { floating?: FloatingGroup[]; [name: string]: unknown };
}

/** The contents of a panel; the identity of the panel is that of the running app. */
export interface PanelParams {
  app: string;
}

export const MOST_WINDOWS = 60;

export class TooManyWindows extends Error {
  constructor(count: number) {
    super(`This layout has ${count} windows. The browser platform opens layouts with up to ${MOST_WINDOWS} windows.`);
  }
}

type Grid = SerializedDockview["grid"];
type Node = Grid["root"];
type Leaf = { id: string; views: string[]; activeView?: string };
type Panels = SerializedDockview["panels"];
type Direction = "row" | "column";

const OTHER = { row: "column", column: "row" } as const;
const DEFAULT_SIZE = { width: 1200, height: 800 };

/** Convert the screen to a workspace. */
export function toWorkspace(screen: SerializedDockview): WorkspaceState {
  const root: Direction = screen.grid.orientation === "HORIZONTAL" ? "row" : "column";
  const children = itemOf(screen.grid.root, root, screen, {});
  const floating = (screen.floatingGroups ?? []).flatMap(({ data, position }): FloatingGroup[] => {
    const group = data && groupOf(data as Leaf, screen);
    if (!group) return [];
    const box = position as Partial<Record<"left" | "top" | "width" | "height", number>>;
    const bounds = { left: box.left ?? 40, top: box.top ?? 40, width: box.width ?? 400, height: box.height ?? 300 };
    return [{ bounds, group }];
  });
  return {
    type: "workspace",
    children: children ? [children] : [],
    ...(floating.length > 0 ? { config: { floating } } : {}),
  };
}

function itemOf(node: Node, direction: Direction, screen: SerializedDockview, config: object): Item | null {
  if (node.type === "leaf") {
    const group = groupOf(node.data as Leaf, screen);
    return group && { ...group, config: { ...group.config, ...config } };
  }
  const side = direction === "row" ? "width" : "height";
  const children = (node.data as Node[]).flatMap((child): Item[] => {
    const item = itemOf(child, OTHER[direction], screen, { [side]: Math.round(child.size ?? 0) });
    return item ? [item] : [];
  });
  return children.length > 0 ? { type: direction, children, config } : null;
}

function groupOf(leaf: Leaf, screen: SerializedDockview): GroupItem | null {
  const children = leaf.views.map((id): WindowItem => {
    const panel = screen.panels[id];
    const config = { appName: (panel?.params as PanelParams | undefined)?.app ?? "", title: panel?.title ?? "" };
    return { type: "window", config };
  });
  if (children.length === 0) return null;
  return {
    type: "group",
    children,
    config: { activeTabIndex: Math.max(0, leaf.views.indexOf(leaf.activeView ?? "")) },
  };
}

/** List the identities of the windows on the screen, in the order of `windowsIn` and `toScreen`. */
export function windowIdsOf(screen: SerializedDockview): string[] {
  const idsIn = (node: Node): string[] =>
    node.type === "leaf" ? (node.data as Leaf).views : (node.data as Node[]).flatMap(idsIn);
  const floating = (screen.floatingGroups ?? []).flatMap(({ data }) => (data as Leaf | undefined)?.views ?? []);
  return [...idsIn(screen.grid.root), ...floating];
}

/** Create the arrangement of a workspace, with a new identity for each window that has none in `ids`. */
export function toScreen(
  state: WorkspaceState,
  newId: () => string,
  titleOf: (app: string) => string,
  ids: readonly string[] = [],
): SerializedDockview {
  const known = ids[Symbol.iterator]();
  const count = windowsIn(state).length;
  if (count > MOST_WINDOWS) throw new TooManyWindows(count);
  const panels: Panels = {};
  const leafOf = (group: GroupItem): Leaf => {
    const views = group.children.map(({ config }) => {
      const next = known.next();
      const id = next.done ? newId() : next.value;
      const params: PanelParams = { app: config.appName };
      panels[id] = { id, contentComponent: "app", title: titleOf(config.appName), renderer: "always", params };
      return id;
    });
    const active = views[group.config?.activeTabIndex ?? 0] ?? views[0];
    return { id: newId(), views, ...(active ? { activeView: active } : {}) };
  };
  const [root] = state.children;
  const isBox = state.children.length === 1 && (root?.type === "row" || root?.type === "column");
  const box = (isBox ? root : { type: "row", children: state.children }) as BoxItem;
  const nodes = nodesOf(box, box.type, leafOf);
  const floating = floatingIn(state);
  return {
    grid: {
      root: { type: "branch", data: nodes } as Node,
      ...DEFAULT_SIZE,
      orientation: (box.type === "row" ? "HORIZONTAL" : "VERTICAL") as Grid["orientation"],
    },
    panels,
    ...(floating.length > 0
      ? { floatingGroups: floating.map(({ bounds, group }) => ({ data: leafOf(group), position: bounds })) }
      : {}),
  } as SerializedDockview;
}

function nodesOf(box: BoxItem, direction: Direction, leafOf: (group: GroupItem) => Leaf): Node[] {
  const side = direction === "row" ? "width" : "height";
  const children = parts(box, direction);
  const given = children.map((child) => sizeOf(child, side));
  const known = given.filter((size) => size !== null);
  const usual = known.length > 0 ? known.reduce((sum, size) => sum + size, 0) / known.length : 100;
  return children.flatMap((child, index): Node[] => {
    const size = given[index] ?? usual;
    if (child.type === "window") return [{ type: "leaf", data: leafOf(groupAround(child)), size } as unknown as Node];
    if (child.type === "group") return [{ type: "leaf", data: leafOf(child), size } as unknown as Node];
    const data = nodesOf(child, OTHER[direction], leafOf);
    return data.length > 0 ? [{ type: "branch", data, size } as Node] : [];
  });
}

/** The parts of a box. Nested boxes of the same direction, which dockview does not support, are flattened. */
function parts(box: BoxItem, direction: Direction): Item[] {
  return box.children.flatMap((child): Item[] => {
    if (child.type === direction) return parts(child, direction);
    if (child.type === "group" && child.children.length === 0) return [];
    return [child];
  });
}

function groupAround(window: WindowItem): GroupItem {
  return { type: "group", children: [window] };
}

function sizeOf(item: Item, side: "width" | "height"): number | null {
  const config = (item.type === "window" ? {} : item.config) as Record<string, unknown> | undefined;
  const size = config?.[side];
  return typeof size === "number" && size > 0 ? size : null;
}

/** All windows of a workspace, floating ones last. */
export function windowsIn(state: WorkspaceState): WindowItem[] {
  const floating = floatingIn(state).flatMap(({ group }) => group.children);
  return [...state.children.flatMap(windowsOf), ...floating];
}

/**
 * The floating groups. The manager does not validate the free settings of a workspace, so malformed parts are omitted.
 */
function floatingIn(state: WorkspaceState): FloatingGroup[] {
  const list: unknown = state.config?.floating;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: Partial<FloatingGroup> | null): FloatingGroup[] => {
    const { bounds, group } = each ?? {};
    const sides = [bounds?.left, bounds?.top, bounds?.width, bounds?.height];
    const given = Array.isArray(group?.children) ? group.children : [];
    const children = given.filter((child) => child?.type === "window" && typeof child.config?.appName === "string");
    if (!bounds || !group || !sides.every(Number.isFinite) || children.length === 0) return [];
    return [{ bounds, group: { ...group, children } }];
  });
}

function windowsOf(item: Item): WindowItem[] {
  return item.type === "window" ? [item] : (item.children as Item[]).flatMap(windowsOf);
}
