import { expect, test } from "vitest";
import { localTime, momentOf, utcTime } from "./moment-input";

test("the address has a time or a revision, or neither for now", () => {
  expect(["", "17", "2026-11-15T09:30:00Z"].map(momentOf)).toEqual(["now", "revision", "time"]);
});

test("a time keeps its value on the way to the field and back", () => {
  for (const time of ["2026-11-15T09:30:00Z", "2026-07-01T23:59:05Z"]) expect(utcTime(localTime(time))).toBe(time);
  expect([localTime(""), localTime("yesterday"), utcTime("")]).toEqual(["", "", ""]);
});
