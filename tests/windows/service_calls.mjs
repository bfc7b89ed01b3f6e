// Calls of the desktop libraries in the page of a window, for everything but windows and apps: channels, contexts,
// intents, notifications, preferences, hotkeys, displays, themes, layouts, interception and cookies. In Node,
// tests/desktop/t42/node makes them with several apps.
import { text } from "/calls.mjs";

const PATIENCE = 30_000;

function equal(found, expected) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`found ${left}, expected ${right}`);
}

async function until(condition) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain until ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function refused(promise, pattern) {
  const said = await promise.then(
    () => "no refusal",
    (trouble) => trouble?.returned?.errorMsg || text(trouble),
  );
  if (!pattern.test(said)) throw new Error(`${said} does not match ${pattern}`);
}

// Makes the calls one after the other; returns the names of those that were made, and the errors by name.
export async function callServices(io, { isNew, app }) {
  const names = [];
  const errors = {};
  const call = async (name, body) => {
    names.push(name);
    try {
      await body();
    } catch (trouble) {
      errors[name] = text(trouble);
    }
  };
  const me = io.windows.my();

  await call("interop", async () => {
    const { name } = await io.interop.register("Test.Add", ({ a, b }) => ({ sum: a + b })).then(() => ({ name: "Test.Add" }));
    equal((await io.interop.invoke(name, { a: 1, b: 2 })).returned, { sum: 3 });
    const stream = await io.interop.createStream("Test.Ticks");
    const subscription = await io.interop.subscribe("Test.Ticks");
    const heard = new Promise((resolve) => subscription.onData(({ data }) => resolve(data)));
    stream.push({ tick: 1 });
    equal(await heard, { tick: 1 });
    subscription.close();
    stream.close();
    io.interop.unregister(name);
    await until(() => io.interop.methods({ name }).length === 0);
    await refused(io.interop.invoke(name, {}, "best", { waitTimeoutMs: 100 }), /find|server/i);
  });
  await call("contexts", async () => {
    const heard = [];
    const stop = await io.contexts.subscribe("Test.Context", (data) => heard.push({ ...data }));
    await io.contexts.set("Test.Context", { a: 1 });
    await io.contexts.update("Test.Context", { b: 2 });
    await until(() => heard.some((one) => one.a === 1 && one.b === 2));
    equal(await io.contexts.get("Test.Context"), { a: 1, b: 2 });
    if (typeof stop === "function") stop();
    await io.contexts.destroy("Test.Context");
  });
  await call("channels", async () => {
    const heard = [];
    const changes = [];
    io.channels.subscribe((data) => heard.push(data));
    (io.channels.onChanged ?? io.channels.changed).call(io.channels, (name) => changes.push(name ?? null));
    equal((await io.channels.all()).sort(), ["Blue", "Red"]);
    equal((await io.channels.list()).map((one) => one.meta.color).sort(), ["#0000ff", "#ff0000"]);
    await io.channels.join("Red");
    equal([io.channels.my(), io.channels.current()], ["Red", "Red"]);
    await io.channels.publish({ ticker: "ABC" });
    await until(() => heard.some((one) => one.ticker === "ABC"));
    equal((await io.channels.get("Red")).data.ticker, "ABC");
    await io.channels.join("Blue");
    await io.channels.leave();
    await until(() => changes.length === 3);
    equal(changes, ["Red", "Blue", null]);
  });
  if (isNew) {
    await call("channels of windows", async () => {
      await io.channels.join("Red");
      await until(async () => (await io.channels.getWindowsOnChannel("Red")).some((one) => one.id === me.id));
      equal(await me.getChannel(), "Red");
      await io.channels.setPath({ path: "a.b", value: 5 }, "Red");
      await until(async () => (await io.channels.get("Red")).data.a?.b === 5);
      await io.channels.restrict({ name: "Red", write: false });
      await until(async () => (await io.channels.getRestrictions()).channels.length === 1);
      await refused(io.channels.publish({ x: 1 }), /permission to write/);
      await io.channels.restrictAll({ read: true, write: true });
      await io.channels.leave();
      await io.channels.add({ name: "Pink", meta: { color: "pink" }, data: {} });
      await until(async () => (await io.channels.all()).includes("Pink"));
      await io.channels.remove("Pink");
      await until(async () => !(await io.channels.all()).includes("Pink"));
    });
  }
  await call("intents", async () => {
    const registered = await io.intents.register("Test.Show", (context) => ({ shown: context.data.id }));
    await until(async () => (await io.intents.find("Test.Show")).length);
    const { result } = await io.intents.raise({ intent: "Test.Show", context: { type: "t", data: { id: 7 } } });
    equal(result, { shown: 7 });
    registered.unsubscribe();
    await until(async () => !(await io.intents.all()).some((one) => one.name === "Test.Show"));
  });
  await call("notifications", async () => {
    const raised = [];
    const counts = [];
    io.notifications.onRaised((one) => raised.push(one.title));
    io.notifications.onCounterChanged(({ count }) => counts.push(count));
    const one = await io.notifications.raise({ title: "Order filled", severity: "High" });
    await until(() => raised.includes("Order filled") && counts.at(-1) === 1);
    equal((await io.notifications.list()).map((each) => [each.id, each.state]), [[one.id, "Active"]]);
    await io.notifications.setState?.(one.id, "Acknowledged");
    await until(async () => !isNew || (await io.notifications.list())[0].state === "Acknowledged");
    equal(await io.notifications.panel.isVisible(), false);
    equal((await io.notifications.getFilter()).allowed, ["*"]);
    await io.notifications.configure({ toastExpiry: 9000 });
    equal((await io.notifications.getConfiguration()).toastExpiry, 9000);
    await io.notifications.clear(one.id);
    await io.notifications.clearAll();
    await until(async () => (await io.notifications.list()).length === 0);
  });
  await call("preferences", async () => {
    const heard = [];
    const stop = io.prefs.subscribe(({ data }) => heard.push(data));
    await io.prefs.set({ zone: "Oslo" });
    let turn = 0;
    await until(async () => (await io.prefs.update({ turn: (turn += 1) }), heard.length > 0));
    equal((await io.prefs.get()).app, app);
    equal((await io.prefs.get()).data.zone, "Oslo");
    equal((await io.prefs.getAll()).all.map((one) => one.app), [app]);
    stop();
    await io.prefs.clear();
    equal((await io.prefs.get()).data, {});
  });
  await call("hotkeys", async () => {
    await io.hotkeys.register("ctrl+alt+y", () => {});
    equal(io.hotkeys.isRegistered("ctrl+alt+y"), true);
    await io.hotkeys.unregister("ctrl+alt+y");
    await io.hotkeys.register("ctrl+alt+y", () => {});
    await io.hotkeys.unregisterAll();
    equal(io.hotkeys.isRegistered("ctrl+alt+y"), false);
  });
  await call("displays", async () => {
    const [one] = await io.displays.all();
    equal([one.bounds.width, one.bounds.height, one.isPrimary], [1600, 900, true]);
    equal((await io.displays.getPrimary()).id, one.id);
    equal((await io.displays.get(one.id)).id, one.id);
    equal((await io.displays.getByWindowId(me.id)).id, one.id);
    equal(typeof (await io.displays.getMousePosition()).x, "number");
    await refused(io.displays.capture({ id: one.id }), /allowCapture/);
  });
  await call("themes", async () => {
    const heard = [];
    io.themes.onChanged((theme) => heard.push(theme.name));
    equal((await io.themes.list()).map((one) => one.name), ["light", "dark"]);
    equal((await io.themes.getCurrent()).name, "light");
    await io.themes.select("dark");
    await until(() => heard.includes("dark"));
    await io.themes.select("light");
    await until(() => heard.at(-1) === "light");
  });
  await call("layouts", async () => {
    io.layouts.onSaveRequested(() => ({ windowContext: { page: 3 } }));
    const saved = await io.layouts.save({ name: "Morning", context: { team: "fx" } });
    equal(saved.components.find((one) => one.application === app).state.context, { page: 3 });
    await until(() => io.layouts.list().some((one) => one.name === "Morning"));
    equal((await io.layouts.get("Morning", "Global")).context, { team: "fx" });
    equal((await io.layouts.getAll("Global")).length, 1);
    equal((await io.layouts.getCurrentLayout()).name, "Morning");
    await io.layouts.updateMetadata({ name: "Morning", type: "Global", metadata: { tag: 2 } });
    await until(async () => (await io.layouts.get("Morning", "Global")).metadata?.tag === 2);
    await io.layouts.setDefaultGlobal("Morning");
    await until(async () => (await io.layouts.getDefaultGlobal())?.name === "Morning");
    await io.layouts.clearDefaultGlobal();
    await until(async () => (await io.layouts.getDefaultGlobal()) === undefined);
    const restored = await io.layouts.restore({ name: "Morning", closeRunningInstances: false });
    equal([restored.status, restored.instances.map((one) => one.instanceId)], ["Success", [me.id]]);
    equal((await io.layouts.getRestoredLayoutsInfo()).layoutInfo.map((one) => one.name), ["Morning"]);
    await io.layouts.rename({ name: "Morning", type: "Global" }, "Noon");
    equal(io.layouts.list().map((one) => one.name), ["Noon"]);
    const [exported] = await io.layouts.export("Global");
    equal((await io.layouts.import([{ ...exported, name: "Copy" }], "merge")).status, "Success");
    await until(() => io.layouts.list().length === 2);
    await io.layouts.forceRefresh();
    for (const name of ["Noon", "Copy"]) await io.layouts.remove("Global", name);
    equal(io.layouts.list(), []);
    await refused(io.layouts.restore({ name: "Nowhere" }), /no Global layout 'Nowhere'/);
  });
  if (isNew) {
    await call("interception", async () => {
      const interceptions = [{ domain: "themes", operation: "select", phase: "before" }];
      await io.interception.register({ interceptions, handler: async () => ({ operationArgs: [{ name: "dark" }] }) });
      await until(() => io.interop.methods({ name: "T42.GD.Interception.Handler" }).length);
      // An app does not intercept its own operations.
      await io.themes.select("light");
      equal((await io.themes.getCurrent()).name, "light");
      await io.interception.unregister({ interceptions });
      const unknown = [{ domain: "themes", operation: "selct" }];
      await refused(io.interception.register({ interceptions: unknown, handler: () => ({}) }), /no operation/);
    });
    await call("cookies", async () => {
      const url = location.origin;
      await io.cookies.set({ name: "colour", value: "blue", url });
      await until(async () => (await io.cookies.get({ name: "colour" })).length === 1);
      equal((await io.cookies.get({ name: "colour" }))[0].value, "blue");
      await io.cookies.remove(url, "colour");
      await until(async () => (await io.cookies.get({ name: "colour" })).length === 0);
    });
  }
  await call("shutdown", async () => {
    const heard = [];
    io.appManager.onShuttingDown(async ({ restarting }) => (heard.push(restarting ?? false), { prevent: true }));
    await until(() => io.interop.methods({ name: "T42.ACS.OnGDShutdown" }).length > 0);
    await refused(io.appManager.restart({ showDialog: false, reason: "test" }), /prevented by/);
    await refused(io.appManager.exit({ showDialog: false, reason: "test" }), /prevented by/);
    equal(heard, [true, false]);
  });
  return { names, errors };
}
