// Apps with the unmodified client of FINOS. Each line of standard input is a message of the agent to one of them, or the
// request to open one; each line of standard output is a message to the agent, or the result of all that they tried.
import { register } from "node:module";
import { createInterface } from "node:readline";

register("./hooks.mjs", import.meta.url);
const proxy = await import("@finos/fdc3-agent-proxy");
proxy.AbstractFDC3Logger.setLogLevel?.(0);
console.debug = console.log = console.warn = console.error = () => {};

const TIMEOUT = 20_000;
const apps = new Map();
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let count = 0;

class Messaging extends proxy.AbstractMessaging {
  listeners = new Map();
  constructor(connection) {
    super({ appId: "claimed" });
    this.connection = connection;
  }
  createUUID() {
    return crypto.randomUUID();
  }
  async post(message) {
    write({ connection: this.connection, message });
  }
  register(listener) {
    this.listeners.set(listener.id, listener);
  }
  unregister(id) {
    this.listeners.delete(id);
  }
  createMeta() {
    return { requestUuid: this.createUUID(), timestamp: new Date(), source: this.getAppIdentifier() };
  }
  receive(message) {
    for (const listener of this.listeners.values()) if (listener.filter(message)) listener.action(message);
  }
  async disconnect() {
    await this.post({ type: "WCP6Goodbye", meta: { timestamp: new Date() } });
  }
}

const silent = { setChannelChangeCallback() {}, updateChannel() {}, async connect() {}, async disconnect() {} };

async function start(appId, instanceId) {
  const connection = `connection-${++count}`;
  const messaging = new Messaging(connection);
  apps.set(connection, messaging);
  write({ connect: connection, appId, instanceId });
  const url = `https://apps.example/${appId}/`;
  const connectionAttemptUuid = messaging.createUUID();
  const validated = messaging.waitFor((message) => message.type.startsWith("WCP5"), TIMEOUT, "no validation");
  await messaging.post({
    type: "WCP4ValidateAppIdentity",
    meta: { connectionAttemptUuid, timestamp: new Date() },
    payload: { identityUrl: url, actualUrl: url },
  });
  const { payload } = await validated;
  const channels = new proxy.DefaultChannelSupport(messaging, silent, TIMEOUT);
  const intents = new proxy.DefaultIntentSupport(messaging, silent, TIMEOUT, TIMEOUT);
  const applications = new proxy.DefaultAppSupport(messaging, TIMEOUT, TIMEOUT);
  const heartbeat = new proxy.DefaultHeartbeatSupport(messaging);
  const fdc3 = new proxy.DesktopAgentProxy(heartbeat, channels, intents, applications, [heartbeat]);
  await fdc3.connect();
  return { fdc3, id: payload.instanceId };
}

// Adds a listener; what it hears first is a promise inside an object, so that only the registration is waited for.
async function listen(target, type) {
  const { promise: context, resolve } = withResolvers();
  await target.addContextListener(type, resolve);
  return { context };
}
function withResolvers() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
const failed = async (promise) => promise.then(() => "no error", (error) => error.message);
const INSTRUMENT = { type: "fdc3.instrument", id: { ticker: "AAPL" } };
const CONTACT = { type: "fdc3.contact", name: "Ada" };

// What each app does when the agent opens it.
const roles = {
  async chart({ fdc3 }) {
    await fdc3.addIntentListener("ViewChart", async () => {
      const channel = await fdc3.createPrivateChannel();
      await channel.addEventListener("addContextListener", () => channel.broadcast(CONTACT));
      return channel;
    });
  },
  async mail({ fdc3 }) {
    await fdc3.addIntentListener("StartMail", async (context) => ({ ...context, sent: true }));
    await fdc3.addContextListener("fdc3.contact", () => {});
  },
  async news() {},
};

async function all() {
  const results = {};
  const grid = await start("grid");
  const other = await start("grid");
  const { fdc3 } = grid;

  results.provider = (await fdc3.getInfo()).provider;
  results.channels = (await fdc3.getUserChannels()).map((channel) => channel.displayMetadata.name);
  const heard = await listen(other.fdc3, "fdc3.instrument");
  await other.fdc3.joinUserChannel("red");
  await fdc3.joinUserChannel("red");
  await fdc3.broadcast(INSTRUMENT);
  results.heard = await heard.context;
  results.current = await (await other.fdc3.getCurrentChannel()).getCurrentContext();
  await fdc3.broadcast(CONTACT);
  await other.fdc3.joinUserChannel("green");
  const stored = await listen(other.fdc3, "fdc3.contact");
  await other.fdc3.joinUserChannel("red");
  results.stored = await stored.context;

  const app = await fdc3.getOrCreateChannel("orders");
  const onApp = await listen(await other.fdc3.getOrCreateChannel("orders"), null);
  await app.broadcast(CONTACT);
  results.onApp = await onApp.context;

  const resolution = await fdc3.raiseIntent("ViewChart", INSTRUMENT);
  results.handler = resolution.source.appId;
  const channel = await resolution.getResult();
  results.private = [channel.type, await (await listen(channel, null)).context];
  results.denied = await failed(other.fdc3.getOrCreateChannel(channel.id));
  await channel.disconnect();
  const mail = await fdc3.raiseIntentForContext(CONTACT, { appId: "mail" });
  results.mail = [mail.intent, await mail.getResult()];
  results.opened = (await fdc3.open({ appId: "mail" }, CONTACT)).appId;
  results.instances = (await fdc3.findInstances({ appId: "mail" })).length;
  results.found = (await fdc3.findIntent("ViewChart", INSTRUMENT)).apps.map((found) => found.appId);
  results.byContext = (await fdc3.findIntentsByContext(INSTRUMENT)).map((found) => found.intent.name);
  results.metadata = (await fdc3.getAppMetadata({ appId: "chart" })).title;
  results.errors = [
    await failed(fdc3.open({ appId: "nowhere" })),
    await failed(fdc3.raiseIntent("Nothing", CONTACT)),
    await failed(fdc3.raiseIntent("ViewChart", INSTRUMENT, { appId: "nowhere" })),
    await failed(fdc3.raiseIntent("StartChat", CONTACT)),
    await failed(fdc3.joinUserChannel("nowhere")),
    await failed(fdc3.broadcast({ type: "" })),
  ];
  await other.fdc3.disconnect();
  results.left = (await fdc3.findInstances({ appId: "grid" })).length;
  return results;
}

async function carryOut(line) {
  const { connection, message, open } = JSON.parse(line);
  if (open) roles[open.appId](await start(open.appId, open.instanceId));
  else apps.get(connection)?.receive(message);
}
// Each message is a task of its own, as those of a port in a browser: the client adds a listener after it has seen the
// response, before the next message.
createInterface({ input: process.stdin }).on("line", (line) => setImmediate(carryOut, line));
const limit = new Promise((_, reject) => setTimeout(reject, 3 * TIMEOUT, new Error("an event did not come")));
Promise.race([all(), limit]).then(
  (results) => write({ results }),
  (error) => write({ results: { failure: error.stack } }),
);
