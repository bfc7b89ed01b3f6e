import { expect, test } from "vitest";
import { quotaAmount, quotaLabel, refusesWhenFull } from "./quota-text";

test("counts are numbers and sizes have the unit that fits", () => {
  expect(quotaAmount("sessions", 1000)).toBe((1000).toLocaleString());
  expect(quotaAmount("layoutBytes", 0)).toBe("0 bytes");
  expect(quotaAmount("layoutBytes", 1023)).toBe(`${(1023).toLocaleString()} bytes`);
  expect(quotaAmount("layoutBytes", 1536)).toBe(`${(1.5).toLocaleString()} KiB`);
  expect(quotaAmount("crashBytes", 512 * 1024 * 1024)).toBe("512 MiB");
});

test("a quota that a newer server adds is shown by its own name", () => {
  expect(quotaLabel("sessions")).toBe("Open sessions");
  expect(quotaLabel("somethingNew")).toBe("somethingNew");
});

test("a quota that removes the oldest refuses nothing when it is full", () => {
  expect(refusesWhenFull("preferenceBytes")).toBe(true);
  expect(refusesWhenFull("somethingNew")).toBe(true);
  expect(refusesWhenFull("historyBytes")).toBe(false);
});
