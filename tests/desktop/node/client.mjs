// An app of the desk: connects with the unmodified client library, and uses what the platform offers.
import { createRequire } from "node:module";

const require = createRequire(`${process.argv[2]}/`);
const create = require("@interopio/core").default ?? require("@interopio/core");

const io = await create({
  application: process.env.ROSTRUM_APPLICATION,
  gateway: { ws: process.env.ROSTRUM_GATEWAY },
  auth: { gatewayToken: process.env.ROSTRUM_TOKEN },
  logger: "error",
});
const listed = await io.interop.invoke("Rostrum.Apps.List");
if (!listed.returned.applications.some((app) => app.name === "clock")) throw new Error("no clock");
await io.interop.invoke("Rostrum.Apps.Start", { name: "clock" });
await io.contexts.update("___channel___Red", { data: { from: "node" } });
console.log("done");
await io.done();
process.exit(0);
