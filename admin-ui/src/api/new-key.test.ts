import { afterEach, expect, test, vi } from "vitest";
import { newKey } from "./new-key";

afterEach(() => vi.unstubAllGlobals());

test("pages without HTTPS can create keys", () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newKey()).not.toBe(newKey());
});
