/** The key of a request, with which the manager recognizes a repetition. */

/** Not `randomUUID`, which browsers provide only to pages with HTTPS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
