// A node app that connects to the gateway with what the platform gives it, and stays connected.
import { createRequire } from "node:module";

const core = createRequire(`${process.argv[2]}/`)("@interopio/core");
await (core.default ?? core)({
  application: process.env.ROSTRUM_APPLICATION,
  gateway: { ws: process.env.ROSTRUM_GATEWAY },
  auth: { gatewayToken: process.env.ROSTRUM_TOKEN },
  logger: "error",
});
setInterval(() => {}, 1000);
