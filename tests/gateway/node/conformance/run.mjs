// Starts a gateway and runs cases against it, each when asked for by a JSON line; answers each with a JSON line.
import { createInterface } from "node:readline";
import { readdirSync } from "node:fs";
import { inspect } from "node:util";
import { cases, Run, startGateway, within } from "./harness.mjs";

// How a gateway is started, its port to be added; and a file of users for those that check sign-ins.
const { command, users } = JSON.parse(process.argv[2]);
for (const file of readdirSync(new URL("cases/", import.meta.url))) await import(`./cases/${file}`);

console.warn = () => {}; // one of the libraries prints every error that a gateway answers with

let stray = [];
process.on("unhandledRejection", (trouble) => stray.push(trouble));
process.on("uncaughtException", (trouble) => stray.push(trouble));

const gateway = await startGateway(command);
for await (const line of createInterface({ input: process.stdin })) {
  const { name, libraries } = JSON.parse(line);
  const run = new Run({ address: gateway.address, command, users, libraries });
  const told = gateway.messages.length;
  stray = [];
  const trouble = await within(cases.get(name)(run), "the end of the case", 120_000).catch((error) => error);
  // Both libraries leave a rejection unhandled when a sign-in fails.
  const troubles = [trouble, ...(run.failedLogins ? [] : stray.filter((one) => !isLeaving(one)))].filter(
    (one) => one !== undefined,
  );
  await run.end();
  console.log(
    JSON.stringify({ name, trouble: troubles.map(text).join("\n"), gateway: gateway.messages.slice(told).join("\n") }),
  );
}
await gateway.kill();
process.exit(0);

// And when they are told to leave while they come back: that may come as late as in the next case.
function isLeaving(trouble) {
  return /socket closed by user$/.test(trouble?.err ?? trouble?.message ?? trouble);
}

function text(trouble) {
  return trouble instanceof Error ? trouble.stack : inspect(trouble, { depth: 3 });
}
