// An app of the desk: looks at the apps, starts one, keeps a preference and saves a layout.
import { createRequire } from "node:module";

const [modules, wanted, layout] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const create = require("@interopio/core").default ?? require("@interopio/core");

const io = await create({
  application: process.env.ROSTRUM_APPLICATION,
  gateway: { ws: process.env.ROSTRUM_GATEWAY },
  auth: { gatewayToken: process.env.ROSTRUM_TOKEN },
  logger: "error",
});
const call = async (method, args) => (await io.interop.invoke(`Rostrum.${method}`, args)).returned;
const { applications } = await call("Apps.List");
if (!applications.some((app) => app.name === wanted)) throw new Error(`no ${wanted}`);
await call("Apps.Start", { name: wanted });
await call("Preferences.Set", { app: wanted, data: { seen: applications.length } });
await call("Layouts.Save", { name: layout });
await io.done();
process.exit(0);
