// Load on a gateway: bare peers that speak the wire protocol, so that the server's cost is seen and not a library's.
import WebSocket from "ws";
import { carryOut, repeat } from "./orders.mjs";

class Peer {
  static async connect(address, application) {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const peer = new Peer(socket);
    const authentication = { method: "secret", ...account };
    const welcome = await peer.ask({ domain: "global", type: "hello", identity: { application }, authentication });
    peer.id = welcome.peer_id;
    await peer.ask({ domain: "global", type: "join", destination: "agm" });
    return peer;
  }

  constructor(socket) {
    this.socket = socket;
    this.waiting = new Map();
    this.handlers = {};
    this.requests = 0;
    socket.on("message", (data) => this.receive(JSON.parse(data)));
  }

  receive(message) {
    const handler = this.handlers[message.type];
    if (handler) return handler(message);
    const waiting = this.waiting.get(message.request_id);
    if (!waiting) return;
    this.waiting.delete(message.request_id);
    if (message.type === "error") waiting.reject(new Error(message.reason));
    else waiting.resolve(message);
  }

  send(message) {
    this.socket.send(JSON.stringify({ ...message, peer_id: this.id }));
  }

  ask(message) {
    const id = `request-${++this.requests}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ ...message, request_id: id });
    });
  }

  close() {
    return new Promise((resolve) => this.socket.once("close", resolve).close());
  }
}

const TRADE = { symbol: "VOD.L", side: "buy", price: 72.18, quantity: 1200, account: "desk-7", tags: ["a", "b"] };
let address;
let account = { login: "bench", secret: "bench" };
let peers = [];
let work;

const connected = async (count, name) => {
  const fresh = [];
  while (fresh.length < count) {
    const batch = Math.min(20, count - fresh.length);
    fresh.push(...(await Promise.all(Array.from({ length: batch }, () => Peer.connect(address, name)))));
  }
  peers.push(...fresh);
  return fresh;
};

// Each prepares its peers and gives the one thing to be done again and again.
const scenes = {
  async call({ callers = 1 }) {
    const [server] = await connected(1, "server");
    server.handlers.invoke = ({ invocation_id, arguments_kv }) =>
      server.send({ domain: "agm", type: "yield", invocation_id, result: arguments_kv });
    await server.ask({ domain: "agm", type: "register", methods: [{ id: "0", name: "Bench.Trade", flags: {} }] });
    const clients = await connected(callers, "caller");
    return (number) =>
      clients[number % callers].ask({ domain: "agm", type: "call", server_id: server.id, method_id: "0", arguments_kv: TRADE });
  },

  async stream({ receivers = 50 }) {
    const [publisher] = await connected(1, "publisher");
    publisher.handlers["add-interest"] = ({ subscription_id }) =>
      publisher.send({ domain: "agm", type: "accepted", subscription_id, stream_id: "0" });
    const method = { id: "0", name: "Bench.Prices", flags: { streaming: true } };
    await publisher.ask({ domain: "agm", type: "register", methods: [method] });
    const subscribers = await connected(receivers, "subscriber");
    for (const subscriber of subscribers)
      await subscriber.ask({ domain: "agm", type: "subscribe", server_id: publisher.id, method_id: "0" });
    return fanOut(subscribers, "event", ({ data }) => data.turn, (turn) =>
      publisher.send({ domain: "agm", type: "publish", stream_id: "0", data: { ...TRADE, turn } }),
    );
  },

  async context({ receivers = 50 }) {
    const [writer] = await connected(1, "writer");
    const made = await writer.ask({ domain: "global", type: "create-context", name: `c-${Date.now()}`, data: { TRADE }, lifetime: "retained" });
    const readers = await connected(receivers, "reader");
    for (const reader of readers)
      await reader.ask({ domain: "global", type: "subscribe-context", context_id: made.context_id });
    return fanOut(readers, "context-updated", ({ delta }) => delta.commands[0].value.turn, (turn) => {
      const commands = [{ type: "set", path: "trade.last", value: { ...TRADE, turn } }];
      const delta = { added: {}, updated: {}, removed: [], commands };
      return writer.ask({ domain: "global", type: "update-context", context_id: made.context_id, delta });
    });
  },
};

// Gives the sending of one message, done when every receiver has it.
function fanOut(receivers, type, turnOf, send) {
  const left = new Map();
  for (const receiver of receivers) {
    receiver.handlers[type] = (message) => {
      const turn = turnOf(message);
      const { done, missing } = left.get(turn);
      if (missing === 1) left.delete(turn), done();
      else left.set(turn, { done, missing: missing - 1 });
    };
  }
  return (_, turn) =>
    new Promise((resolve) => {
      left.set(turn, { done: resolve, missing: receivers.length });
      send(turn);
    });
}

await carryOut({
  async prepare({ address: given, scene, login, secret, ...details }) {
    address = given;
    if (login) account = { login, secret };
    work = await scenes[scene](details);
  },

  run: ({ count, width }) => repeat(count, width, work),

  async idle({ address: given, count }) {
    address = given;
    await connected(count, "idle");
  },

  async leave() {
    await Promise.all(peers.map((peer) => peer.close()));
    peers = [];
  },
});
