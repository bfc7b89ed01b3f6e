// Runs the calls of one file with one client library, in order, and prints one JSON line for each.
import { createRequire } from "node:module";
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { inspect } from "node:util";

export const { modules, library, gateway, peers } = JSON.parse(process.argv[2]);
const require = createRequire(`${modules}/`);
const WITHIN = 20_000;
const SILENT = { debug() {}, error() {}, info() {}, log() {}, warn() {}, trace() {} };
const calls = [];

console.warn = console.error = () => {}; // the libraries print every error that they reject with

export { equal, ok };

// Registers a call; `only` names the library that has it.
export function call(sentence, body, only) {
  calls.push({ sentence, body, only });
}

// Connects a client as an instance that the platform has started, or as a program of the user.
export async function connect(name, options = {}) {
  const { application, token, user, secret } = peers[name];
  const auth = token ? { gatewayToken: token } : { username: user, password: secret };
  return within(
    fresh()({
      application,
      gateway: { ws: gateway, protocolVersion: 3 },
      auth,
      logger: "error",
      customLogger: SILENT,
      metrics: false,
      channels: true,
      layouts: "full",
      ...options,
    }),
    `${name} to be ready`,
  );
}

// Loads the library anew: it keeps the connection of its page in variables of its own.
function fresh() {
  delete require.cache[require.resolve(`@${library}/desktop`)];
  return require(`@${library}/desktop`);
}

// Does something at the desk: what a person would do, or a look at the screen.
export async function desk(client, what, about = {}) {
  return (await within(client.interop.invoke("Test.Desk", { what, ...about }), what)).returned.result;
}

export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), WITHIN);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export async function until(condition, what = String(condition)) {
  const end = Date.now() + WITHIN;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

// Expects a refusal at once, and gives its text.
export async function refused(promise, pattern) {
  let given;
  try {
    given = await within(promise, "a refusal");
  } catch (trouble) {
    const text = trouble?.returned?.errorMsg || trouble?.message || inspect(trouble, { depth: 1 });
    if (!pattern.test(text)) throw new Error(`refused with ${text}, expected ${pattern}`);
    return text;
  }
  throw new Error(`expected a refusal, got ${inspect(given, { depth: 2 })}`);
}

export async function run() {
  const stray = [];
  process.on("unhandledRejection", (trouble) => stray.push(trouble));
  for (const { sentence, body, only } of calls) {
    if (only && only !== library) continue;
    let trouble = "";
    try {
      await within(body(), "the end of the call");
    } catch (error) {
      trouble = error instanceof Error ? error.stack : inspect(error, { depth: 3 });
    }
    console.log(JSON.stringify({ sentence, trouble: [trouble, ...stray.splice(0).map((one) => inspect(one))].filter(Boolean).join("\n") }));
  }
  process.exit(0);
}
