import { expect, test } from "vitest";
import { OpenedApps } from "./opened-apps";

test("an app has at most 20 open apps that it opened, and opens at most 20 in ten seconds", () => {
  let now = 0;
  const open = new Set<string>();
  const opened = new OpenedApps(
    (id) => open.has(id),
    () => now,
  );
  const add = (by: string, id: string) => opened.add(by, id) && open.add(id) !== undefined;
  for (let at = 0; at < 20; at += 1) expect(add("chart", `c${at}`)).toBe(true);
  expect(add("chart", "more")).toBe(false);
  expect(add("news", "n1")).toBe(true);
  // Closing an app does not allow another one at once.
  open.delete("c0");
  expect(add("chart", "more")).toBe(false);
  now += 10_000;
  expect(add("chart", "more")).toBe(true);
  expect(add("chart", "another")).toBe(false);
});
