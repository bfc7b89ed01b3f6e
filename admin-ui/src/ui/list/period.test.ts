import { expect, test } from "vitest";
import { filterValue } from "./columns";
import { dayOf, periodForServer, readPeriod, writePeriod } from "./period";

const startOf = (day: number) => new Date(2026, 10, day).toISOString();

test("a period has the complete days of the user", () => {
  expect(periodForServer("2026-11-01..2026-11-15")).toBe(`${startOf(1)}..${startOf(16)}`);
  expect(periodForServer("2026-11-01..")).toBe(`${startOf(1)}..`);
  expect(periodForServer("..2026-11-15")).toBe(`..${startOf(16)}`);
  expect(periodForServer("2026-11-15")).toBe(`${startOf(15)}..${startOf(16)}`);
  expect(periodForServer("soon..")).toBe("soon..");
});

test("a period is read and written", () => {
  expect(readPeriod("2026-11-01..")).toEqual({ first: "2026-11-01", last: "" });
  expect(writePeriod({ first: "", last: "2026-11-15" })).toBe("..2026-11-15");
  expect(writePeriod({ first: "", last: "" })).toBe("");
});

test("an end of a period that is a time is shown as its day, and sent unchanged", () => {
  const time = new Date(2026, 10, 5, 14, 30).toISOString();
  expect(dayOf(time)).toBe("2026-11-05");
  expect(dayOf("2026-11-05")).toBe("2026-11-05");
  expect(dayOf("soonT")).toBe("soonT");
  expect(periodForServer(`${time}..`)).toBe(`${time}..`);
});

test("a filter by time is sent as a period", () => {
  const filter = { name: "at", label: "Time", isPeriod: true };
  expect(filterValue(filter, "2026-11-15")).toBe(`${startOf(15)}..${startOf(16)}`);
});
