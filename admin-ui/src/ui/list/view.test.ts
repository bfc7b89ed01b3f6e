import { expect, test } from "vitest";
import { changesTo, chosenColumns, isOnlyView, moved, toggled, viewSearch } from "./view";

const columns = ["user", "version", "started"].map((id) => ({ id, header: id, isOptional: true, cell: () => id }));

test("a view stores filters, sorting, columns and density, but not the position", () => {
  const search = { q: "ann", status: "failed", sort: "-at", columns: "a,b", density: "compact", row: "40", view: "x" };
  expect(viewSearch(search)).toBe("q=ann&status=failed&sort=-at&columns=a%2Cb&density=compact");
  expect(viewSearch({ row: "3", tab: "members" })).toBe("");
});

test("opening a view replaces everything that a view stores", () => {
  expect(changesTo({ q: "x", user: "ann", tab: "t" }, { id: "7", search: "status=failed&q=y" })).toEqual({
    q: "y",
    user: "",
    status: "failed",
    view: "7",
    row: "",
  });
});

test("an address with nothing but a view is completed", () => {
  expect(isOnlyView({ view: "7" })).toBe(true);
  expect(isOnlyView({ view: "7", sort: "name" })).toBe(false);
  expect(isOnlyView({})).toBe(false);
});

test("columns are chosen and ordered; unknown ones are ignored", () => {
  expect(chosenColumns(columns, [])).toBe(columns);
  expect(chosenColumns(columns, ["nothing"])).toBe(columns);
  const chosen = chosenColumns(columns, ["started", "x", "user", "user"]);
  expect(chosen.map((column) => column.id)).toEqual(["started", "user"]);
  expect(chosen.every((column) => !column.isOptional)).toBe(true);
});

test("columns are shown, hidden and moved", () => {
  expect(toggled(["a", "b"], "c")).toEqual(["a", "b", "c"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  expect(toggled(["a"], "a")).toEqual(["a"]);
  expect(moved(["a", "b", "c"], "c", -1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b"], "b", 1)).toEqual(["a", "b"]);
});
