// Workspaces: every operation of the workspaces library that the platform has, its events, and what is refused.
import { createRequire } from "node:module";
import { call, connect, desk, equal, modules, ok, refused, run, until } from "./harness.mjs";

const factory = createRequire(`${modules}/`)("@interopio/workspaces-api");
const clock = await connect("clock", { libraries: [factory.default ?? factory], windows: true, appManager: "full" });
const { workspaces } = clock;
const heard = [];
const hear = (name, summary) => workspaces[`on${name}`]((one) => heard.push([name, summary(one)]));
await hear("FrameOpened", (frame) => frame.id);
await hear("FrameClosed", ({ frameId }) => frameId);
await hear("WorkspaceOpened", (one) => one.title);
await hear("WorkspaceClosed", ({ workspaceId }) => workspaceId);
await hear("WindowAdded", (one) => one.appName);
await hear("WindowLoaded", (one) => one.appName);
await hear("WindowRemoved", ({ windowId }) => windowId);
const told = (name, what) => until(() => heard.some((one) => one[0] === name && one[1] === what), `${name} ${what}`);

// What a workspace looks like: apps in groups, rows and columns.
const drawn = (one) => (one.type === "window" ? one.appName : { [one.type]: one.children.map(drawn) });
const inside = async (id) => (await workspaces.getWorkspaceById(id)).children.map(drawn);
const window = (appName) => ({ type: "window", appName });
const control = (operation, operationArguments = {}) => clock.interop.invoke("T42.Workspaces.Control", { operation, operationArguments });
let first;
let frame;

call("creates a workspace in a new frame, with windows in rows, columns and groups", async () => {
  first = await workspaces.createWorkspace({
    config: { title: "Morning" },
    context: { team: "fx" },
    children: [{ type: "row", children: [window("note"), { type: "column", children: [{ type: "group", children: [window("note"), window("several")] }, window("note")] }] }],
  });
  equal(first.title, "Morning");
  equal(first.children.map(drawn), [{ row: [{ group: ["note"] }, { column: [{ group: ["note", "several"] }, { group: ["note"] }] }] }]);
  frame = first.frame;
  const ids = first.getAllWindows().map((one) => one.id);
  equal(new Set(ids).size, 4);
  ok(first.getAllWindows().every((one) => one.isLoaded));
  await told("FrameOpened", frame.id);
  await told("WorkspaceOpened", "Morning");
  await told("WindowAdded", "several");
  await told("WindowLoaded", "several");
  equal(await desk(clock, "drawing", { frame: frame.id }), { titles: ["Morning"], selected: 0, windows: [ids] });
  equal(await first.getContext(), { team: "fx" });
});
call("opens a second workspace in the same frame, and brings the first one to the front", async () => {
  const second = await workspaces.createWorkspace({ children: [window("note")] });
  equal([second.frameId, second.title, second.isSelected], [frame.id, "Workspace 2", true]);
  equal((await frame.workspaces()).map((one) => one.id), [first.id, second.id]);
  await first.focus();
  await first.refreshReference();
  ok(first.isSelected);
  equal((await desk(clock, "drawing", { frame: frame.id })).selected, 0);
  await second.close();
  await told("WorkspaceClosed", second.id);
  equal((await workspaces.getAllWorkspacesSummaries()).map((one) => one.id), [first.id]);
  equal((await desk(clock, "instances")).filter((app) => app === "note").length, 3);
});
call("adds windows and boxes, and takes running windows in", async () => {
  const id = await desk(clock, "start", { app: "note" });
  const taken = await first.addWindow({ windowId: id });
  equal([taken.id, taken.appName], [id, "note"]);
  const column = await first.addColumn({ children: [window("several")] });
  equal(drawn(column), { column: [{ group: ["several"] }] });
  const added = await column.addWindow({ type: "window", appName: "note" });
  equal(added.parent.type, "group");
  equal((await inside(first.id)).slice(1), [{ group: ["note"] }, { column: [{ group: ["several"] }, { group: ["note"] }] }]);
  await refused(first.addWindow({ windowId: id }), /is in the workspace Morning already/);
  await refused(first.addWindow({ appName: "chart" }), /chart is no app of type window/);
  await refused(first.addWindow({ appName: "nobody" }), /nobody/);
});
call("arranges: moves, bundles, resizes, maximizes and restores", async () => {
  const [a, b] = first.getAllWindows();
  await a.moveTo(b.parent);
  equal((await inside(first.id))[0], { row: [{ column: [{ group: ["note", "several", "note"] }, { group: ["note"] }] }] });
  await first.bundleToRow();
  equal((await inside(first.id)).length, 1);
  await first.refreshReference();
  const held = first.getWindow((one) => one.id === a.id);
  await held.maximize();
  ok(held.isMaximized);
  await held.restore();
  ok(!held.isMaximized);
  await held.parent.setSize({ width: 333 });
  equal((await desk(clock, "widths", { frame: frame.id })).includes(333), true);
  await held.focus();
  await first.setTitle("Noon");
  equal((await workspaces.getWorkspaceById(first.id)).title, "Noon");
});
call("lets a window leave, and closes windows and boxes", async () => {
  const windows = first.getAllWindows();
  const free = windows.at(-1);
  const { id } = free;
  await free.eject();
  ok((await desk(clock, "drawing", { frame: frame.id })).windows.flat().every((one) => one !== id));
  ok((await desk(clock, "running")).includes(id));
  const closed = windows.at(-2);
  await closed.close();
  await told("WindowRemoved", closed.id);
  ok(!(await desk(clock, "running")).includes(closed.id));
  await desk(clock, "stop", { instance: id });
});
call("notices a window that is closed from outside", async () => {
  const [one] = first.getAllWindows();
  await desk(clock, "stop", { instance: one.id });
  await told("WindowRemoved", one.id);
  await first.refreshReference();
  ok(first.getAllWindows().every((each) => each.id !== one.id));
});
call("saves a workspace as a layout, lists, exports and restores it, also in another frame", async () => {
  const saved = await first.saveLayout("Desk", { saveContext: true });
  ok(saved === undefined || saved.name === "Desk");
  equal((await workspaces.layouts.getSummaries()).map((one) => one.name), ["Desk"]);
  const [layout] = await workspaces.layouts.export();
  equal([layout.type, layout.components[0].application, layout.components[0].state.context], ["Workspace", "frame", { team: "fx" }]);
  const again = await workspaces.restoreWorkspace("Desk", { newFrame: true, context: { extra: 1 } });
  equal([again.title, again.layoutName], ["Noon", "Desk"]);
  equal(again.children.map(drawn), await inside(first.id));
  ok(again.frameId !== frame.id);
  equal(await again.getContext(), { team: "fx", extra: 1 });
  equal((await workspaces.getAllFrames()).length, 2);
  await again.close();
  await told("FrameClosed", again.frameId);
  await until(async () => (await workspaces.getAllFrames()).length === 1);
});
call("restores a layout in the place of a workspace", async () => {
  const other = await workspaces.restoreWorkspace("Desk", { reuseWorkspaceId: first.id });
  equal((await frame.workspaces()).map((one) => one.id), [other.id]);
  first = other;
});
call("opens a layout of a workspace like every other layout, also one that the search has found", async () => {
  await clock.layouts.restore({ name: "Desk", type: "Workspace" });
  equal((await frame.workspaces()).map((one) => one.layoutName), ["Desk", "Desk"]);
  await (await frame.workspaces())[1].close();
  const batches = [];
  await clock.interop.register("T42.Search.Client", (batch) => void batches.push(...batch.items));
  await clock.interop.invoke("T42.Search.Provider", { operation: "search", search: "Desk", types: [{ name: "workspace" }] });
  const [{ type, action }] = await until(() => batches.length > 0 && batches, "the search has found something");
  equal(type.name, "workspace");
  await clock.interop.invoke(action.method, action.params);
  equal((await frame.workspaces()).length, 2);
  await (await frame.workspaces())[1].close();
});
call("imports and removes layouts", async () => {
  const [layout] = await workspaces.layouts.export();
  await workspaces.layouts.import([{ ...layout, name: "Copy" }]);
  equal((await workspaces.layouts.getSummaries()).map((one) => one.name).sort(), ["Copy", "Desk"]);
  await workspaces.layouts.delete("Copy");
  await refused(workspaces.layouts.delete("Copy"), /there is no layout 'Copy'/);
  await refused(workspaces.restoreWorkspace("Copy"), /Copy/);
});
call("moves, resizes, maximizes and restores a frame", async () => {
  await frame.move({ left: 40, top: 50 });
  await frame.resize({ width: 900, height: 700 });
  const { left, top, width, height } = await frame.getBounds();
  equal([left, top, width, height], [40, 50, 900, 700]);
  await frame.maximize();
  equal(await frame.state(), "maximized");
  await frame.restore();
  await until(async () => (await frame.state()) === "normal");
});
call("opens an empty frame, which is filled later", async () => {
  const empty = await workspaces.createEmptyFrame({ applicationName: "frame" });
  equal((await empty.workspaces()).length, 0);
  await empty.init({ workspaces: [{ children: [window("note")] }, { name: "Desk" }] });
  equal((await empty.workspaces()).length, 2);
  await empty.close();
  await told("FrameClosed", empty.id);
});
call("says whether a running app is in a workspace, and in which", async () => {
  const id = await desk(clock, "id of mail");
  const isInside = async () => (await control("isWindowInWorkspace", { itemId: id })).returned.inWorkspace;
  equal(await isInside(), false);
  await first.addWindow({ windowId: id });
  equal(await isInside(), true);
  equal((await workspaces.getWorkspaceById(id)).id, first.id);
  equal((await control("getFrameSummary", { itemId: id })).returned.id, frame.id);
});
call("refuses the other operations at once, and names them", async () => {
  for (const operation of await desk(clock, "unsupported")) {
    await refused(control(operation), new RegExp(`the operation ${operation} of workspaces is not supported`));
  }
  await refused(first.hibernate(), /the operation hibernateWorkspace of workspaces is not supported/);
  await refused(control("fly"), /T42.Workspaces.Control has no operation 'fly'/);
});
call("knows every operation that the library has", async () => {
  const known = [...(await desk(clock, "unsupported")), ...(await desk(clock, "supported"))].sort();
  equal(known.length, 61);
});
call("closes the windows of a frame with the frame", async () => {
  await frame.close();
  await told("FrameClosed", frame.id);
  await until(async () => !(await desk(clock, "instances")).includes("note"), "the windows are closed");
});
await run();
