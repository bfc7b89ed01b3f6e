import { expect, test } from "vitest";
import { removeAt, setAt } from "./text-edit";

const TEXT = `{
  "$schema": "x",
  "unknown": { "ratio": 1.0, "id": 12345678901234567890, "list": [1e3, "a\\"}"] },
  "notifications": {
    "toastExpiry": 5000.0,
    "enabled": true
  }
}
`;

test("a changed value replaces only its own text", () => {
  expect(setAt(TEXT, ["notifications", "toastExpiry"], 3000)).toBe(TEXT.replace("5000.0", "3000"));
  expect(setAt(TEXT, ["unknown", "list", 1], "b")).toBe(TEXT.replace('"a\\"}"', '"b"'));
});

test("a new value is added at the end of its object, with the indentation of the text", () => {
  expect(setAt(TEXT, ["notifications", "sound"], "off")).toBe(
    TEXT.replace('"enabled": true', '"enabled": true,\n    "sound": "off"'),
  );
  expect(setAt(TEXT, ["tray", "menu", "exit"], true)).toBe(
    TEXT.replace("  }\n}", '  },\n  "tray": {\n    "menu": {\n      "exit": true\n    }\n  }\n}'),
  );
  expect(setAt(TEXT, ["unknown", "more"], [1])).toBe(TEXT.replace('"] }', '"], "more": [1] }'));
  expect(setAt(TEXT, ["unknown", "list", 2], 7)).toBe(TEXT.replace('"a\\"}"]', '"a\\"}", 7]'));
});

test("an empty document gets its first value", () => {
  expect(setAt("{}", ["tray", "exit"], true)).toBe('{\n  "tray": {\n    "exit": true\n  }\n}');
  expect(setAt('{"a": {}}', ["a", "b"], 1)).toBe('{"a": {\n  "b": 1\n}}');
  expect(setAt("[]", [0, "name"], "red")).toBe('[\n  {\n    "name": "red"\n  }\n]');
});

test("a value that is not an object is replaced by one if something is set inside it", () => {
  expect(setAt('{"a": 5, "b": 2.50}', ["a", "c"], 1)).toBe('{"a": {\n  "c": 1\n}, "b": 2.50}');
});

test("a removed value takes its comma along, and objects that become empty", () => {
  expect(removeAt(TEXT, ["notifications", "toastExpiry"])).toBe(TEXT.replace('"toastExpiry": 5000.0,\n    ', ""));
  expect(removeAt(TEXT, ["notifications", "enabled"])).toBe(TEXT.replace(',\n    "enabled": true', ""));
  const one = removeAt(TEXT, ["notifications", "enabled"]);
  expect(removeAt(one, ["notifications", "toastExpiry"])).toBe(TEXT.replace(/,\n {2}"notifications"[^}]*\}/, ""));
  expect(removeAt('{"a": {"b": {"c": 1}}}', ["a", "b", "c"])).toBe("{}");
  expect(removeAt('{"a": [{"b": 1}]}', ["a", 0])).toBe('{"a": []}');
});

test("nothing changes if the value does not exist", () => {
  expect(removeAt(TEXT, ["tray", "exit"])).toBe(TEXT);
  expect(removeAt(TEXT, ["$schema", "exit"])).toBe(TEXT);
});

test("set and remove give the document that the values say, whatever its form", () => {
  for (const text of [
    "{}",
    " {\n}\n",
    '{"a":{"b":1,"c":[{}]}}',
    '{\n\t"a": {\n\t\t"b": "x,}\\\\"\n\t}\n}',
    '{"a":null}',
  ]) {
    const before = JSON.parse(text);
    const set = setAt(text, ["a", "d", "e"], { f: [1, "}"] });
    const holder = typeof before.a === "object" && before.a !== null ? before.a : {};
    expect(JSON.parse(set)).toEqual({ ...before, a: { ...holder, d: { e: { f: [1, "}"] } } } });
    const removed = JSON.parse(removeAt(set, ["a", "d", "e"]));
    expect(removed).toEqual(Object.keys(holder).length > 0 ? before : {});
  }
});
