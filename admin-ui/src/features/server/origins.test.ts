import { expect, test } from "vitest";
import { allowedOrigins } from "./origins";

const A = "https://a.example.com";

test("origins that are named are listed", () => {
  expect(allowedOrigins(JSON.stringify({ origin: [A], credentials: true }))).toEqual({
    about:
      "Pages of these origins can connect, also with the session cookie. The server's own pages can always connect.",
    origins: [A],
  });
  expect(allowedOrigins(JSON.stringify({ origin: A })).origins).toEqual([A]);
});

test("a setting that allows every origin says what for", () => {
  expect(allowedOrigins(JSON.stringify({ origin: true })).about).toBe("Pages of all origins can read and write.");
  expect(allowedOrigins(JSON.stringify({ origin: ["*"] })).about).toContain("No page of another origin can write");
});

test("without a setting only the server's own pages may connect", () => {
  for (const text of [undefined, "", "null", "7", "(not set)", "{}", '{"origin": []}']) {
    expect(allowedOrigins(text)).toEqual({ about: "Only the server's own pages can connect.", origins: [] });
  }
});
