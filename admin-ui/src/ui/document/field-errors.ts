/** Refusals of the manager, divided among the fields of a form: each problem is shown once, at its field. */

import { createContext } from "react";
import { detailsOf } from "../../api/errors";
import type { ErrorDetail } from "../../api/generated/client";
import type { EditorProblem } from "../json-editor/problem-path";
import { isObject } from "./changes";

export interface FieldErrors {
  /** The message for a field, if it has a problem. */
  readonly at: (field: string) => string | undefined;
  /** The problems inside a field that has an editor of its own; their paths begin in the field. */
  readonly inside: (field: string) => readonly EditorProblem[];
  /** How many problems are shown at fields. */
  readonly count: number;
  /** The problems without a field. */
  readonly rest: readonly ErrorDetail[];
}

/** What a preview says to the form around it. */
export interface Refusals {
  readonly report: (error: unknown) => void;
  /** Words for a refusal in place of its own; null where it is shown already. */
  readonly words: (error: unknown) => string | null;
}

export const RefusalContext = createContext<Refusals | null>(null);

/** Divide the problems of a refusal among fields, which are members of the document such as `details.url`. */
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

/** A preview names the write first. */
function pathInDocument(path: string): string {
  return path.replace(/^changes\[\d+\](\.document)?\.?/, "");
}

/** The field that is nearest to a path. */
function fieldOf(path: string, fields: readonly string[]): string | undefined {
  return fields
    .filter((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
    .sort((one, other) => other.length - one.length)[0];
}

/** The name of the item in a list says more than its number. */
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
