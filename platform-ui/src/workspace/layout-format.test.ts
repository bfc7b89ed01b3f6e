import type { SerializedDockview } from "dockview";
import { describe, expect, it } from "vitest";
import { MOST_WINDOWS, toScreen, toWorkspace, type WorkspaceState, windowsIn } from "./layout-format";

const window = (appName: string) => ({ type: "window" as const, config: { appName, title: appName } });
const group = (apps: string[], config: object = {}) => ({
  type: "group" as const,
  children: apps.map(window),
  config: { activeTabIndex: 0, ...config },
});

function screenOf(state: WorkspaceState): SerializedDockview {
  let next = 0;
  return toScreen(
    state,
    () => `id-${next++}`,
    (app) => app,
  );
}

describe("workspaces as layouts", () => {
  it("come back as they were saved, with floating groups, sizes and the tab in front", () => {
    const state: WorkspaceState = {
      type: "workspace",
      children: [
        {
          type: "row",
          children: [
            group(["a", "b"], { activeTabIndex: 1, width: 300 }),
            {
              type: "column",
              children: [group(["c"], { height: 200 }), group(["a"], { height: 600 })],
              config: { width: 900 },
            },
          ],
          config: {},
        },
      ],
      config: { floating: [{ bounds: { left: 10, top: 20, width: 320, height: 240 }, group: group(["d"]) }] },
    };

    expect(toWorkspace(screenOf(state))).toEqual(state);
  });

  it("of other platforms open too: windows without a group, boxes in boxes, several parts at the top", () => {
    const state: WorkspaceState = {
      children: [window("a"), { type: "row", children: [window("b"), group([]), { type: "column", children: [] }] }],
    };

    const [root] = toWorkspace(screenOf(state)).children;

    expect(root?.type).toBe("row");
    expect(windowsIn({ children: root ? [root] : [] }).map((each) => each.config.appName)).toEqual(["a", "b"]);
  });

  it("leave out floating groups that are malformed", () => {
    const bounds = { left: 1, top: 1, width: 100, height: 100 };
    const wrong = [null, 7, {}, { bounds }, { bounds, group: { children: [{}, null, { type: "window" }] } }];
    for (const floating of [wrong, "text", { length: 3 }]) {
      const state = { children: [], config: { floating } } as unknown as WorkspaceState;
      expect(toWorkspace(screenOf(state))).toEqual({ type: "workspace", children: [] });
      expect(windowsIn(state)).toEqual([]);
    }
  });

  it("without windows are empty", () => {
    expect(toWorkspace(screenOf({ children: [] }))).toEqual({ type: "workspace", children: [] });
  });

  it("with too many windows are refused before anything is opened", () => {
    const apps = Array.from({ length: MOST_WINDOWS + 1 }, (_, index) => `app ${index}`);

    expect(() => screenOf({ children: [group(apps)] })).toThrow(`has ${MOST_WINDOWS + 1} windows`);
  });
});
