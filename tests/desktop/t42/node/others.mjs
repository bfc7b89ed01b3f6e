// Preferences, hotkeys, displays, themes and interception.
import { call, connect, desk, equal, library, ok, refused, run, until } from "./harness.mjs";

const clock = await connect("clock");
const mail = await connect("mail");
const outside = await connect("outside");

call("keeps preferences, and merges them", async () => {
  await clock.prefs.set({ zone: "Oslo", size: 1 });
  await clock.prefs.update({ size: 2 });
  equal(await clock.prefs.get(), { app: "clock", data: { zone: "Oslo", size: 2 } });
  await mail.prefs.setFor("several", { a: 1 });
  await mail.prefs.updateFor("several", { b: 2 });
  equal((await mail.prefs.get("several")).data, { a: 1, b: 2 });
  equal((await mail.prefs.getAll()).all.map((one) => one.app).sort(), ["clock", "several"]);
});
call("tells followers of changes until they leave", async () => {
  const heard = [];
  const stop = mail.prefs.subscribeFor("clock", (one) => heard.push(one.data));
  clock.prefs.subscribe((one) => heard.push(["own", one.data]));
  // Only changes are told, and nobody says when a subscription has begun: each turn changes something.
  let turn = 0;
  await until(async () => {
    await clock.prefs.update({ turn: (turn += 1) });
    return heard.some((one) => one.zone) && heard.some((one) => one[0] === "own");
  });
  await outside.interop.invoke("Rostrum.Preferences.Set", { app: "clock", data: { from: "rostrum" } });
  await until(() => heard.some((one) => one.from === "rostrum"));
  stop();
  await clock.prefs.set({ after: "mail has left" });
  await until(() => heard.some((one) => one[0] === "own" && one[1].after));
  await mail.prefs.get("clock");
  ok(!heard.some((one) => one.after));
});
call("clears preferences of an app, and of all", async () => {
  await clock.prefs.clear();
  equal((await clock.prefs.get()).data, {});
  await mail.prefs.clearFor("several");
  await mail.prefs.set({ x: 1 });
  await mail.prefs.clearAll();
  equal((await mail.prefs.getAll()).all, []);
});
call("refuses wrong preferences at once", async () => {
  await refused(clock.interop.invoke("T42.Prefs.Set", { app: "clock", data: 3 }), /data must be an object/);
  await refused(clock.interop.invoke("T42.Prefs.Set", { data: {} }), /app must be the name/);
  await refused(clock.interop.invoke("T42.Prefs.Get", { app: 3 }), /app must be text/);
});
call("hears of its hotkeys, and of no others", async () => {
  const heard = [];
  await clock.hotkeys.register({ hotkey: "Ctrl + Shift + K", description: "Search" }, () => heard.push("clock"));
  await mail.hotkeys.register("ctrl+shift+l", () => heard.push("mail"));
  ok(clock.hotkeys.isRegistered("ctrl+shift+k"));
  equal((await desk(clock, "hotkeys")).sort(), ["ctrl+shift+k", "ctrl+shift+l"]);
  await desk(clock, "press", { hotkey: "ctrl+shift+k" });
  await until(() => heard.length === 1);
  await desk(clock, "press", { hotkey: "ctrl+shift+l" });
  await until(() => heard.length === 2);
  equal(heard, ["clock", "mail"]);
  await refused(outside.hotkeys.register("shift+ctrl+k", () => {}), /already registered by clock/);
  await refused(mail.hotkeys.unregister("ctrl+shift+k"), /has not registered/);
  await clock.hotkeys.unregister("ctrl+shift+k");
  await mail.hotkeys.unregisterAll();
  equal(await desk(clock, "hotkeys"), []);
});
call("refuses wrong hotkeys at once", async () => {
  const ask = (args) => clock.interop.invoke("T42.Hotkeys.Command", args);
  await refused(ask({ command: "register", hotkey: "hyper+x" }), /is not a hotkey/);
  await refused(ask({ command: "register" }), /hotkey must be text/);
  await refused(ask({ command: "regster", hotkey: "ctrl+k" }), /did you mean register/);
  const several = await connect("several");
  await refused(several.interop.invoke("T42.Hotkeys.Command", { command: "register", hotkey: "ctrl+k" }), /T42.Hotkeys.Invoke first/);
});
call("describes the displays", async () => {
  const [one] = await clock.displays.all();
  equal([one.isPrimary, one.index, one.bounds.width, one.workArea.height, one.scaleFactor, one.aspectRatio], [true, 0, 1920, 1080, 1, "16:9"]);
  equal((await clock.displays.get(one.id)).id, one.id);
  equal((await clock.displays.getPrimary()).id, one.id);
  equal((await clock.displays.getByWindowId(await desk(clock, "id of clock"))).id, one.id);
  await refused(clock.displays.get(7), /no display 7/);
  await refused(clock.displays.getByWindowId("none"), /no window 'none'/);
  await refused(clock.displays.capture({ id: one.id }), /clock may not take pictures of displays. Set allowCapture/);
  await refused(outside.displays.captureAll({}), /Only apps that the platform has started/);
  await refused(mail.displays.capture({ id: one.id, size: { scale: 50 } }), /size.scale must be a number/);
  await refused(mail.displays.captureAll({ combined: true }), /no screenshot is possible/);
  await refused(clock.displays.getMousePosition(), /there is no pointer/);
  await refused(clock.interop.invoke("T42.Displays.Command", { command: "getll", options: {} }), /did you mean getAll/);
});
call("tells apps of displays that have changed", async () => {
  const heard = [];
  clock.displays.onDisplayChanged((displays) => heard.push(displays));
  await until(() => clock.interop.methods({ name: "T42.Displays.OnEvent" }).length);
  await until(async () => (await desk(clock, "unplug"), heard.length > 0));
  equal([heard[0][0].name, heard[0][0].bounds.width], ["Other", 800]);
});
call("lists and selects themes, and follows the selection", async () => {
  const heard = [];
  mail.themes.onChanged((theme) => heard.push(theme.name));
  equal((await clock.themes.list()).map((one) => [one.name, one.displayName]), [["light", "Day"], ["dark", "Night"]]);
  equal((await clock.themes.getCurrent()).name, "light");
  await clock.themes.select("dark");
  await until(() => heard.includes("dark"));
  equal(await desk(clock, "theme"), "dark");
  await refused(clock.themes.select("pink"), /no theme 'pink'/);
});
call("finds apps, layouts and actions by the platform's own search provider", async () => {
  const batches = [];
  await clock.interop.register("T42.Search.Client", (batch) => void batches.push(batch));
  const ask = async (args) => (await clock.interop.invoke("T42.Search.Provider", args)).returned;
  const info = await ask({ operation: "info" });
  equal([info.apiVersion, info.supportedTypes], ["1", ["application", "layout", "workspace", "action"]]);
  const { id } = await ask({ operation: "search", search: "mail", apiVersion: "1" });
  await until(() => batches.at(-1)?.status === "done");
  equal(batches.map((one) => [one.status, one.queryId]), [["in-progress", id], ["done", id]]);
  equal(batches[0].items.map((one) => [one.type.name, one.displayName, one.action]), [["application", "Mail", { method: "T42.ACS.StartApplication", params: { Name: "mail" } }]]);
  equal(batches[0].provider.name, "Rostrum");
  const none = await ask({ operation: "search", search: "mail", types: [{ name: "layout" }], providerLimits: { maxResults: 1 } });
  await until(() => batches.at(-1).queryId === none.id);
  equal(batches.at(-1).status, "done");
  await ask({ operation: "cancel", id: (await ask({ operation: "search", search: "exit" })).id });
  await refused(ask({ operation: "serch" }), /no operation 'serch'/);
  await refused(ask({ operation: "search", search: "" }), /search must be text/);
  await refused(ask({ operation: "search", search: "x", types: 3 }), /types must be an array/);
});
call("lets apps of the settings intercept intents and operations of the platform", async () => {
  const seen = [];
  const interceptions = [{ domain: "intents", operation: "raise" }, { domain: "themes", operation: "select", phase: "before" }];
  await mail.interception.register({
    interceptions,
    handler: async (message) => {
      seen.push([message.domain, message.operation, message.phase]);
      if (message.operation === "raise") return message.phase === "before" ? { operationResult: { given: message.operationArgs } } : {};
      return { operationArgs: [{ name: "light" }] };
    },
  });
  await until(() => clock.interop.methods({ name: "T42.GD.Interception.Handler" }).length);
  const asked = { command: "raiseInterception", interceptions: [{ domain: "intents", operation: "raise", phase: "before", operationArgs: ["ShowChart"] }] };
  equal((await clock.interop.invoke("T42.GD.Interception.Execute", asked)).returned, { operationResult: { given: ["ShowChart"] } });
  await clock.themes.select("dark");
  equal(await desk(clock, "theme"), "light");
  equal(seen, [["intents", "raise", "before"], ["themes", "select", "before"]]);
  await mail.interception.unregister({ interceptions });
  equal((await clock.interop.invoke("T42.GD.Interception.Execute", asked)).returned, {});
  await clock.themes.select("dark");
  equal(await desk(clock, "theme"), "dark");
}, "interopio");
call("refuses interception by other apps, of unknown operations, and unknown commands", async () => {
  const ask = (client, command, interceptions) => client.interop.invoke("T42.GD.Interception.Execute", { command, interceptions });
  const raise = [{ domain: "intents", operation: "raise" }];
  await refused(ask(clock, "register", raise), /clock may not intercept/);
  await refused(ask(outside, "register", raise), /only apps that the platform has started/);
  await refused(ask(mail, "register", [{ domain: "intents", operation: "rase" }]), /there is no operation/);
  await refused(ask(mail, "register", [...raise, { domain: "apps", operation: "start", phase: "after" }]), /not after/);
  await refused(ask(mail, "register", []), /array of 1 to 100/);
  await refused(ask(mail, "register", [3]), /array of objects/);
  await refused(ask(mail, "regster", raise), /did you mean register/);
  // What was registered before the refusal is not kept.
  await ask(mail, "register", raise);
  await ask(mail, "unregister", raise);
});

await run();
