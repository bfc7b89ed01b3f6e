// Notifications: raised, listed, followed, and what comes back from toasts.
import { call, connect, desk, equal, library, ok, refused, run, until } from "./harness.mjs";

const clock = await connect("clock");
const mail = await connect("mail");
const { notifications } = clock;
const heard = { raised: [], closed: [], states: [], counts: [], data: [], configurations: [], panel: [] };
mail.notifications.onRaised((one) => heard.raised.push(one));
mail.notifications.onClosed((one) => heard.closed.push(one.id));
if (mail.notifications.onStateChanged) mail.notifications.onStateChanged((one, state) => heard.states.push([one.id, state]));
if (mail.notifications.onDataChanged) mail.notifications.onDataChanged((one, data) => heard.data.push([one.id, data]));
mail.notifications.onCounterChanged((one) => heard.counts.push(one.count));
mail.notifications.onConfigurationChanged((one) => heard.configurations.push(one));
if (mail.notifications.panel.onVisibilityChanged) mail.notifications.panel.onVisibilityChanged((one) => heard.panel.push(one));
const toast = (title) => until(async () => (await desk(clock, "toasts")).find((one) => one.title === title), `a toast ${title}`);
const events = (notification) => {
  const told = [];
  for (const name of ["onclick", "onaction", "onshow", "onclose", "onerror"]) {
    notification[name] = (event) => told.push(event?.action ? `${name} ${event.action}` : name);
  }
  return told;
};

call("raises a notification that pops up and is listed", async () => {
  await until(() => heard.counts.length > 0, "the counter was sent");
  const raised = await notifications.raise({
    title: "Order filled", body: "100 ABC", severity: "High", data: { order: 7 },
    actions: [{ action: "open", title: "Open" }, { action: "chart", title: "Chart" }],
  });
  ok(raised.id);
  equal(await toast("Order filled"), { id: raised.id, title: "Order filled", app: "Clock", actions: ["Open", "Chart"] });
  const [listed] = await notifications.list();
  equal([listed.id, listed.title, listed.severity, listed.state, listed.appTitle], [raised.id, "Order filled", "High", "Active", "Clock"]);
  equal(listed.instanceId, await desk(clock, "id of clock"));
  await until(() => heard.raised.some((one) => one.id === raised.id));
  await until(() => heard.counts.at(-1) === 1);
});
call("brings a click on the toast back to the app that raised it", async () => {
  const raised = await notifications.raise({ title: "Click me" });
  const told = events(raised);
  await desk(clock, "click toast", { toast: (await toast("Click me")).id });
  await until(() => told.includes("onclick"));
  equal((await desk(clock, "toasts")).filter((one) => one.title === "Click me"), []);
});
call("brings an action of the toast back, and calls the method that it names", async () => {
  const called = [];
  await mail.interop.register("Mail.Open", (args) => void called.push(args));
  await until(() => clock.interop.methods({ name: "Mail.Open" }).length);
  const raised = await notifications.raise({ title: "Act", actions: [{ action: "open", title: "Open" }, { action: "mail", title: "Mail", interop: { method: "Mail.Open", arguments: { order: 7 } } }] });
  const told = events(raised);
  await desk(clock, "choose action", { toast: (await toast("Act")).id, action: "1" });
  await until(() => told.includes("onaction mail"));
  await until(() => called.length > 0);
  await mail.notifications.list();
  equal(called, [{ order: 7 }]);
});
call("brings clicks and actions of an app that lists notifications back", async () => {
  const raised = await notifications.raise({ title: "Listed", actions: [{ action: "open", title: "Open" }] });
  const told = events(raised);
  await mail.notifications.click(raised.id, "open", { close: false });
  await until(() => told.includes("onaction open"));
  await mail.notifications.click(raised.id, undefined, { close: true });
  await until(() => told.includes("onclick"));
  await refused(mail.notifications.click("none"), /no such notification/);
});
call("tells the app when its notification is closed", async () => {
  const raised = await notifications.raise({ title: "Close me" });
  const told = events(raised);
  await mail.notifications.clear(raised.id);
  await until(() => told.includes("onclose"));
  await until(() => heard.closed.includes(raised.id));
});
call("changes states and data", async () => {
  const raised = await notifications.raise({ title: "State", data: { n: 1 } });
  await mail.notifications.setState(raised.id, "Acknowledged");
  await until(() => heard.states.some(([id, state]) => id === raised.id && state === "Acknowledged"));
  await notifications.updateData(raised.id, { n: 2 });
  await until(() => heard.data.some(([id, data]) => id === raised.id && data.n === 2));
  await mail.notifications.clearOld();
  await until(() => heard.closed.includes(raised.id));
});
call("changes many at once", async () => {
  const one = await notifications.raise({ title: "Many 1" });
  const two = await notifications.raise({ title: "Many 2" });
  await notifications.setStates([one.id, two.id], "Stale");
  await until(() => heard.states.filter(([, state]) => state === "Stale").length === 2);
  await notifications.snoozeMany([one.id, two.id], 100_000);
  await until(() => heard.states.filter(([, state]) => state === "Snoozed").length === 2);
  await notifications.clearMany([one.id, two.id]);
  await until(() => heard.closed.includes(one.id) && heard.closed.includes(two.id));
}, "interopio");
call("snoozes, and shows the notification again", async () => {
  const raised = await notifications.raise({ title: "Later" });
  await toast("Later");
  await notifications.snooze(raised.id, 300);
  await until(() => heard.states.some(([id, state]) => id === raised.id && state === "Snoozed"));
  await until(() => heard.states.some(([id, state]) => id === raised.id && state === "Active"));
  await toast("Later");
}, "interopio");
call("imports notifications without toasts", async () => {
  const imported = await notifications.import([{ title: "Old", state: "Seen" }, { title: "Older", state: "Acknowledged" }]);
  equal(imported.map((one) => one.state), ["Seen", "Acknowledged"]);
  ok(!(await desk(clock, "toasts")).some((one) => one.title === "Old"));
}, "interopio");
call("shows and hides the panel", async () => {
  equal(await notifications.panel.isVisible(), false);
  await notifications.panel.show();
  equal(await notifications.panel.isVisible(), true);
  await notifications.panel.toggle();
  equal(await notifications.panel.isVisible(), false);
  await notifications.panel.show();
  await notifications.panel.hide();
  if (mail.notifications.panel.onVisibilityChanged) await until(() => heard.panel.length === 4);
  equal(await desk(clock, "panel"), ["own page", "no own page", "own page", "no own page"]);
});
call("filters and configures, but never beyond the settings", async () => {
  const filter = await notifications.getFilter();
  equal([filter.allowed, filter.blocked], [["*"], ["several"]]);
  await notifications.configure({ toastExpiry: 5000, enableToasts: false, sourceFilter: { blocked: [] } });
  const configuration = await notifications.getConfiguration();
  equal([configuration.toastExpiry, configuration.enableToasts], [5000, false]);
  await until(() => heard.configurations.some((one) => one.toastExpiry === 5000));
  await notifications.configure({ enableToasts: true });
  const several = await connect("several");
  const raised = await several.notifications.raise({ title: "Blocked" });
  const told = events(raised);
  await until(() => told.includes("onerror"));
  await notifications.setFilter({ allowed: ["mail"] });
  const mine = await notifications.raise({ title: "Not me" });
  const errors = events(mine);
  await until(() => errors.includes("onerror"));
  await notifications.setFilter({ allowed: ["*"] });
});
call("clears everything", async () => {
  await notifications.clearAll();
  equal(await notifications.list(), []);
  await until(() => heard.counts.at(-1) === 0);
});
call("refuses wrong and unknown requests at once", async () => {
  const execute = (command, data) => clock.interop.invoke("T42.Notifications.Execute", { command, data });
  const raise = (notification) => clock.interop.invoke("T42.GNS.Publish.RaiseNotification", { notification });
  await refused(execute("lst", {}), /did you mean list/);
  await refused(execute("clear", { id: 3 }), /id must be text/);
  await refused(execute("snooze", { id: "x", duration: -5 }), /milliseconds/);
  await refused(execute("importNotifications", { notificationSettings: [1] }), /objects/);
  await refused(raise({}), /title must be text/);
  await refused(raise({ title: "x", severity: "Huge" }), /severity must be one of/);
  await refused(raise({ title: "x", actions: Array(11).fill({ name: "n" }) }), /at most 10/);
  await refused(raise({ title: "x", attributes: 3 }), /attributes/);
  await refused(raise({ title: "x", big: "x".repeat(300_000) }), /at most 256 KiB/);
  await refused(clock.interop.invoke("T42.Notifications.Configure", { toastExpiry: "long" }), /milliseconds/);
  equal(await notifications.list(), []);
});
call("never calls a method of another app, or of the platform, for a click", async () => {
  const called = [];
  await mail.interop.register("T42.Notifications.Handler-victim_0", () => void called.push("victim"));
  await clock.interop.invoke("T42.GNS.Publish.RaiseNotification", {
    notification: {
      title: "Deputy", glueRoutingDetailMethodName: "T42.Notifications.Handler-victim_0", sourceId: "x",
      clickInterop: { method: "Rostrum.Preferences.Set", arguments: { app: "clock", data: { stolen: true } } },
    },
  });
  await desk(clock, "click toast", { toast: (await toast("Deputy")).id });
  await mail.interop.invoke("T42.Notifications.Execute", { command: "list" });
  await clock.interop.invoke("T42.Prefs.Get", { app: "clock" }).then(({ returned }) => equal(returned.data, {}));
  equal(called, []);
});

await run();
