/** Reads pasted definitions: a list, one definition, or an object that contains the list. */

import { isObject } from "../../ui/document/changes";
import { parseJson } from "../../ui/json-editor/parse";

export type Definitions = readonly Readonly<Record<string, unknown>>[];

export function readDefinitions(text: string, member: string): { definitions: Definitions } | { problem: string } {
  const read = parseJson(text);
  if ("problem" in read) return read;
  const list = listIn(read.value, member);
  if (!list) return { problem: `This must be a list of definitions, or an object with "${member}".` };
  if (list.length === 0) return { problem: "The list is empty." };
  const wrong = list.findIndex((item) => !isObject(item));
  if (wrong >= 0) return { problem: `Item ${wrong + 1} is not an object.` };
  return { definitions: list as Definitions };
}

function listIn(value: unknown, member: string): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  const inner = value[member];
  if (Array.isArray(inner)) return inner;
  return "name" in value || "appId" in value ? [value] : null;
}

export function nameOf(definition: Readonly<Record<string, unknown>>): string {
  const name = definition.name ?? definition.appId;
  return typeof name === "string" ? name : "";
}
