// Makes calls of a library in Node; each is reported by a JSON line.
import { createRequire } from "node:module";
import { makeCalls, run, text } from "./calls.mjs";

const { project, library, address, token, mode, pages, calls } = JSON.parse(process.argv[2]);
const loaded = createRequire(`${project}/`)(library);
const options = { application: "node-client", gateway: { ws: address }, auth: { gatewayToken: token } };
const report = (one) => process.stdout.write(`${JSON.stringify(one)}\n`);

for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = () => {};
const stray = [];
process.on("unhandledRejection", (trouble) => stray.push(text(trouble)));
await run(makeCalls({ create: loaded.default ?? loaded, options, mode, pages }), calls, report);
process.stdout.write(`${JSON.stringify({ name: "stray", value: stray })}\n`, () => process.exit(0));
