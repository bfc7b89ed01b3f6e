import { describe, expect, test } from "vitest";
import { ExactNumber } from "../../api/exact-number";
import { changesBetween, isSame, joined, meet, usualChoice, valueAt, withValue } from "./changes";

describe("changesBetween", () => {
  test("names each leaf that differs, and nothing else", () => {
    const before = { a: 1, b: { c: [1, 2], d: "x" }, e: null };
    const after = { a: 1, b: { c: [1], d: "x", f: true }, g: 0 };
    expect(changesBetween(before, after)).toEqual([
      { path: ["b", "c"], before: [1, 2], after: [1] },
      { path: ["b", "f"], after: true },
      { path: ["e"], before: null },
      { path: ["g"], after: 0 },
    ]);
  });

  test("a list is one value, as configuration is merged", () => {
    expect(changesBetween([{ a: 1 }], [{ a: 2 }])).toEqual([{ path: [], before: [{ a: 1 }], after: [{ a: 2 }] }]);
  });

  test("names like __proto__ are ordinary", () => {
    const odd = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
    expect(isSame(odd, {})).toBe(false);
    expect(valueAt({}, ["constructor", "name"])).toBeUndefined();
    expect(changesBetween({}, odd)).toEqual([
      { path: ["__proto__"], after: { x: 1 } },
      { path: ["constructor"], after: 2 },
    ]);
    expect(Object.keys(withValue({}, ["__proto__"], 1) as object)).toEqual(["__proto__"]);
  });
});

describe("two people", () => {
  const base = { title: "A", width: 1, flags: { x: true } };

  test("changes in different places come together without a question", () => {
    const mine = { ...base, title: "B" };
    const theirs = { ...base, width: 2 };
    const meetings = meet(base, mine, theirs);
    expect(meetings.map((meeting) => meeting.isConflict)).toEqual([false, false]);
    expect(joined(theirs, meetings, meetings.map(usualChoice))).toEqual({ ...base, title: "B", width: 2 });
  });

  test("the same place is a choice", () => {
    const mine = { ...base, title: "B" };
    const theirs = { ...base, title: "C" };
    const meetings = meet(base, mine, theirs);
    expect(meetings).toMatchObject([{ path: ["title"], base: "A", mine: "B", theirs: "C", isConflict: true }]);
    expect(joined(theirs, meetings, ["mine"])).toEqual(mine);
    expect(joined(theirs, meetings, ["theirs"])).toEqual(theirs);
  });

  test("the same change by both is no conflict", () => {
    const both = { ...base, title: "B" };
    expect(meet(base, both, both).every((meeting) => !meeting.isConflict)).toBe(true);
  });

  test("taking out and replacing a whole object is one choice", () => {
    const mine = { title: "A", width: 1 };
    const theirs = { ...base, flags: { x: false } };
    const meetings = meet(base, mine, theirs);
    expect(meetings.map((meeting) => meeting.path)).toEqual([["flags"]]);
    expect(joined(theirs, meetings, ["mine"])).toEqual(mine);
  });
});

test("withValue sets, makes and takes out, and changes nothing that was given", () => {
  const document = { a: { b: 1 }, c: 2 };
  expect(withValue(document, ["a", "b"], 3)).toEqual({ a: { b: 3 }, c: 2 });
  expect(withValue(document, ["d", "e"], 4)).toEqual({ a: { b: 1 }, c: 2, d: { e: 4 } });
  expect(withValue(document, ["c"], undefined)).toEqual({ a: { b: 1 } });
  expect(document).toEqual({ a: { b: 1 }, c: 2 });
});

test("numbers that keep their text are values, not objects", () => {
  const [one, other] = [new ExactNumber("1.0"), new ExactNumber("1.00")];
  expect(isSame({ a: one }, { a: new ExactNumber("1.0") })).toBe(true);
  expect(isSame(one, other)).toBe(false);
  expect(isSame(one, 1)).toBe(true);
  expect(isSame(one, { text: "1.0" })).toBe(false);
  expect(changesBetween({ a: one }, { a: other })).toEqual([{ path: ["a"], before: one, after: other }]);
});
