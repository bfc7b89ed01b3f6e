// Intents: found in definitions and in running apps, raised to apps that run and to apps that do not.
import { call, connect, desk, equal, library, ok, refused, run, until } from "./harness.mjs";

const clock = await connect("clock");
const mail = await connect("mail");
const raise = (request) => clock.intents.raise(request);

call("finds the intents of definitions", async () => {
  const [found] = await clock.intents.find("ShowChart");
  equal(found.handlers.map((one) => [one.applicationName, one.type, one.displayName]), [["chart", "app", "Show a chart"]]);
  equal(found.handlers[0].contextTypes, ["fdc3.instrument"]);
  ok((await clock.intents.all()).some((one) => one.name === "ShowChart"));
  equal((await clock.intents.find({ contextType: "fdc3.instrument" })).map((one) => one.name).sort(), ["ShowChart", "ViewQuote"]);
  equal(await clock.intents.find("Nothing"), []);
});
call("starts the app that handles an intent, and gives its result", async () => {
  const { result, handler } = await raise({ intent: "ShowChart", context: { type: "fdc3.instrument", data: { id: "ABC" } } });
  equal([result.shown, result.by, handler.type], [{ id: "ABC" }, handler.instanceId, "instance"]);
  ok((await desk(clock, "instances")).includes("chart"));
});
call("finds and raises an intent that an FDC3 record declares", async () => {
  const [{ handlers: [found] }] = await clock.intents.find({ name: "ViewQuote", contextType: "fdc3.instrument" });
  equal([found.applicationName, found.type, found.displayName, found.resultType], ["quotes", "app", "View a quote", "quote"]);
  const context = { type: "fdc3.instrument", data: { id: "DEF" } };
  const { result, handler } = await raise({ intent: "ViewQuote", context });
  equal([result.shown, handler.applicationName], [{ id: "DEF" }, "quotes"]);
  ok((await desk(clock, "instances")).includes("quotes"));
});
call("reuses an instance that handles the intent", async () => {
  const { handler } = await raise({ intent: "ShowChart", target: "reuse", context: { data: {} } });
  equal((await desk(clock, "instances")).filter((one) => one === "chart").length, 1);
  const again = await raise({ intent: "ShowChart", target: { instance: handler.instanceId }, context: { data: {} } });
  equal(again.handler.instanceId, handler.instanceId);
});
call("raises an intent that only a running app handles", async () => {
  const registered = await mail.intents.register("Compose", (given, caller) => ({ to: given.data.to, from: caller.application }));
  await until(async () => (await clock.intents.find("Compose")).length);
  const { result } = await raise({ intent: "Compose", context: { data: { to: "ann" } } });
  equal(result, { to: "ann", from: "clock" });
  registered.unsubscribe();
  await until(async () => !(await clock.intents.find("Compose")).length);
});
call("lets the intents resolver choose among several handlers", async () => {
  const registered = await mail.intents.register("ShowChart", () => "mail");
  await until(async () => (await clock.intents.find("ShowChart"))[0].handlers.length > 2);
  const { result } = await raise({ intent: "ShowChart", context: { data: { id: "XYZ" } } });
  equal(result.shown, { id: "XYZ" });
  registered.unsubscribe();
}, "interopio");
call("refuses an intent that nobody handles", async () => {
  await refused(raise({ intent: "Nothing", timeout: 3000 }), /not found|not find/i);
});

await run();
