import { expect, test } from "vitest";
import { pictureOf } from "./geometry";

test("windows with bounds are drawn where they are", () => {
  const { windows, displays, frame } = pictureOf({
    displays: [{ name: "D1", left: 0, top: 0, width: 1920, height: 1080 }],
    components: [
      { type: "window", application: "a", state: { bounds: { left: -100, top: 50, width: 500, height: 400 } } },
      { type: "window", application: "b", state: {} },
    ],
  });
  expect(windows).toEqual([{ left: -100, top: 50, width: 500, height: 400, label: "a" }]);
  expect(displays).toHaveLength(1);
  expect(frame).toEqual({ left: -100, top: 0, width: 2020, height: 1080 });
});

test("a workspace shares its space among rows, columns and groups", () => {
  const window = (appName: string) => ({ type: "window", config: { appName } });
  const state = {
    type: "workspace",
    children: [
      {
        type: "row",
        children: [
          { type: "group", children: [window("left")], config: { width: 480 } },
          { type: "column", children: [window("up"), { type: "group", children: [window("one"), window("two")] }] },
        ],
      },
    ],
  };
  const { windows } = pictureOf({ components: [{ type: "Workspace", state }] });
  expect(windows.map((box) => box.label)).toEqual(["left", "up", "one | two"]);
  expect(windows[0]?.width).toBeCloseTo(480);
  expect(windows[1]).toMatchObject({ left: windows[0]?.width, height: 540 });
  expect(windows[2]?.top).toBeCloseTo(540);
});

test("what is no layout draws nothing and harms nothing", () => {
  const endless = { left: 0, top: 0, width: 1e308, height: 5 };
  for (const odd of [null, 7, "x", [], { components: 3 }, { components: [null, { state: { bounds: endless } }] }]) {
    expect(pictureOf(odd).windows).toEqual([]);
  }
});
