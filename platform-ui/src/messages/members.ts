/** Checks of the members of a message. */

export type Json = { readonly [name: string]: unknown };
export type Check = (value: unknown) => boolean;
export type Members = { readonly [name: string]: Check };

export const text: Check = (value) => typeof value === "string";
export const flag: Check = (value) => typeof value === "boolean";
export const list: Check = Array.isArray;
export const anything: Check = () => true;
export const textOrNull: Check = (value) => value === null || text(value);

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function oneOf(...words: readonly string[]): Check {
  return (value) => typeof value === "string" && words.includes(value);
}

/** Check an object, which may have further members. */
export function object(members: Members): Check {
  return (value) => isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Select the listed members of an object; null if one of them has another type. */
export function select(value: Json, members: Members): Json | null {
  const own = Object.entries(members).map(([name, check]) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    return [name, member, check(member)] as const;
  });
  if (!own.every(([, , isValid]) => isValid)) return null;
  return Object.fromEntries(own.filter(([, member]) => member !== undefined));
}
