import { expect, test } from "vitest";
import type { Me } from "../api/generated/client";
import { sectionsFor } from "../shell/navigation";
import { ago } from "../ui/time";
import { accessSentence } from "./access/access-sentence";
import { commonCommands } from "./commands/supported";
import { branchesOf } from "./configs/scope";
import { lastDays } from "./dashboard/days";
import { readDefinitions } from "./imports/read-definitions";
import { effectSentence } from "./previews/effect-sentence";
import { receiptSentence } from "./receipts/receipt-sentence";

const person = (permissions: string[]): Me => ({ id: "x", email: null, groups: [], apps: [], permissions });

test("the navigation offers what the user may read", () => {
  const paths = (permissions: string[]) =>
    sectionsFor(person(permissions)).flatMap((section) => section.pages.map((page) => page.path));
  expect(paths([])).toEqual(["/", "/tokens"]);
  expect(paths(["PLATFORM_MANAGER:APPS:READ", "PLATFORM_MANAGER:CRASHES:READ"])).toEqual([
    "/",
    "/apps",
    "/directories",
    "/rollouts",
    "/tokens",
    "/crash-groups",
  ]);
  const all = sectionsFor({ ...person([]), groups: ["PLATFORM_SERVER_ADMIN"] });
  expect(all.flatMap((section) => section.pages.map((page) => page.path))).toContain("/server");
});

test("access is said in one sentence", () => {
  expect(accessSentence({ public: true, accessList: ["A"], disabled: true })).toMatch(/not available to any user/);
  expect(accessSentence({ public: true, accessList: ["A"], disabled: false })).toBe("Available to all users.");
  expect(accessSentence({ public: false, accessList: [], disabled: false })).toMatch(/directly/);
  expect(accessSentence({ public: false, accessList: ["A", "B"], disabled: false })).toMatch(/A, B/);
});

test("commands are offered that all chosen desktops take", () => {
  expect(commonCommands([{ commands: ["A", { type: "B" }, "C"] }, { commands: ["C", "B"] }])).toEqual(["B", "C"]);
  expect(commonCommands([{ commands: ["A"] }, { commands: [] }])).toEqual(["A"]);
  expect(commonCommands([])).toEqual([]);
});

test("pasted definitions are a list, one alone, or an object that holds them", () => {
  expect(readDefinitions('[{"name":"a"}]', "applications")).toEqual({ definitions: [{ name: "a" }] });
  expect(readDefinitions('{"applications":[{"name":"a"}]}', "applications")).toEqual({ definitions: [{ name: "a" }] });
  expect(readDefinitions('{"name":"a"}', "applications")).toEqual({ definitions: [{ name: "a" }] });
  expect(readDefinitions('{"appId":"a"}', "applications")).toEqual({ definitions: [{ appId: "a" }] });
  for (const wrong of ["", "{", "7", "[]", '["x"]', '{"other":[]}']) {
    expect(readDefinitions(wrong, "applications")).toHaveProperty("problem");
  }
});

test("the tree of scopes keeps versions in the order of their numbers", () => {
  const stamp = { revision: 1, created: "", createdBy: "", modified: "", modifiedBy: "", contents: {} };
  const file = (id: string, scope: string, more: object) => ({ id, file: "system.json", scope, ...more, ...stamp });
  const tree = branchesOf([
    file("1", "version", { version: "10.10" }),
    file("2", "version", { version: "10.2" }),
    file("3", "base", {}),
  ]);
  expect(tree.get("version")?.map((branch) => branch.place.target)).toEqual(["10.2", "10.10"]);
  expect(tree.get("base")?.[0]?.files).toHaveLength(1);
  expect(tree.get("user")).toEqual([]);
});

test("the last days begin at midnight in the time zone of the user", () => {
  const days = lastDays(3, new Date(2026, 2, 1, 15));
  expect(days.map((day) => day.date)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(days.at(-1)?.start).toBe(new Date(2026, 2, 1).toISOString());
  expect(days[0]?.label).toBe("Feb 27");
});

test("the effect of a change is one sentence", () => {
  const nothing = {
    users: 40,
    affected: 0,
    items: [],
    total: 0,
    unlisted: 0,
    versions: ["*"],
    problems: [],
    solved: [],
  };
  const problem = (severity: string, count: number) => ({
    path: "a.b",
    severity,
    message: "wrong",
    file: "system.json",
    versions: ["*"],
    count,
    users: null,
  });
  expect(effectSentence(nothing)).toBe("Affects no users.");
  expect(effectSentence({ ...nothing, affected: 12 })).toBe("Affects 12 of 40 users.");
  expect(effectSentence({ ...nothing, affected: 12, problems: [problem("error", 1), problem("warning", 9)] })).toBe(
    "Affects 12 of 40 users. The resulting settings would be invalid for 1 user.",
  );
  expect(effectSentence({ ...nothing, affected: 3, problems: [problem("warning", 3)] })).toMatch(
    /warnings for 3 users/,
  );
  expect(effectSentence({ ...nothing, affected: 3, solved: [problem("error", 3)] })).toMatch(
    /Resolves existing validation problems/,
  );
});

test("receipts are summarized in one sentence", () => {
  expect(receiptSentence({ applied: 0, pending: 0 })).toMatch(/No connected desktop/);
  expect(receiptSentence({ applied: 1, pending: 4 })).toBe("Applied on 1 of 5 connected desktops.");
  expect(receiptSentence({ applied: 1, pending: 0 })).toMatch(/on the only affected connected desktop/);
  expect(receiptSentence({ applied: 5, pending: 0 })).toMatch(/on all 5 affected connected desktops/);
});

test("times are reported as people say them", () => {
  const now = new Date("2026-03-10T15:00:00Z");
  expect(ago(new Date("2026-03-10T14:59:40Z"), now)).toBe("just now");
  expect(ago(new Date("2026-03-10T14:30:00Z"), now)).toBe("30 min. ago");
  expect(ago(new Date("2026-03-09T14:00:00Z"), now)).toBe("yesterday");
});
