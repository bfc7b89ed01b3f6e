// An app that handles the intent that it is started for, or chooses a handler as the intents resolver does.
import { createRequire } from "node:module";

const [modules, library] = process.argv.slice(2);
const io = await createRequire(`${modules}/`)(`@${library}/desktop`)({ logger: "error", windows: false });
const context = JSON.parse(process.env.ROSTRUM_CONTEXT ?? "{}");
if (context.methodName) {
  const [intent] = (await io.intents.find(context.intent.intent)).filter(Boolean);
  const handler = intent.handlers.find((one) => one.applicationName === "chart");
  await io.interop.invoke(context.methodName, { intent: context.intent.intent, handler }, { instance: context.callerId });
} else {
  const intent = io.interop.instance.application === "quotes" ? "ViewQuote" : "ShowChart";
  await io.intents.register({ intent, contextTypes: ["fdc3.instrument"] }, (given) => ({ shown: given.data, by: io.interop.instance.instance }));
}
setInterval(() => {}, 1000);
