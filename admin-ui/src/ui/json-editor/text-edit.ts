/** Changes one value in JSON text, and keeps the rest of the text: order, spaces, numbers and unknown members. */

import type { Step } from "./schema/schema";

interface Entry {
  readonly step: Step;
  /** The beginning of the name, or of the item of an array. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

const SPACE = /[\s\uFEFF]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /[^\s,\]}]+/y;

/** Set the value at a path of valid JSON text; missing objects around it are created. */
export function setAt(text: string, path: readonly Step[], value: unknown): string {
  let at = skip(SPACE, text, 0);
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    if (text[at] !== (typeof step === "number" ? "[" : "{"))
      return replaced(text, at, endOf(text, at), path, depth, value);
    const { entries, end } = entriesOf(text, at);
    const found = entries.findLast((entry) => entry.step === step);
    if (!found) return inserted(text, { at, end, entries }, step, nested(rest, value));
    if (rest.length === 0) return splice(text, found.from, found.to, written(text, found.from, value));
    at = found.from;
  }
  return splice(text, at, endOf(text, at), written(text, at, value));
}

/** Remove the value at a path, and the objects around it that become empty. */
export function removeAt(text: string, path: readonly Step[]): string {
  let at = skip(SPACE, text, 0);
  const holders: { at: number; end: number; entries: readonly Entry[]; index: number }[] = [];
  for (const step of path) {
    if (text[at] !== (typeof step === "number" ? "[" : "{")) return text;
    const { entries, end } = entriesOf(text, at);
    const index = entries.findLastIndex((entry) => entry.step === step);
    const found = entries[index];
    if (!found) return text;
    holders.push({ at, end, entries, index });
    at = found.from;
  }
  while (holders.length > 1 && holders.at(-1)?.entries.length === 1 && text[holders.at(-1)?.at ?? 0] === "{")
    holders.pop();
  const holder = holders.at(-1);
  if (!holder) return text;
  const { entries, index } = holder;
  const [before, entry, after] = [entries[index - 1], entries[index], entries[index + 1]];
  if (!entry) return text;
  if (before) return splice(text, before.to, entry.to, "");
  if (after) return splice(text, entry.start, after.start, "");
  return splice(text, holder.at + 1, holder.end - 1, "");
}

function replaced(
  text: string,
  from: number,
  to: number,
  path: readonly Step[],
  depth: number,
  value: unknown,
): string {
  return splice(text, from, to, written(text, from, nested(path.slice(depth), value)));
}

function inserted(
  text: string,
  holder: { at: number; end: number; entries: readonly Entry[] },
  step: Step,
  value: unknown,
): string {
  const last = holder.entries.at(-1);
  const name = typeof step === "number" ? "" : `${JSON.stringify(step)}: `;
  const isOneLine = last ? !text.slice(holder.at, last.start).includes("\n") : false;
  const outer = indentAt(text, holder.at);
  const inner = last && !isOneLine ? indentAt(text, last.start) : outer + unitOf(text);
  if (isOneLine && last) return splice(text, last.to, last.to, `, ${name}${JSON.stringify(value)}`);
  const line = `\n${inner}${name}${indented(value, inner, unitOf(text))}`;
  if (last) return splice(text, last.to, last.to, `,${line}`);
  return splice(text, holder.at + 1, holder.end - 1, `${line}\n${outer}`);
}

/** The text of a value that begins at a position. */
function written(text: string, at: number, value: unknown): string {
  return indented(value, indentAt(text, at), unitOf(text));
}

function indented(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${indent}`);
}

function nested(path: readonly Step[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === "number" ? [inner] : { [step]: inner }), value);
}

function entriesOf(text: string, at: number): { entries: Entry[]; end: number } {
  const isObject = text[at] === "{";
  const entries: Entry[] = [];
  let next = skip(SPACE, text, at + 1);
  while (next < text.length && text[next] !== "}" && text[next] !== "]") {
    const start = next;
    let step: Step = entries.length;
    if (isObject) {
      const nameEnd = skip(STRING, text, start);
      step = String(JSON.parse(text.slice(start, nameEnd)));
      next = skip(SPACE, text, skip(SPACE, text, nameEnd) + 1);
    }
    const to = endOf(text, next);
    entries.push({ step, start, from: next, to });
    next = skip(SPACE, text, to);
    if (text[next] === ",") next = skip(SPACE, text, next + 1);
  }
  return { entries, end: next + 1 };
}

/** The end of the value at a position. Text in brackets is skipped by depth, because it is valid. */
function endOf(text: string, at: number): number {
  if (text[at] === '"') return skip(STRING, text, at);
  if (text[at] !== "{" && text[at] !== "[") return skip(WORD, text, at);
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = skip(STRING, text, index) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The spaces at the beginning of the line of a position. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The indentation of the first level. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}
