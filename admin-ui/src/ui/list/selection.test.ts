import { expect, test } from "vitest";
import { Selection } from "./selection";

test("rows are selected and removed from the selection", () => {
  const selection = new Selection<string>();
  selection.set(
    [
      ["a", "A"],
      ["b", "B"],
    ],
    true,
  );
  selection.set([["a", "A"]], false);
  expect([...selection.current().rows]).toEqual([["b", "B"]]);
  expect([selection.has("a"), selection.has("b"), selection.count(100)]).toEqual([false, true, 1]);
});

test("with all rows selected, single rows can be excluded and added again", () => {
  const selection = new Selection<string>();
  selection.selectAll();
  selection.set([["a", "A"]], false);
  expect([selection.has("a"), selection.has("b"), selection.count(100)]).toEqual([false, true, 99]);
  selection.set([["a", "A"]], true);
  expect(selection.count(100)).toBe(100);
});

test("a cleared selection is empty and its listeners are notified", () => {
  const selection = new Selection<string>();
  let heard = 0;
  const stop = selection.subscribe(() => {
    heard += 1;
  });
  selection.selectAll();
  selection.clear();
  selection.clear();
  stop();
  selection.selectAll();
  expect(heard).toBe(2);
  selection.clear();
  expect(selection.count(5)).toBe(0);
});
