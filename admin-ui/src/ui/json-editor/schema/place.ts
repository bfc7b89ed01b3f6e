/** From a position in JSON text to the path of the value there, and back. */

import type { SyntaxNode, Tree } from "@lezer/common";
import type { Step } from "./schema";

type Text = (from: number, to: number) => string;

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/** The path of the value or the member around a position. */
export function pathAt(node: SyntaxNode, text: Text): Step[] {
  const path: Step[] = [];
  for (let at: SyntaxNode | null = node; at?.parent; at = at.parent) {
    const holder: SyntaxNode = at.parent;
    if (holder.name === "Array" && VALUES.has(at.name)) path.unshift(indexIn(holder, at));
    if (at.name === "Property") path.unshift(nameOf(at, text));
  }
  return path;
}

/** The text range of the value at a path; of the whole member if it has no value yet. */
export function rangeAt(tree: Tree, path: readonly Step[], text: Text): { from: number; to: number } | null {
  let node = tree.topNode.firstChild;
  for (const step of path) {
    if (!node) return null;
    node = typeof step === "number" ? itemOf(node, step) : memberOf(node, step, text);
  }
  return node && { from: node.from, to: node.to };
}

/** The existing names of an object. */
export function namesIn(object: SyntaxNode, text: Text): string[] {
  return object.getChildren("Property").map((property) => nameOf(property, text));
}

export function nameOf(property: SyntaxNode, text: Text): string {
  const name = property.getChild("PropertyName");
  if (!name) return "";
  const written = text(name.from, name.to);
  try {
    return String(JSON.parse(written));
  } catch {
    return written.replace(/^"|"$/g, "");
  }
}

function indexIn(array: SyntaxNode, item: SyntaxNode): number {
  let index = 0;
  for (let each = array.firstChild; each && each.from < item.from; each = each.nextSibling) {
    if (VALUES.has(each.name)) index += 1;
  }
  return index;
}

function itemOf(array: SyntaxNode, index: number): SyntaxNode | null {
  let left = index;
  for (let each = array.firstChild; each; each = each.nextSibling) {
    if (VALUES.has(each.name) && left-- === 0) return each;
  }
  return null;
}

function memberOf(object: SyntaxNode, name: string, text: Text): SyntaxNode | null {
  const property = object.getChildren("Property").find((each) => nameOf(each, text) === name);
  return property?.lastChild && VALUES.has(property.lastChild.name) ? property.lastChild : (property ?? null);
}
