import { expect, test } from "vitest";
import type { CommandRunSummary } from "../../api/generated/client";
import { percentage, progressSentence, wavesOf } from "./sentences";

const NONE = {
  total: 0,
  pending: 0,
  sent: 0,
  done: 0,
  failed: 0,
  unanswered: 0,
  unsupported: 0,
  offline: 0,
  refused: 0,
  cancelled: 0,
};
const run = (members: Partial<CommandRunSummary>) => ({ ...NONE, status: "running", ...members }) as CommandRunSummary;

test("progress names the states that desktops are in", () => {
  expect(progressSentence({ ...NONE, total: 200, done: 180, offline: 12, failed: 8 })).toBe(
    "180 of 200 done, 8 failed, 12 offline",
  );
  expect(progressSentence({ ...NONE, total: 2000, sent: 1500, pending: 500 })).toBe(
    "0 of 2,000 done, 1,500 not answered yet, 500 in later waves",
  );
});

test("a run is complete when nothing more is expected", () => {
  expect(percentage(run({ total: 200, done: 100, pending: 100 }))).toBe(50);
  expect(percentage(run({ total: 4, done: 3, offline: 1 }))).toBe(75);
  expect(percentage(run({ total: 4, done: 3, offline: 1, status: "done" }))).toBe(100);
  expect(percentage(run({ status: "done" }))).toBe(100);
  expect(percentage(run({ status: "scheduled" }))).toBe(0);
});

test("waves are separated by commas or spaces", () => {
  expect(wavesOf("10%, 50% 100%")).toEqual(["10%", "50%", "100%"]);
  expect(wavesOf(" ")).toEqual([]);
});
