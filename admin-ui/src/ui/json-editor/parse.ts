/** Parses JSON text, with messages for users. */

export type Parsed = { readonly value: unknown } | { readonly problem: string };

export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): Parsed {
  if (text.trim() === "") return { problem: "Enter JSON." };
  try {
    return { value: parse(text) };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
