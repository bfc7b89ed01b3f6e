import { expect, test } from "vitest";
import { rowProblem } from "./row-problems";

test("a problem names its row, its definition and the member", () => {
  const definitions = [{ name: "one" }, { type: "window" }];
  expect(rowProblem("changes[0].document.definition.details.url", "must be text", definitions)).toEqual({
    row: 0,
    text: "Row 1 (one), details.url: must be text",
  });
  expect(rowProblem("applications[1].name", "is required", definitions).text).toBe("Row 2, name: is required");
  expect(rowProblem("changes[1]", "exists already", definitions).text).toBe("Row 2: exists already");
  expect(rowProblem("accessList", "too many", definitions)).toEqual({ text: "accessList: too many" });
});
