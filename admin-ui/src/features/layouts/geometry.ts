/** The bounds of a layout's windows, for a small preview. */

import { isObject } from "../../ui/document/changes";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

export interface Picture {
  readonly displays: readonly Box[];
  readonly windows: readonly Box[];
  /** The bounding rectangle. */
  readonly frame: Omit<Box, "label">;
}

const SCREEN = { left: 0, top: 0, width: 1920, height: 1080 };
const LARGEST = 100_000;
const MOST = 500;

export function pictureOf(definition: unknown): Picture {
  const displays = listOf(definition, "displays").flatMap((display) => boxFrom(display, nameOf(display)));
  const windows = listOf(definition, "components").flatMap(componentBoxes).slice(0, MOST);
  const all = [...displays, ...windows];
  return { displays, windows, frame: all.length > 0 ? around(all) : SCREEN };
}

function componentBoxes(component: unknown): Box[] {
  if (!isObject(component) || !isObject(component.state)) return [];
  const label = textOf(component.application) || textOf(component.name) || textOf(component.type);
  if (Array.isArray(component.state.children))
    return spread(component.state, boundsOf(component.state) ?? SCREEN, "row", 0);
  return boxFrom(component.state.bounds, label);
}

/** Distribute space among the children of a workspace's rows, columns and groups. */
function spread(
  node: Readonly<Record<string, unknown>>,
  space: Omit<Box, "label">,
  along: "row" | "column",
  depth: number,
): Box[] {
  const children = listOf(node, "children").filter(isObject);
  if (depth > 20 || children.length === 0) return [];
  if (node.type === "group") return [{ ...space, label: children.map((child) => appOf(child)).join(" | ") }];
  const direction = node.type === "column" ? "column" : node.type === "row" ? "row" : along;
  const side = direction === "row" ? "width" : "height";
  const sizes = shares(
    children.map((child) => sizeOf(child, side)),
    space[side],
  );
  let before = 0;
  return children.flatMap((child, index) => {
    const size = sizes[index] ?? 0;
    const part =
      direction === "row"
        ? { ...space, left: space.left + before, width: size }
        : { ...space, top: space.top + before, height: size };
    before += size;
    return child.type === "window" ? [{ ...part, label: appOf(child) }] : spread(child, part, direction, depth + 1);
  });
}

/** Given sizes are kept, the others share the rest. */
function shares(given: readonly (number | null)[], total: number): number[] {
  const taken = given.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const open = given.filter((size) => size === null).length;
  const each = open > 0 ? Math.max(total - taken, total * 0.1 * open) / open : 0;
  const sizes = given.map((size) => size ?? each);
  const sum = sizes.reduce((all, size) => all + size, 0) || 1;
  return sizes.map((size) => (size * total) / sum);
}

function sizeOf(node: Readonly<Record<string, unknown>>, side: "width" | "height"): number | null {
  const size = isObject(node.config) ? node.config[side] : undefined;
  return typeof size === "number" && size > 0 && size <= LARGEST ? size : null;
}

function appOf(node: Readonly<Record<string, unknown>>): string {
  const config = isObject(node.config) ? node.config : {};
  return textOf(config.appName) || textOf(config.title) || "window";
}

function boundsOf(state: Readonly<Record<string, unknown>>): Omit<Box, "label"> | null {
  return boxFrom(state.bounds, "")[0] ?? null;
}

function boxFrom(value: unknown, label: string): Box[] {
  if (!isObject(value)) return [];
  const [left, top, width, height] = ["left", "top", "width", "height"].map((name) =>
    Number(value[name] ?? Number.NaN),
  );
  if (left === undefined || top === undefined || width === undefined || height === undefined) return [];
  const isSane = [left, top, width, height].every((size) => Math.abs(size) <= LARGEST) && width > 0 && height > 0;
  return isSane ? [{ left, top, width, height, label }] : [];
}

function around(boxes: readonly Box[]): Omit<Box, "label"> {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

function listOf(holder: unknown, name: string): readonly unknown[] {
  const list = isObject(holder) ? holder[name] : undefined;
  return Array.isArray(list) ? list : [];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const nameOf = (value: unknown): string => (isObject(value) ? textOf(value.displayName) || textOf(value.name) : "");
