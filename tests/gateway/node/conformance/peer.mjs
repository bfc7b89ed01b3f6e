// A client in a process of its own, to be killed in the middle of something.
import { createRequire } from "node:module";

const { role, address, library, user, context } = JSON.parse(process.argv[2]);
const connect = createRequire(import.meta.url)(library === "glue42" ? "@glue42/core" : "@interopio/core");
const never = new Promise(() => {});

const roles = {
  // Takes calls and never answers them.
  async callee(client) {
    await client.interop.register("Conformance.Slow", () => {
      console.log("called");
      return never;
    });
  },

  // Makes a call and waits for its answer.
  async caller(client) {
    client.interop.invoke("Conformance.Held", {}).catch(() => {});
  },

  async publisher(client) {
    const stream = await client.interop.createStream("Conformance.Prices");
    setInterval(() => stream.push({ now: true }), 5);
  },

  async subscriber(client) {
    await client.interop.subscribe("Conformance.Prices");
  },

  // Owns a context that lives as long as it does.
  async owner(client) {
    await client.connection
      .domain("global", ["context-created"])
      .send({ type: "create-context", name: context, data: { mine: true }, lifetime: "ownership" });
  },
};

const client = await connect({
  application: role,
  gateway: { ws: address, protocolVersion: 3 },
  auth: { username: user, password: "secret" },
  logger: { console: "off", publish: "off" },
  metrics: false,
});
await roles[role](client);
console.log("ready");
