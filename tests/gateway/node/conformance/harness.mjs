// What the cases are written with: their register, clients of both libraries, and waiting without sleeping.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

const require = createRequire(import.meta.url);
const LIBRARIES = { interopio: require("@interopio/core"), glue42: require("@glue42/core") };
const PATIENCE = 30_000;
const SILENT = { debug() {}, error() {}, info() {}, log() {}, warn() {} };

export const cases = new Map();
let runs = 0;

// Gives the two functions with which a file tells its cases: `test` for what the reference gateway does as well,
// `beyond` for what only Rostrum does.
export function section(address) {
  const name = fileURLToPath(address).match(/([a-z_]+)\.mjs$/)[1];
  const add = (sentence, body) => cases.set(`${name}: ${sentence}`, body);
  return { test: add, beyond: add };
}

// One run of one case: its own user, so that cases sharing a gateway never meet, and all it started to be cleared away.
export class Run {
  constructor({ address, command, users, libraries }) {
    this.address = address;
    this.command = command;
    this.usersFile = users;
    this.libraries = libraries;
    this.user = `user-${process.pid}-${++runs}`;
    this.context = `Conformance.Context.${this.user}`; // the reference tells every user of all contexts
    this.clients = [];
    this.turns = 0;
    this.failedLogins = 0;
    this.endings = [];
  }

  // Connects a client; the libraries take turns. Other options go to the library as they are.
  connect = async (application = "demo", options = {}) => {
    const turn = this.libraries[this.turns++ % this.libraries.length];
    const { address = this.address, library = turn, ...more } = options;
    const client = await LIBRARIES[library]({
      application,
      gateway: { ws: address, protocolVersion: 3, reconnectInterval: 30, reconnectAttempts: 200 },
      auth: { username: this.user, password: "secret" },
      logger: "error",
      customLogger: SILENT,
      metrics: false,
      bus: true,
      ...more,
    }).catch((trouble) => {
      this.failedLogins++;
      throw trouble.err ?? new Error(inspect(trouble, { depth: 0 }));
    });
    this.clients.push(client);
    return client;
  };

  // Connects several at once, each with a name of its own.
  connectAll = (...applications) => Promise.all(applications.map((application) => this.connect(application)));

  // Starts another process that is a client; its roles are in `peer.mjs`.
  spawnPeer = async (role) => {
    const child = spawn(process.execPath, [
      fileURLToPath(new URL("peer.mjs", import.meta.url)),
      JSON.stringify({ role, address: this.address, library: this.libraries[0], user: this.user, context: this.context }),
    ]);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.endings.push(() => child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.pipe(process.stderr);
    const peer = {
      said: async (words) => equal((await within(lines.next(), `the ${role} saying ${words}`)).value, words),
      kill: () => (child.kill("SIGKILL"), ended),
    };
    await peer.said("ready");
    return peer;
  };

  // Starts a gateway of the case's own.
  startGateway = async (port = 0, ...options) => {
    const gateway = await startGateway(this.command, port, ...options);
    this.endings.push(gateway.kill);
    return gateway;
  };

  async end() {
    await Promise.all(this.clients.map((client) => leave(client)));
    await Promise.all(this.endings.map((end) => end()));
  }
}

export async function startGateway(command, port = 0, ...options) {
  const child = spawn(command[0], [...command.slice(1), String(port), ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const gateway = { messages: [], kill: () => (child.kill("SIGKILL"), ended) };
  createInterface({ input: child.stderr }).on("line", (line) => gateway.messages.push(line));
  const said = [];
  gateway.address = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(line);
      const found = line.match(/ws:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    ended.then((code) => reject(new Error(`the gateway ended (${code}): ${[...said, ...gateway.messages].join("\n")}`)));
  });
  gateway.port = Number(new URL(gateway.address).port);
  return gateway;
}

// Logs a client out and closes its socket.
export async function leave(client) {
  await within(client.done ? client.done() : client.connection.logout(), "a client leaving").catch(() => {});
}

// Waits until everything that the gateway was told by these clients is done, and all its consequences have arrived
// at them: the gateway does one thing after the other, and answers in order.
export async function settled(...clients) {
  for (const client of clients) await within(client.connection.authToken(), "a token");
  for (const client of clients) await within(client.connection.authToken(), "a token");
}

// Waits for a promise, but not for ever.
export function within(promise, what, patience = PATIENCE) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${patience} ms in vain for ${what}`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// Waits until a condition holds, and gives what it gave.
export async function until(condition, what = String(condition)) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

// Waits until a client knows of a method, and gives it.
export function known(client, name) {
  return until(() => client.interop.methods({ name })[0], `${name} is known`);
}

// Collects what a callback is given; `next` waits for as many as asked.
export function collector() {
  const items = [];
  const add = (...given) => void items.push(given.length === 1 ? given[0] : given);
  return { add, items, count: (number) => until(() => items.length >= number && items, `${number} came`) };
}

// Expects a promise to be rejected, and gives what it was rejected with as text.
export async function refused(promise, pattern = /./) {
  let given;
  try {
    given = await within(promise, "a refusal");
  } catch (trouble) {
    const text = trouble?.message ?? trouble?.reason ?? inspect(trouble, { depth: 1 });
    if (!pattern.test(text)) throw new Error(`refused with ${text}, expected ${pattern}`);
    return text;
  }
  throw new Error(`expected a refusal, got ${inspect(given, { depth: 1 })}`);
}

export { deepStrictEqual as equal, ok } from "node:assert/strict";
import { deepStrictEqual as equal } from "node:assert/strict";
