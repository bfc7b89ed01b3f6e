/**
 * Copies of received messages as plain JSON. `postMessage` also delivers values that JSON does not have: a String
 * object, for example, is not equal to its word, but becomes the word in JSON. So each message is converted before
 * anything in it is compared.
 */

/** As long as the largest message that the gateway accepts. */
const LONGEST = 32 * 1024 * 1024;
const DEEPEST = 200;

export interface Plain {
  readonly value: unknown;
  /** The length of the text. */
  readonly length: number;
}

interface Options {
  /** Encodes a message as JSON. */
  readonly encode?: (data: object) => string;
  readonly longest?: number;
}

/** Convert a message; null for a message that is too long or too deep, or that JSON cannot contain. */
export function plain(data: unknown, { encode = JSON.stringify, longest = LONGEST }: Options = {}): Plain | null {
  if (typeof data !== "object" || data === null || measure(data, longest, DEEPEST) < 0) return null;
  try {
    const text = encode(data);
    return text.length > longest ? null : { value: JSON.parse(text), length: text.length };
  } catch {
    return null;
  }
}

/**
 * Subtract the approximate length of a value in JSON; the result is negative if it does not fit. Encoding repeats shared
 * values and fills the gaps of lists, so a small message can become a text that exhausts the memory.
 */
function measure(value: unknown, left: number, levels: number): number {
  if (typeof value === "string") return left - value.length - 3;
  if (typeof value !== "object" || value === null) return left - 2;
  if (levels === 0) return -1;
  let rest = left - 2;
  if (Array.isArray(value)) {
    if (value.length * 2 > rest) return -1;
    for (const each of value) {
      rest = measure(each, rest, levels - 1);
      if (rest < 0) break;
    }
    return rest;
  }
  // Each byte of a binary value becomes a member.
  if (ArrayBuffer.isView(value) && value.byteLength * 4 > rest) return -1;
  for (const [name, each] of Object.entries(value)) {
    rest = measure(each, rest - name.length - 4, levels - 1);
    if (rest < 0) break;
  }
  return rest;
}
