/** The differences between two documents, and merging of two users' changes. */

import { ExactNumber } from "../../api/exact-number";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Change {
  readonly path: readonly string[];
  /** Missing on the side without the value. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Meeting {
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both have changed it to different values. */
  readonly isConflict: boolean;
}

/** Compare by leaf: objects by key, arrays and other values as a whole, like merged configuration. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) {
    return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesBetween(own(before, name), own(after, name), [...path, name]));
}

/** All paths that one of two users has changed since both read the same document. */
export function meet(base: unknown, mine: unknown, theirs: unknown): Meeting[] {
  const places = new Map<string, readonly string[]>();
  for (const change of [...changesBetween(base, mine), ...changesBetween(base, theirs)]) {
    places.set(JSON.stringify(change.path), change.path);
  }
  const paths = [...places.values()];
  // If one has replaced a whole object, the paths inside it are not separate choices.
  const outer = paths.filter((path) => !paths.some((other) => other.length < path.length && isPrefix(other, path)));
  return outer.map((path) => {
    const [at, ours, others] = [base, mine, theirs].map((document) => valueAt(document, path));
    const isConflict = !isSame(ours, others) && !isSame(at, ours) && !isSame(at, others);
    return { path, base: at, mine: ours, theirs: others, isConflict };
  });
}

export type Choice = "mine" | "theirs";

/** The default choice for a difference: the side that changed it; theirs if both did. */
export function usualChoice(meeting: Meeting): Choice {
  return isSame(meeting.base, meeting.mine) || meeting.isConflict ? "theirs" : "mine";
}

/** Build the document from the choices, starting from theirs. */
export function joined<Document>(theirs: Document, meetings: readonly Meeting[], choices: readonly Choice[]): Document {
  return meetings.reduce(
    (document, meeting, index) =>
      withValue(document, meeting.path, choices[index] === "mine" ? meeting.mine : meeting.theirs) as Document,
    theirs,
  );
}

export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, name) => (isObject(value) ? own(value, name) : undefined), document);
}

/** The document with another value at a path; `undefined` removes the member. */
export function withValue(document: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const holder = isObject(document) ? document : {};
  if (rest.length > 0) return { ...holder, [name]: withValue(own(holder, name), rest, value) };
  if (value !== undefined) return { ...holder, [name]: value };
  const { [name]: _gone, ...kept } = holder;
  return kept;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof ExactNumber || other instanceof ExactNumber) return isSameNumber(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Two numbers with their text are compared by it; a number without its text has been rounded already. */
function isSameNumber(one: unknown, other: unknown): boolean {
  if (one instanceof ExactNumber && other instanceof ExactNumber) return one.text === other.text;
  const [first, second] = [one, other].map((each) => (each instanceof ExactNumber ? Number(each.text) : each));
  return first === second;
}

/** An own member of the object: documents may use any name, including those that every object inherits. */
function own(holder: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.every((name, index) => name === longer[index]);
}
