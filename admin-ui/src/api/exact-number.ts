/**
 * Numbers that keep their text: JavaScript would write 1.0 as 1, and would round large integers.
 *
 * A browser without `JSON.rawJSON` reads and writes them as ordinary numbers.
 */

interface SourceJson {
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  rawJSON?(text: string): unknown;
}

const json = JSON as unknown as SourceJson;

export class ExactNumber {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return json.rawJSON ? json.rawJSON(this.text) : Number(this.text);
  }
}

/** Parse JSON; numbers that JavaScript would write differently keep their text. */
export function parseExact(text: string): unknown {
  if (!json.rawJSON) return JSON.parse(text);
  return json.parse(text, (_key, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? new ExactNumber(context.source)
      : value,
  );
}
