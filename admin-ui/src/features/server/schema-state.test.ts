import { expect, test } from "vitest";
import { schemaState } from "./schema-state";

const state = (migration: string | null) => schemaState({ kind: "postgresql", migration, newestMigration: "0021" });

test("tables of this version are up to date", () => {
  expect(state("0021")).toEqual({ isFine: true, words: "up to date" });
});

test("tables of a newer version are fine, because the server would not run with others", () => {
  expect(state("0022")).toEqual({ isFine: true, words: "at migration 0022 of a newer version" });
});

test("older and unknown tables are not fine", () => {
  expect(state("0020")).toEqual({ isFine: false, words: "at migration 0020, outdated" });
  expect(state(null)).toEqual({ isFine: false, words: "at migration unknown, outdated" });
});
