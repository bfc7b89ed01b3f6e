import { expect, test } from "vitest";
import { filterValue } from "./columns";
import { nextSort, parseSearch, readSearch, stringifySearch } from "./list-search";
import { partsOf, place } from "./use-rows";

test("an address is read as plain text and written the same", () => {
  const text = "?q=a+b&row=200&name=%C3%A4%2F%26";
  expect(parseSearch(text)).toEqual({ q: "a b", row: "200", name: "ä/&" });
  expect(stringifySearch(parseSearch(text))).toBe(text);
  expect(stringifySearch({ q: "", sort: undefined })).toBe("");
});

test("numbers and words stay text", () => {
  expect(parseSearch("?version=10.10&active=true")).toEqual({ version: "10.10", active: "true" });
});

test("what is no row number counts as the top", () => {
  for (const row of ["-3", "x", "1e99", "", "NaN"]) expect(readSearch({ row }).row).toBe(0);
  expect(readSearch({ q: "a", sort: "-name", row: "7", type: "window" })).toEqual({
    text: "a",
    sort: "-name",
    row: 7,
    columns: [],
    isCompact: false,
    filters: { type: "window" },
  });
  expect(readSearch({ columns: "b,a", density: "compact", view: "x" })).toMatchObject({
    columns: ["b", "a"],
    isCompact: true,
    filters: {},
  });
});

test("a header sorts up, then down, then not", () => {
  expect(nextSort("", "name")).toBe("name");
  expect(nextSort("name", "name")).toBe("-name");
  expect(nextSort("-name", "name")).toBe("");
  expect(nextSort("-other", "name")).toBe("name");
});

test("typed filters match parts of values, selected and exact filters match entire values", () => {
  expect(filterValue({ name: "user", label: "User" }, "ada")).toBe("*ada*");
  expect(filterValue({ name: "user", label: "User" }, "ada*")).toBe("ada*");
  expect(filterValue({ name: "version", label: "Version" }, "=10.2")).toBe("10.2");
  expect(filterValue({ name: "group", label: "Group", whole: true }, "Trading")).toBe("Trading");
  expect(filterValue({ name: "public", label: "Public", choices: [] }, "true")).toBe("true");
  expect(filterValue(undefined, "x")).toBe("x");
});

test("only the visible parts are requested", () => {
  expect(partsOf(0, 0)).toEqual([0]);
  expect(partsOf(90, 110)).toEqual([0, 1]);
  expect(partsOf(250, 299)).toEqual([2]);
  expect(partsOf(-5, -1)).toEqual([0]);
});

test("a list that was not counted completely is marked", () => {
  expect(place(0, 20, 0, false)).toBe("Nothing");
  expect(place(0, 20, 12, false)).toBe("1–12 of 12");
  expect(place(100, 120, 2000, false)).toBe("101–121 of 2,000");
  expect(place(0, 20, 2000, true)).toBe("1–21 of more than 2,000");
});
