import { expect, test } from "vitest";
import { stepsTo } from "./problem-path";

test("a path leads to the value, also through names with dots", () => {
  const document = { details: { bounds: [{ width: 1 }] }, "a.b": { "c[0]": 1 }, a: { b: 2 } };
  expect(stepsTo(document, "details.bounds[0].width")).toEqual(["details", "bounds", 0, "width"]);
  expect(stepsTo(document, "a.b.c[0]")).toEqual(["a.b", "c[0]"]);
  expect(stepsTo(document, "")).toEqual([]);
});

test("a path to something that is missing leads to what holds it", () => {
  expect(stepsTo({ details: { list: [1] } }, "details.url")).toEqual(["details"]);
  expect(stepsTo({ details: { list: [1] } }, "details.list[4]")).toEqual(["details", "list"]);
  expect(stepsTo([], "toString")).toEqual([]);
});
