// Layouts: all commands, the stream of changes, and what apps are asked for.
import { call, connect, desk, equal, library, ok, refused, run, until } from "./harness.mjs";

const clock = await connect("clock", { layouts: "full" });
const mail = await connect("mail", { layouts: { mode: "fullWaitSnapshot", autoSaveWindowContext: ["Global"] } });
const slim = await connect("several", { layouts: "slim" });
const { layouts } = clock;
const heard = { added: [], removed: [], changed: [], renamed: [], restored: [], modified: [], asked: [] };
for (const event of ["Added", "Removed", "Changed", "Restored"]) {
  layouts[`on${event}`]((layout) => heard[event.toLowerCase()].push(layout?.name));
}
layouts.onRenamed((layout, before) => heard.renamed.push([before?.name ?? "Part", layout.name]));
layouts.onLayoutModified((info) => heard.modified.push(info));
layouts.onSaveRequested((info) => {
  heard.asked.push(info);
  return { windowContext: { page: "three" } };
});
// One of the libraries passes fewer options on.
const save = async ({ name, ...options }) =>
  library === "interopio"
    ? layouts.save({ name, ...options })
    : (await clock.interop.invoke("T42.ACS.SaveLayout", { name, options })).returned;
const component = (layout, app) => layout.components.find((one) => one.application === app);

call("saves what runs, with the contexts that apps give", async () => {
  const saved = await layouts.save({ name: "Morning", context: { team: "fx" }, metadata: { tag: 1 } });
  equal([saved.name, saved.context, saved.metadata], ["Morning", { team: "fx" }, { tag: 1 }]);
  equal(component(saved, "clock").state.context, { page: "three" });
  equal([heard.asked[0].layoutName, heard.asked[0].layoutType], ["Morning", "Global"]);
  equal(saved.components.length, 3);
});
call("lists layouts, from the snapshot and from events", async () => {
  await until(() => heard.added.includes("Morning"));
  equal(layouts.list().map((one) => one.name), ["Morning"]);
  equal((await layouts.get("Morning", "Global")).name, "Morning");
  equal((await layouts.getAll("Global")).length, 1);
  equal((await connect("outside", { layouts: { mode: "fullWaitSnapshot" } })).layouts.list().length, 1);
});
call("saves some instances, without contexts, and not as the current layout", async () => {
  const id = await desk(clock, "id of mail");
  const one = await save({ name: "Part", instances: [id], setAsCurrent: false, ignoreContexts: true });
  equal(one.components.map((each) => each.application), ["mail"]);
  ok(!one.components[0].state.context);
  equal((await layouts.getCurrentLayout()).name, "Morning");
  const rest = await save({ name: "Rest", ignoreInstances: [id], setAsCurrent: false });
  equal(rest.components.map((each) => each.application).sort(), ["clock", "several"]);
});
call("tells apps that the current layout is modified", async () => {
  const id = await desk(clock, "start", { app: "mail" });
  await until(() => heard.modified.length === 1);
  equal(heard.modified[0], { layout: { name: "Morning", type: "Global" }, reason: { application: "mail", action: "started", instance: id } });
  await desk(clock, "stop", { instance: id });
  await until(() => heard.modified.length === 2);
});
call("restores a layout with another context and keeps running apps", async () => {
  const id = await desk(clock, "start", { app: "mail" });
  await save({ name: "Two mails", setAsCurrent: false });
  await desk(clock, "stop", { instance: id });
  const result = await layouts.restore({ name: "Two mails", context: { extra: true }, closeRunningInstances: false });
  equal([result.status, result.layoutId, result.instances.length], ["Success", "Two mails", 4]);
  equal((await desk(clock, "contexts of", { app: "mail" })).filter((one) => one.extra).length, 1);
  await until(() => heard.restored.includes("Two mails"));
  const info = (await layouts.getRestoredLayoutsInfo()).layoutInfo;
  equal([info[0].name, info[0].instances.filter((one) => one.stopped).length], ["Two mails", 0]);
  equal((await layouts.getCurrentLayout()).name, "Two mails");
});
call("resets a restored layout", async () => {
  const result = await layouts.reset({ layoutId: "Two mails" });
  equal(result.status, "Success");
  await refused(layouts.reset({ layoutId: "Morning" }), /was not restored/);
});
call("updates metadata and the context of the app in the current layout", async () => {
  await layouts.updateMetadata({ name: "Morning", type: "Global", metadata: { tag: 2 } });
  await until(() => heard.changed.includes("Morning"));
  equal((await layouts.get("Morning", "Global")).metadata, { tag: 2 });
  await layouts.updateAppContextInCurrent({ page: "four" });
  await until(async () => component(await layouts.get("Two mails", "Global"), "clock").state.context?.page === "four");
});
call("chooses the default layout, and none", async () => {
  equal(await layouts.getDefaultGlobal(), undefined);
  await layouts.setDefaultGlobal("Morning");
  await until(async () => (await layouts.getDefaultGlobal())?.name === "Morning");
  await layouts.clearDefaultGlobal();
  await until(async () => (await layouts.getDefaultGlobal()) === undefined);
});
call("renames and removes, each as one event", async () => {
  const before = [...heard.added];
  await layouts.rename({ name: "Part", type: "Global" }, "Bit");
  equal(heard.renamed, [["Part", "Bit"]]);
  equal(heard.added, before);
  ok(layouts.list().some((one) => one.name === "Bit"));
  await layouts.remove("Global", "Bit");
  equal(heard.removed, ["Bit"]);
});
call("exports and imports, and names what it cannot import", async () => {
  const exported = await layouts.export("Global");
  ok(exported.some((one) => one.name === "Morning"));
  const { name, type, components } = exported.find((one) => one.name === "Rest");
  const good = await layouts.import([{ name: "Copy", type, components }], "merge");
  equal([good.status, good.failed], ["Success", []]);
  await until(() => heard.added.includes("Copy"));
  const bad = await layouts.import([{ name: "Bad", type: "Nothing", components }], "merge");
  equal([bad.status, bad.failed[0].name], ["PartialSuccess", "Bad"]);
});
call("reads the store again", async () => {
  await layouts.forceRefresh();
  ok(layouts.list().length > 2);
});
call("works in slim mode where that mode can", async () => {
  ok((await slim.layouts.export()).length > 2);
  equal((await slim.layouts.getCurrentLayout()).name, "Two mails");
});
call("hibernates and resumes", async () => {
  // The apps of this process are instances without windows of their own: their tokens end with them.
  const other = await connect("outside", { layouts: "full" });
  const result = await other.layouts.hibernate("Night", { context: { a: 1 }, metadata: { b: 2 } });
  equal([result.status, result.layout.name, result.layout.metadata], ["Success", "Night", { b: 2 }]);
  equal(await desk(other, "instances"), []);
  const resumed = await other.layouts.resume("Night", { again: true });
  equal([resumed.status, resumed.instances.length], ["Success", 4]);
  equal((await desk(other, "instances")).length, 4);
});
call("refuses at once what it cannot do, and unknown commands", async () => {
  const other = await connect("outside", { layouts: "full" });
  await refused(other.layouts.restore({ name: "Nowhere" }), /no Global layout 'Nowhere'/);
  await refused(other.layouts.remove("Global", "Nowhere"), /no Global layout/);
  await refused(other.layouts.rename({ name: "Nowhere", type: "Global" }, "x"), /Nowhere/);
  await refused(other.layouts.updateDefaultContext({ a: 1 }), /only apps that the platform has started/);
  await refused(other.layouts.updateAppContextInCurrent({ a: 1 }), /only apps that the platform has started/);
  await refused(other.layouts.setDefaultGlobal("Nowhere"), /Nowhere/);
  await refused(other.interop.invoke("T42.ACS.Command", { command: "SaveLayuot", data: {} }), /did you mean SaveLayout/);
  await refused(other.interop.invoke("T42.ACS.Command", { command: "SaveLayout", data: { name: 7 } }), /name must be text/);
  await refused(other.interop.invoke("T42.ACS.SaveLayout", { name: "x", context: 3 }), /context must be an object/);
  await refused(other.interop.invoke("T42.ACS.ImportLayouts", { layouts: {} }), /layouts must be an array/);
  await refused(other.interop.invoke("T42.ACS.SaveLayout", { name: "x", type: "Activity" }), /only Global/);
});

await run();
