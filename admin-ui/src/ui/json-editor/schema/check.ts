/** Validates a document with its schema; reports each problem once, at the deepest path. */

import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { Schema, Step } from "./schema";

export interface Mistake {
  readonly path: readonly Step[];
  readonly message: string;
}

const MOST = 100;
const validators = new WeakMap<Schema, Validator>();

export function findMistakes(schema: Schema, document: unknown): Mistake[] {
  const found = validatorOf(schema).validate(document).errors;
  const byPlace = new Map(found.map((error) => [error.instanceLocation, error]));
  // Problems of a member are repeated for all objects that contain it.
  const holders = new Set([...byPlace.keys()].flatMap(holdersOf));
  return [...byPlace.values()]
    .filter((error) => !holders.has(error.instanceLocation))
    .slice(0, MOST)
    .map((error) => ({ path: stepsOf(error.instanceLocation), message: wordsFor(error) }));
}

function validatorOf(schema: Schema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", false);
  validators.set(schema, made);
  return made;
}

function holdersOf(place: string): string[] {
  const parts = place.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function wordsFor(error: OutputUnit): string {
  if (error.keyword === "additionalProperties" || error.keyword === "false") return "Unknown setting.";
  return error.error;
}

export function stepsOf(pointer: string): Step[] {
  return pointer
    .replace(/^#?\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
