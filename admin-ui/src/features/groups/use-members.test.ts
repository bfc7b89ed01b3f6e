import { expect, test } from "vitest";
import { Refused, Unreachable } from "../../api/errors";
import { attemptAll, groupsAfter, leftOf, movesOf } from "./use-members";

const draft = { added: ["a", "b"], removed: ["c"] };

test("a person comes into a group once, and leaves no other", () => {
  expect(groupsAfter(["X", "Y"], "Z", true)).toEqual(["X", "Y", "Z"]);
  expect(groupsAfter(["X", "Y"], "Y", true)).toEqual(["X", "Y"]);
  expect(groupsAfter(["X", "Y"], "Y", false)).toEqual(["X"]);
});

test("anyone who could not be changed stays to be done, with what was chosen meanwhile", async () => {
  const failures = await attemptAll(movesOf(draft), async ({ user }) => {
    if (user === "b") throw new Refused(404, "There is no user.");
  });
  expect([...failures.keys()]).toEqual(["b"]);
  expect(leftOf({ added: ["a", "b"], removed: ["c", "d"] }, movesOf(draft), failures)).toEqual({
    added: ["b"],
    removed: ["d"],
  });
});

test("a manager that is away is asked once", async () => {
  let asked = 0;
  const failures = await attemptAll(movesOf(draft), async () => {
    asked += 1;
    throw new Unreachable();
  });
  expect([asked, failures.size]).toEqual([1, 3]);
});
