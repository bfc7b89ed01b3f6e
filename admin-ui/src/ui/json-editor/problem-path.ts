/** The position of a problem: from a path such as `details.bounds[0].width` to the steps to the value. */

import { isObject } from "../document/changes";
import type { Step } from "./schema/schema";

export interface EditorProblem {
  /** Empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** error, warning or note */
  readonly severity: string;
}

/** Follow a path as far as it exists in the document; names may contain dots and brackets. */
export function stepsTo(document: unknown, path: string): Step[] {
  const steps: Step[] = [];
  let [value, rest] = [document, path];
  while (rest !== "") {
    const index = /^\[(\d+)\]/.exec(rest);
    if (index && Array.isArray(value)) {
      const number = Number(index[1]);
      if (number >= value.length) break;
      steps.push(number);
      value = value[number];
      rest = rest.slice(index[0].length);
      continue;
    }
    const name = isObject(value) ? nameAt(value, rest.replace(/^\./, "")) : undefined;
    if (name === undefined || !isObject(value)) break;
    steps.push(name);
    value = value[name];
    rest = rest.replace(/^\./, "").slice(name.length);
  }
  return steps;
}

function nameAt(holder: Readonly<Record<string, unknown>>, rest: string): string | undefined {
  const fits = (name: string) => name !== "" && rest.startsWith(name) && /^([.[]|$)/.test(rest.slice(name.length));
  return Object.keys(holder)
    .filter(fits)
    .sort((one, other) => other.length - one.length)[0];
}
