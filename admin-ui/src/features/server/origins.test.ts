import { expect, test } from "vitest";
import { allowedOrigins } from "./origins";

const A = "https://a.example.com";

test("origins that are named are listed", () => {
  expect(allowedOrigins(JSON.stringify({ origin: [A], credentials: true }))).toEqual({
    about:
      "Web pages of these origins (scheme, host and port) can send requests with the session cookie to this server. The server's own pages can always send requests.",
    origins: [A],
  });
  expect(allowedOrigins(JSON.stringify({ origin: A })).origins).toEqual([A]);
});

test("a setting that allows every origin says what for", () => {
  expect(allowedOrigins(JSON.stringify({ origin: true })).about).toBe(
    "Web pages of all origins can read and change data on this server.",
  );
  expect(allowedOrigins(JSON.stringify({ origin: ["*"] })).about).toContain(
    "they cannot send the session cookie or change data",
  );
});

test("without a setting only the server's own pages may connect", () => {
  for (const text of [undefined, "", "null", "7", "(not set)", "{}", '{"origin": []}']) {
    expect(allowedOrigins(text)).toEqual({
      about: "Only this server's own pages can send requests to it.",
      origins: [],
    });
  }
});
