/** Distributes errors of the manager among the fields of a form: each problem is shown once, at its field. */

import { createContext } from "react";
import { detailsOf } from "../../api/errors";
import type { ErrorDetail } from "../../api/generated/client";
import type { EditorProblem } from "../json-editor/problem-path";
import { isObject } from "./changes";

export interface FieldErrors {
  /** The message for a field, if it has a problem. */
  readonly at: (field: string) => string | undefined;
  /** The problems inside a field that has its own editor; paths are relative to the field. */
  readonly inside: (field: string) => readonly EditorProblem[];
  /** The number of problems shown at fields. */
  readonly count: number;
  /** The problems without a field. */
  readonly rest: readonly ErrorDetail[];
}

/** The result of a preview for the form around it. */
export interface Refusals {
  readonly report: (error: unknown) => void;
  /** A message instead of that of the error; null if it is already shown. */
  readonly words: (error: unknown) => string | null;
}

export const RefusalContext = createContext<Refusals | null>(null);

/** Distribute the problems of an error among fields, which are members of the document such as `details.url`. */
export function fieldErrors(error: unknown, fields: readonly string[], document: unknown = undefined): FieldErrors {
  const byField = new Map<string, ErrorDetail[]>();
  const rest: ErrorDetail[] = [];
  for (const detail of detailsOf(error)) {
    const path = pathInDocument(detail.path ?? "");
    const field = fieldOf(path, fields);
    if (field === undefined) rest.push({ ...detail, path });
    else byField.set(field, [...(byField.get(field) ?? []), { ...detail, path: path.slice(field.length) }]);
  }
  return {
    at: (field) => {
      const found = byField.get(field);
      return found?.map((detail) => messageAt(detail, memberAt(document, field))).join(" ");
    },
    inside: (field) =>
      (byField.get(field) ?? []).map(({ path, message }) => ({
        path: (path ?? "").replace(/^\./, ""),
        message: sentence(message),
        severity: "error",
      })),
    count: [...byField.values()].reduce((sum, found) => sum + found.length, 0),
    rest,
  };
}

/** In a preview, the path begins with the write. */
function pathInDocument(path: string): string {
  return path.replace(/^changes\[\d+\](\.document)?\.?/, "");
}

/** The closest field of a path. */
function fieldOf(path: string, fields: readonly string[]): string | undefined {
  return fields
    .filter((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
    .sort((one, other) => other.length - one.length)[0];
}

/** The name of a list item is clearer than its index. */
function messageAt({ path, message }: ErrorDetail, value: unknown): string {
  const index = /^\[(\d+)\]$/.exec(path ?? "");
  const item = index && Array.isArray(value) ? value[Number(index[1])] : undefined;
  const words = sentence(message);
  return typeof item === "string" ? `“${item}”: ${words}` : words;
}

function memberAt(document: unknown, field: string): unknown {
  return field
    .split(".")
    .reduce(
      (value: unknown, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      document,
    );
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
