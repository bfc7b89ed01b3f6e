import { expect, test } from "vitest";
import { ExactNumber } from "../../../api/exact-number";
import { bySetting, documentFor, loadCatalogue, matches, problemText, shows, wordsIn } from "./catalogue";

test("each file has the settings of its catalogue, and others have none", async () => {
  const documents = await loadCatalogue();
  expect(documentFor(documents, "system.json")?.document).toBe("system.json");
  expect(documentFor(documents, "system-eu.json")?.document).toBe("system.json");
  expect(documentFor(documents, "gilding.json")?.document).toBe("gilding.json");
  expect(documentFor(documents, "channels.json")).toBeNull();
  expect(documentFor(documents, "mysystem.json")).toBeNull();
});

test("the control of each setting shows its default", async () => {
  for (const { sections } of await loadCatalogue()) {
    for (const field of sections.flatMap((section) => section.fields)) {
      if (field.default !== null) expect([field.path, shows(field, field.default)]).toEqual([field.path, true]);
    }
  }
});

test("settings are found by words of their path, label and description", () => {
  const field = { path: "tray.exit", label: "Exit", control: "switch", default: true, text: "The menu item." } as const;
  expect(matches(field, wordsIn(" TRAY menu "))).toBe(true);
  expect(matches(field, wordsIn("tray window"))).toBe(false);
  expect(matches(field, wordsIn(""))).toBe(true);
});

test("values and problems belong to the setting around them", () => {
  const items = ["a.b", "a.b[0].c", "a.bc", "a", "envVars.set.X.y"].map((path) => ({ path }));
  const { at, rest } = bySetting(items, new Set(["a.b", "envVars.set"]));
  expect(at.get("a.b")?.map(({ path }) => path)).toEqual(["a.b", "a.b[0].c"]);
  expect(at.get("envVars.set")?.length).toBe(1);
  expect(rest.map(({ path }) => path)).toEqual(["a.bc", "a"]);
  const problem = (path: string) => ({ path, message: "must be text", severity: "error" });
  expect(problemText([problem("a.b"), problem("a.b[0].c")], "a.b")).toBe("Must be text. Item 1, c: must be text.");
});

test("a value of another type is not shown in the control", () => {
  const field = (control: "number" | "items" | "map") => ({ path: "x", label: "X", control, default: null, text: "" });
  expect(shows(field("number"), new ExactNumber("1.0"))).toBe(true);
  expect(shows(field("number"), "1")).toBe(false);
  expect(shows(field("map"), { a: "b" })).toBe(true);
  expect(shows(field("map"), { a: new ExactNumber("1.0") })).toBe(false);
  const column = { ...field("number"), path: "meta.size" };
  const items = { ...field("items"), columns: [column] };
  expect(shows(items, [{ meta: { size: 1, other: [] } }, {}])).toBe(true);
  expect(shows(items, [{ meta: "x" }])).toBe(false);
});
