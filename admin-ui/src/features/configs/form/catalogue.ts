/** The settings of a file, from the settings catalogue of the manager. The catalogue is loaded when a form is opened. */

import { useQuery } from "@tanstack/react-query";
import { ExactNumber } from "../../../api/exact-number";
import { isObject } from "../../../ui/document/changes";
import type { EditorProblem } from "../../../ui/json-editor/problem-path";

export type Control = "switch" | "number" | "text" | "choice" | "choices" | "list" | "map" | "items" | "json";

export interface SettingField {
  /** The path in the file, such as `notifications.toastExpiry`. */
  readonly path: string;
  readonly label: string;
  readonly control: Control;
  readonly default: unknown;
  readonly text: string;
  readonly unit?: string;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly since?: string;
  readonly defaultByMode?: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  readonly localOnly?: boolean;
  readonly reapplied?: boolean;
  /** Texts that state for which versions, modes and sources the setting applies. */
  readonly counts?: readonly string[];
  readonly columns?: readonly SettingField[];
}

export interface FormSection {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly fields: readonly SettingField[];
}

export interface SettingsDocument {
  readonly document: string;
  /** A regular expression for the names of the files; null if no file of the manager has these settings. */
  readonly files: string | null;
  readonly sections: readonly FormSection[];
}

export async function loadCatalogue(): Promise<readonly SettingsDocument[]> {
  const { default: catalogue } = await import("../../../../../schemas/settings-form.json");
  return (catalogue as unknown as { documents: readonly SettingsDocument[] }).documents;
}

/** The settings of a file; null if the catalogue has none for this name, undefined while it is loaded. */
export function useSettingsOf(file: string): SettingsDocument | null | undefined {
  const found = useQuery({
    queryKey: ["settings-form"],
    queryFn: loadCatalogue,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return found.data ? documentFor(found.data, file) : undefined;
}

export function documentFor(documents: readonly SettingsDocument[], file: string): SettingsDocument | null {
  const fits = ({ files }: SettingsDocument) => files !== null && new RegExp(`^(?:${files})$`, "i").test(file);
  return documents.find(fits) ?? null;
}

/** The steps to a setting; names in the catalogue contain no dots. */
export const stepsOf = (path: string): string[] => path.split(".");

/** Whether all words occur in the path, the label or the description. */
export function matches({ path, label, text }: SettingField, words: readonly string[]): boolean {
  const found = `${path} ${label} ${text}`.toLowerCase();
  return words.every((word) => found.includes(word));
}

export const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Group items with a path by the setting that contains them; `rest` has the items outside all settings. */
export function bySetting<Item extends { readonly path: string }>(
  items: readonly Item[],
  paths: ReadonlySet<string>,
): { readonly at: ReadonlyMap<string, readonly Item[]>; readonly rest: readonly Item[] } {
  const at = new Map<string, Item[]>();
  const rest: Item[] = [];
  for (const item of items) {
    const path = outwards(item.path).find((outer) => paths.has(outer));
    if (path === undefined) rest.push(item);
    else at.set(path, [...(at.get(path) ?? []), item]);
  }
  return { at, rest };
}

/** The path itself, and the paths around it: `a.b[0].c`, `a.b[0]`, `a.b`, `a`. */
function outwards(path: string): string[] {
  const found = [path];
  for (let at = path.length - 1; at > 0; at -= 1) if (".[".includes(path[at] ?? "")) found.push(path.slice(0, at));
  return found;
}

/** The problems of a setting as one text; each names the item or member inside the setting that it concerns. */
export function problemText(problems: readonly EditorProblem[], path: string): string {
  return problems
    .map((problem) => {
      const inside = problem.path
        .slice(path.length)
        .replace(/^\[(\d+)\]\.?/, (_, index: string) => `item ${Number(index) + 1}, `)
        .replace(/^\.|, $/g, "");
      const words = inside ? `${inside}: ${problem.message}` : problem.message;
      return words.charAt(0).toUpperCase() + words.slice(1);
    })
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

/** Whether a control can show a value; other values are edited as JSON. */
export function shows(field: SettingField, value: unknown): boolean {
  if (value === undefined) return true;
  switch (field.control) {
    case "switch":
      return typeof value === "boolean";
    case "number":
      return isNumber(value);
    case "text":
      return typeof value === "string";
    case "choice":
      return typeof value === "string";
    case "list":
    case "choices":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "map":
      return isObject(value) && Object.values(value).every((item) => typeof item === "string");
    case "items":
      return Array.isArray(value) && value.every((item) => isObject(item) && hasColumns(field, item));
    case "json":
      return true;
  }
}

function hasColumns(field: SettingField, item: Readonly<Record<string, unknown>>): boolean {
  return (field.columns ?? []).every((column) => {
    let value: unknown = item;
    for (const step of stepsOf(column.path)) {
      if (value === undefined) break;
      if (!isObject(value)) return false;
      value = Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return shows(column, value);
  });
}

/** Numbers that keep their text are objects, see `ExactNumber`. */
function isNumber(value: unknown): boolean {
  return typeof value === "number" || value instanceof ExactNumber;
}
