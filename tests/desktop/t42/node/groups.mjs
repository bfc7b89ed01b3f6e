// Groups and tabs of windows.
import { call, connect, desk, equal, ok, refused, run, until } from "./harness.mjs";

const io = await connect("mail", { windows: true, appManager: "full" });
const { windows } = io;
const { groups } = windows;
const PAGE = "https://x.example/page";
let number = 0;

const open = (left, more = {}) =>
  windows.open(`w${++number}`, PAGE, { left, top: 100, width: 300, height: 200, mode: "tab", ...more });
const bounds = ({ bounds: { left, top, width, height } }) => [left, top, width, height];
const groupOf = (window) => groups.findGroupByWindow(window.id);
const members = (group) => group.windows.map((one) => one.id).sort();
const next = (subscribe) => new Promise((resolve) => subscribe((...given) => resolve(given)));
const heard = (window, types) => {
  const found = [];
  const stop = windows.onEvent((event) => {
    if (event.windowId === window.id && types.includes(event.type)) found.push([event.type, event.data]);
  });
  return { found, stop };
};
const closed = async (...some) => {
  for (const one of some) if (windows.findById(one.id)) await one.close();
};

call("a window that is snapped to another is its neighbour, in one group", async () => {
  const [a, b] = [await open(100), await open(900, { width: 200 })];
  const events = heard(b, ["CompositionChanged"]);
  await b.snap(a, "right");
  equal(bounds(b), [404, 100, 200, 200]);
  equal(a.groupId, b.groupId);
  ok(a.groupId !== a.id);
  equal(members(groupOf(a)), [a.id, b.id].sort());
  equal([a.rightNeighbours.map((one) => one.id), b.leftNeighbours.map((one) => one.id)], [[b.id], [a.id]]);
  const [[, data]] = events.found.slice(-1);
  equal([data.windowId, data.groupId, data.neighbors.left, data.index], [b.id, a.groupId, [a.id], -1]);
  events.stop();
  const c = await open(900);
  await c.snap(b.id, "bottom");
  equal(bounds(c), [404, 304, 200, 200]);
  equal(groupOf(a).windows.length, 3);
  await closed(a, b, c);
});

call("a window that is snapped without alignment keeps its size", async () => {
  const [a, b] = [await open(100), await open(900, { width: 200, height: 150 })];
  await b.snap(a, { direction: "left", autoAlign: false });
  equal(bounds(b), [-104, 100, 200, 150]);
  await closed(a, b);
}, "interopio");

call("a window is taken out of its group, to a place", async () => {
  const [a, b, c] = [await open(100), await open(900), await open(900)];
  await b.snap(a, "right");
  await c.snap(b, "right");
  const group = groupOf(a);
  const left = next(group.onWindowRemoved);
  await b.ungroup({ bounds: { left: 700, top: 500 }, focus: true });
  equal((await left)[1].id, b.id);
  equal([bounds(b), b.groupId, b.isFocused, members(group)], [[700, 500, 300, 200], b.id, true, [a.id, c.id].sort()]);
  await refused(io.interop.invoke("T42.Wnd.Execute", { command: "ungroup", windowId: b.id }).then((one) => {
    throw new Error(one.returned.errorMsg);
  }), /ungroup: The window is in no group/);
  await closed(a, b, c);
});

call("closing a window leaves the others in their group", async () => {
  const [a, b, c] = [await open(100), await open(900), await open(900)];
  await b.snap(a, "right");
  await c.snap(b, "right");
  const group = groupOf(a);
  await c.close();
  await until(() => group.windows.length === 2);
  const gone = next(groups.onGroupRemoved);
  await b.close();
  await until(() => a.groupId === a.id);
  equal((await gone)[0].id, group.id);
  await closed(a);
});

call("what cannot be grouped is refused with a reason", async () => {
  const a = await open(100);
  await refused(a.snap(a, "right"), /snap: A window cannot be snapped to itself/);
  await refused(a.snap(a.id, "sideways"), /snappingEdge must be one of right, left, top, bottom/);
  await refused(a.attachTab(a), /a window can be a tab of another window only/);
  await refused(a.detachTab(), /detachTab: The window is not a tab of another window/);
  await refused(groupOf(a).hideHeader(), /Only groups of several windows have a header/);
  await refused(groupOf(a).setTitle("T"), /Only groups of several windows have a title/);
  await refused(a.setSticky(false), /window stickiness is not supported in the default mode/);
  await closed(a);
});

call("a window becomes a tab of another, and is taken out again", async () => {
  const [a, b] = [await open(100), await open(900)];
  const attached = next(windows.onTabAttached);
  const events = heard(b, ["WindowFrameRemoved", "WindowFrameAdded"]);
  await a.attachTab(b);
  equal((await attached)[0].id, b.id);
  equal(events.found.map(([type]) => type), ["WindowFrameRemoved", "WindowFrameAdded"]);
  equal([a.tabGroupId, a.frameId], [b.tabGroupId, b.frameId]);
  equal(a.tabs.map((one) => one.id), [a.id, b.id]);
  equal([a.isTabSelected, b.isTabSelected, a.groupId], [false, true, b.groupId]);
  equal(bounds(b), bounds(a));
  const selection = next(a.onTabSelectionChanged);
  await a.focus();
  const [selected, before] = await selection;
  equal([selected.id, before.id], [a.id, b.id]);
  const detached = next(windows.onTabDetached);
  await b.detachTab({ bounds: { left: 800, top: 300, width: 250, height: 150 } });
  equal((await detached)[0].id, b.id);
  equal([bounds(b), a.tabs.length, b.groupId], [[800, 300, 250, 150], 1, b.id]);
  events.stop();
  await closed(a, b);
});

call("a tab is attached at an index, and not selected", async () => {
  const [a, b, c] = [await open(100), await open(900), await open(900)];
  await a.attachTab(b);
  await a.attachTab(c, { index: 0, selected: false });
  equal([a.tabs.map((one) => one.id), b.isTabSelected], [[c.id, a.id, b.id], true]);
  await closed(a, b, c);
}, "interopio");

call("a tab is detached beside another window", async () => {
  const [a, b] = [await open(100), await open(900)];
  await a.attachTab(b);
  await b.detachTab({ relativeTo: a, relativeDirection: "bottom" });
  equal([bounds(b), a.groupId, a.bottomNeighbours.map((one) => one.id)], [[100, 304, 300, 200], b.groupId, [b.id]]);
  await closed(a, b);
});

call("a tab is pinned", async () => {
  const [a, b] = [await open(100), await open(900)];
  await a.attachTab(b);
  await b.pin();
  equal([b.isPinned, a.isPinned, a.tabs.map((one) => one.id)], [true, false, [b.id, a.id]]);
  await b.unpin();
  equal(b.isPinned, false);
  await closed(a, b);
}, "interopio");

call("the tabs of a window are hidden and shown", async () => {
  const a = await open(100);
  const changed = next(a.onTabHeaderVisibilityChanged);
  await a.setTabHeaderVisible(false);
  await changed;
  equal(a.isTabHeaderVisible, false);
  await a.setTabHeaderVisible(true);
  equal(a.isTabHeaderVisible, true);
  await closed(a);
});

call("a group has a title and a header", async () => {
  const [a, b] = [await open(100), await open(900)];
  await b.snap(a, "right");
  const group = groupOf(a);
  equal(await group.getTitle(), "Group");
  await group.setTitle("Trading");
  equal(await group.getTitle(), "Trading");
  const hidden = next(group.onHeaderVisibilityChanged);
  await group.hideHeader();
  await hidden;
  equal([group.isHeaderVisible, a.isGroupHeaderVisible], [false, false]);
  await group.showHeader();
  equal(group.isHeaderVisible, true);
  await closed(a, b);
});

call("a group is maximized and restored as one", async () => {
  const [a, b] = [await open(100), await open(900)];
  await b.snap(a, "right");
  const group = groupOf(a);
  await group.maximize();
  equal([a.state, b.state], ["maximized", "maximized"]);
  await group.restore();
  equal([a.state, b.state], ["normal", "normal"]);
  await b.minimize();
  equal(a.state, "minimized");
  await a.restore();
  equal([a.state, b.state, bounds(a)], ["normal", "normal", [100, 100, 300, 200]]);
  await closed(a, b);
});

call("a group is hidden, shown and loaded again", async () => {
  const [a, b] = [await open(100), await open(900)];
  await b.snap(a, "right");
  const group = groupOf(a);
  const seen = [];
  const stop = group.onVisibilityChanged?.((one) => seen.push(one.isVisible));
  await group.hide();
  equal([a.isVisible, b.isVisible], [false, false]);
  await group.show();
  equal([a.isVisible, b.isVisible], [true, true]);
  await until(() => seen.length === 2);
  equal(seen, [false, true]);
  stop?.();
  await group.reload?.();
  await closed(a, b);
});

call("an app that wants to know prevents that a group is closed", async () => {
  const [a, b] = [await open(100), await open(900)];
  await b.snap(a, "right");
  const group = groupOf(a);
  let asked = 0;
  const stop = group.onClosing(async (prevent) => (asked++, prevent()));
  await a.getTitle();
  await groups.close(group, { allowPrevent: true });
  equal([asked, windows.findById(a.id) === undefined], [1, false]);
  stop();
  await a.getTitle();
  await groups.close(group.id, { allowPrevent: true });
  await until(() => !windows.findById(a.id) && !windows.findById(b.id));
}, "interopio");

call("a group is closed to save memory, and opened again as it was", async () => {
  const [a, b] = [await open(100), await open(900, { context: { symbol: "VOD" } })];
  await b.snap(a, "right");
  const group = groupOf(a);
  await group.setTitle("Kept");
  const hibernated = next(groups.onHibernated);
  await groups.hibernate(group.id);
  equal((await hibernated)[0], group.id);
  await until(() => !windows.findById(a.id) && !windows.findById(b.id));
  await refused(groups.hibernate("nobody"), /There is no group 'nobody'/);
  const resumed = next(groups.onResumed);
  await groups.resume(group.id);
  const [again] = await resumed;
  equal([again.id, await again.getTitle(), again.isHibernated], [group.id, "Kept", false]);
  const places = again.windows.map((one) => [...bounds(one), one.context]).sort((one, other) => one[0] - other[0]);
  equal(places, [[100, 100, 300, 200, {}], [404, 100, 300, 200, { symbol: "VOD" }]]);
  await refused(groups.resume(group.id), /There is no hibernated group/);
  await closed(...again.windows);
});

call("groups are created of apps, with tabs and titles", async () => {
  const frame = (left, ...applications) => ({ bounds: { left, top: 50, width: 200, height: 100 }, mode: "tab", applications });
  const made = await groups.create({
    groups: [
      { title: "Two", frames: [frame(0, { name: "clock", context: { a: 1 } }), frame(204, { name: "clock" }, { name: "clock" })] },
      { frames: [frame(600, { name: "clock" })] },
    ],
  });
  equal(made.map((one) => one.windows.length), [3, 1]);
  equal(await made[0].getTitle(), "Two");
  equal(made[0].windows.map((one) => one.bounds.left).sort(), [0, 204, 204]);
  const before = windows.list().length;
  const wrong = [
    [[{ frames: [] }], /frames must be an array of objects/],
    [[{ frames: [frame(0, { name: "nobody" })] }], /no app 'nobody'/],
    [[{ frames: [frame(0, { name: "clock" }), frame(100, { name: "clock" })] }], /overlaps another frame/],
    [[{ frames: [frame(0, { name: "clock" })] }, { frames: [frame(0, { name: "nobody" })] }], /no app 'nobody'/],
  ];
  for (const [some, pattern] of wrong) await refused(groups.create({ groups: some }), pattern);
  await until(() => windows.list().length === before);
  await closed(...made.flatMap((one) => one.windows));
}, "interopio");

call("a popup is shown at a group", async () => {
  const [a, b, popup] = [await open(100), await open(900), await open(900, { hidden: true, mode: "frameless" })];
  await b.snap(a, "right");
  await groupOf(a).showPopup({ windowId: popup.id, size: { width: 50, height: 40 }, targetLocation: "bottom" });
  equal([popup.isVisible, bounds(popup)], [true, [100, 300, 50, 40]]);
  await closed(a, b, popup);
}, "interopio");

call("a picture of a group needs a right", async () => {
  const [a, b] = [await open(100), await open(900)];
  await b.snap(a, "right");
  await groupOf(a).capture();
  await closed(a, b);
});

call("windows are arranged in a grid, and put back", async () => {
  const [a, b] = [await open(100), await open(900)];
  const before = [bounds(a), bounds(b)];
  const told = [];
  const stop = windows.onArrangementChanged((data) => told.push(data.areWindowsArranged));
  await windows.autoArrange();
  ok(bounds(a)[2] !== 300 && bounds(a)[0] !== bounds(b)[0]);
  await windows.autoArrange();
  equal([bounds(a), bounds(b)], before);
  equal(told, [true, false]);
  stop();
  await closed(a, b);
}, "interopio");

await run();
