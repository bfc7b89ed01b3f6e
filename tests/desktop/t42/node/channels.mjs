// Channels: what pages do, what people do with the selector, and what others do with a window.
import { call, connect, desk, equal, library, ok, refused, run, until } from "./harness.mjs";

const clock = await connect("clock");
const mail = await connect("mail");
const several = await connect("several");
const outside = await connect("outside");
const is = (client, channel) => until(() => client.channels.my() === channel, `the channel is ${channel}`);
const seen = [];
mail.channels.subscribe((data) => seen.push(data));

call("lists the channels of the configuration with their metadata", async () => {
  equal((await clock.channels.all()).sort(), ["Blue", "Red"]);
  const listed = await clock.channels.list();
  equal(listed.find((one) => one.name === "Red").meta.color, "red");
  equal(listed.find((one) => one.name === "Red").meta.fdc3.id, "fdc3.channel.1");
});
call("starts in the channel of the definition", async () => equal(several.channels.my(), "Red"), "interopio");
call("joins a channel, which the selector of the window shows", async () => {
  await clock.channels.join("Red");
  equal(clock.channels.my(), "Red");
  if (library === "interopio") await until(async () => (await desk(clock, "channels of clock")).join() === "Red");
});
call("follows the selector that a person uses", async () => {
  await desk(clock, "choose", { app: "clock", channels: ["Blue"] });
  await desk(clock, "choose", { app: "mail", channels: ["Blue"] });
  await is(clock, "Blue");
  await is(mail, "Blue");
}, "interopio");
call("shares data with the others in the channel", async () => {
  if (library === "glue42") await mail.channels.join("Blue");
  await clock.channels.publish({ ticker: "ABC" }, "Blue");
  await until(() => seen.some((one) => one.ticker === "ABC"), "the data is seen");
});
call("leaves by the selector and by itself", async () => {
  await desk(clock, "choose", { app: "clock", channels: [] });
  await is(clock, undefined);
  await clock.channels.join("Red");
  await clock.channels.leave();
  await until(async () => !(await desk(clock, "channels of clock")).length);
}, "interopio");
call("is switched by Rostrum.Channels.Join, which uses the same service", async () => {
  await outside.interop.invoke("Rostrum.Channels.Join", { instance: await desk(clock, "id of clock"), channel: "Red" });
  await is(clock, "Red");
}, "interopio");
call("joins and leaves several channels where the selector allows it", async () => {
  equal(several.channels.mode, "multi");
  await several.channels.join("Blue");
  equal(several.channels.myChannels(), ["Red", "Blue"]);
  await until(async () => (await desk(clock, "channels of several")).join() === "Red,Blue");
  await desk(clock, "choose", { app: "several", channels: ["Blue"] });
  await is(several, "Blue");
  await desk(clock, "choose", { app: "several", channels: ["Blue", "Red"] });
  await is(several, "Blue+++Red");
  await several.channels.leave({ channel: "Blue" });
  await until(async () => (await desk(clock, "channels of several")).join() === "Red");
}, "interopio");
call("says which windows are in which channel", async () => {
  const info = async (filter) =>
    (await clock.interop.invoke("T42.Channels.Announce", { command: "getChannelsInfo", data: { filter } })).returned.windows;
  const all = await info({});
  equal(all.map((one) => one.application).sort(), ["clock", "mail", "several"]);
  equal((await info({ application: "clock" })).length, 1);
  equal((await info({ windowIds: ["none"] })).length, 0);
  ok((await info({ channels: ["Red"] })).every((one) => one.channel.includes("Red")));
});
call("restricts what a window may do with a channel", async () => {
  await mail.channels.join("Red");
  await mail.channels.restrict({ name: "Red", write: false });
  await until(async () => (await mail.channels.getRestrictions()).channels.length === 1);
  equal((await mail.channels.getRestrictions()).channels, [{ name: "Red", read: true, write: false }]);
  await refused(mail.channels.publish({ x: 1 }), /permission to write/);
  await mail.channels.restrictAll({ write: true });
  await until(async () => (await mail.channels.getRestrictions()).channels.length === 2);
  await mail.channels.publish({ x: 1 });
}, "interopio");
call("adds and removes a channel", async () => {
  await clock.channels.add({ name: "Pink", meta: { color: "pink", label: "P" }, data: { n: 1 } });
  await until(async () => (await mail.channels.all()).includes("Pink"));
  await until(async () => (await desk(clock, "channels")).includes("Pink"));
  await mail.channels.join("Pink");
  await refused(clock.channels.add({ name: "Pink", meta: { color: "red" } }), /already exists/);
  await clock.channels.remove("Pink");
  await until(async () => !(await desk(clock, "channels")).includes("Pink"));
  if (library === "interopio") await is(mail, undefined);
}, "interopio");
call("works for a program that the platform did not start", async () => {
  await outside.channels.join("Red");
  equal(outside.channels.my(), "Red");
  await outside.channels.leave();
});
call("refuses wrong and unknown commands at once", async () => {
  const ask = (command, data, more = {}) => clock.interop.invoke("T42.Channels.Announce", { command, data, ...more });
  await refused(ask("swichChannel", {}), /no command 'swichChannel'; did you mean switchChannel/);
  await refused(ask(7, {}), /no command/);
  await refused(ask("switchChannel", { newChannel: "None" }), /no channel 'None'/);
  await refused(ask("switchChannel", { newChannel: 7 }), /newChannel must be text/);
  await refused(ask("switchChannel", "Red"), /data must be an object/);
  await refused(ask("switchChannel", { newChannel: "Red" }, { swId: "none" }), /no window 'none'/);
  await refused(ask("restrict", { name: "Red", read: "no" }), /read must be true or false/);
  await refused(ask("removeChannel", { id: "Red" }), /defined in the configuration/);
  await refused(clock.interop.invoke("T42.ChannelSelector.Execute", { command: "x" }), /no command/);
});

await run();
