import { expect, test } from "vitest";
import { queryText } from "./client";
import { basicHeader } from "./session";

test("credentials are UTF-8 in Base64", () => {
  expect(basicHeader("ada", "secret")).toBe("Basic YWRhOnNlY3JldA==");
  const bytes = Uint8Array.from(atob(basicHeader("jürgen", "pässwörd 🗝").slice(6)), (letter) => letter.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe("jürgen:pässwörd 🗝");
});

test("a query leaves out what is not set, and keeps false and zero", () => {
  expect(queryText({ q: "", limit: 50, offset: 0, active: false, sort: undefined, x: null })).toBe(
    "?limit=50&offset=0&active=false",
  );
  expect(queryText({ name: "a&b=c/ä" })).toBe("?name=a%26b%3Dc%2F%C3%A4");
  expect(queryText()).toBe("");
});
