import { jsonLanguage } from "@codemirror/lang-json";
import { describe, expect, test } from "vitest";
import system from "../../../../../schemas/system.schema.json";
import { findMistakes, stepsOf } from "./check";
import { pathAt, rangeAt } from "./place";
import { explain, type Schema, schemasAt, starterOf } from "./schema";

const schema = system as unknown as Schema;

describe("the schema of system.json", () => {
  test("explains a setting with type, default and unit", () => {
    const [timeout] = schemasAt(schema, ["splash", "timeout"]);
    expect(timeout).toBeDefined();
    expect(explain(timeout as Schema).join("\n")).toMatch(/Type: integer|Type: number/);
    expect(explain(timeout as Schema).join("\n")).toMatch(/Default: \d+/);
  });

  test("finds what may stand in a list with variants", () => {
    const names = schemasAt(schema, ["appStores", 0]).flatMap((each) => Object.keys(each.properties ?? {}));
    expect(names).toContain("type");
  });

  test("starts a new member with its default", () => {
    expect(starterOf({ type: "boolean", default: true })).toBe("true");
    expect(starterOf({ type: "object" })).toBe("{}");
    expect(starterOf({ enum: ["a", "b"] })).toBe('"a"');
    expect(starterOf({})).toBe("null");
  });

  test("marks a misspelt name and a wrong type at their own places", () => {
    const mistakes = findMistakes(schema, { splash: { timout: 1, timeout: "long" } });
    expect(mistakes.map((mistake) => mistake.path.join("."))).toEqual(
      expect.arrayContaining(["splash.timout", "splash.timeout"]),
    );
    expect(findMistakes(schema, { splash: { timeout: 10 } })).toEqual([]);
  });
});

describe("places in text", () => {
  const text = '{"a": {"b/c": [1, {"d": true}]}, "e": "x"}';
  const tree = jsonLanguage.parser.parse(text);
  const slice = (from: number, to: number) => text.slice(from, to);

  test("a position has a path", () => {
    const at = (words: string) => pathAt(tree.resolveInner(text.indexOf(words) + 1, 1), slice);
    expect(at("true")).toEqual(["a", "b/c", 1, "d"]);
    expect(at('"x"')).toEqual(["e"]);
  });

  test("a path has a range", () => {
    const range = rangeAt(tree, ["a", "b/c", 1, "d"], slice);
    expect(range && slice(range.from, range.to)).toBe("true");
    expect(rangeAt(tree, ["a", "nothing", "x"], slice)).toBeNull();
  });

  test("pointers become steps", () => {
    expect(stepsOf("#/a/b~1c/0/d%20e")).toEqual(["a", "b/c", 0, "d e"]);
    expect(stepsOf("#")).toEqual([]);
  });
});
