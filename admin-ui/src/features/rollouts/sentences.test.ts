import { expect, test } from "vitest";
import { progressSentence, span, stagesOf, stageUsers } from "./sentences";

test("stages are said in words", () => {
  expect(stageUsers({ percent: 10, groups: [] })).toBe("10% of the users");
  expect(stageUsers({ percent: 5, groups: ["A", "B"] })).toBe("5% of the users and members of A, B");
  expect([span(null), span(86_400), span(7200), span(60)]).toEqual([
    "until the next stage is started",
    "1 day",
    "2 hours",
    "1 minute",
  ]);
});

test("typed stages become requests", () => {
  expect(
    stagesOf([
      { id: 1, percent: "", groups: ["A"], hours: 0.5 },
      { id: 2, percent: 50, groups: [], hours: "" },
    ]),
  ).toEqual([
    { percent: 0, groups: ["A"], duration: 1800 },
    { percent: 50, groups: [], duration: null },
  ]);
});

test("the progress is one sentence", () => {
  const progress = { users: 1200, desktops: 10, applied: 7, pending: 1, failed: 2, crashed: 1 };
  expect(progressSentence({ progress })).toBe(
    "1,200 users with the new version, applied on 7 of 10 connected desktops, 1 pending, 2 failed, 1 user crashed.",
  );
});
