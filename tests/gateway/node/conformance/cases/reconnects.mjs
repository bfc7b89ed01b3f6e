// Section 3, reconnecting: clients come back by themselves, and everything works as before.
import { createServer, connect as dial } from "node:net";
import { collector, equal, known, ok, section, settled, until, within } from "../harness.mjs";

const { test } = section(import.meta.url);

// A link to the gateway that can be cut.
async function link(run) {
  const { port } = new URL(run.address);
  const sockets = new Set();
  const server = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => {}).on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  run.endings.push(() => (cut(), server.close()));
  return { address: `ws://127.0.0.1:${server.address().port}`, cut };
}

// Waits until clients have signed in once more after something was done to their connections.
async function comeBack(clients, interruption) {
  const back = clients.map(({ connection }) => {
    const before = connection.peerId;
    return new Promise((resolve) => connection.loggedIn(() => connection.peerId !== before && resolve()));
  });
  await interruption();
  await within(Promise.all(back), "clients coming back");
}

test("a client whose link was cut comes back as a new peer with its methods", async (run) => {
  const { address, cut } = await link(run);
  const caller = await run.connect("caller");
  const server = await run.connect("server", { address });
  await server.interop.register("Conformance.Kept", () => ({ kept: true }));
  const first = server.connection.peerId;
  await comeBack([server], cut);
  await until(() => caller.interop.servers({ name: "Conformance.Kept" }).some(({ peerId }) => peerId !== first));

  equal((await caller.interop.invoke("Conformance.Kept")).returned, { kept: true });
  equal(caller.interop.servers().filter(({ application }) => application === "server").length, 1);
});

test("a subscription survives its subscriber's link being cut", async (run) => {
  const { address, cut } = await link(run);
  const publisher = await run.connect("publisher");
  const stream = await publisher.interop.createStream("Conformance.Prices");
  const subscriber = await run.connect("subscriber", { address });
  const events = collector();
  await known(subscriber, "Conformance.Prices");
  await subscriber.interop.subscribe("Conformance.Prices", { onData: ({ data }) => events.add(data.number) });
  stream.push({ number: 1 });
  await events.count(1);
  await comeBack([subscriber], cut);
  await until(() => stream.subscriptions().length === 1);
  await until(() => (stream.push({ number: 2 }), events.items.includes(2)));

  ok(stream.subscriptions().length === 1);
});

test("a subscription survives its publisher's link being cut", async (run) => {
  const { address, cut } = await link(run);
  const publisher = await run.connect("publisher", { address });
  const stream = await publisher.interop.createStream("Conformance.Prices");
  const subscriber = await run.connect("subscriber");
  const events = collector();
  await known(subscriber, "Conformance.Prices");
  await subscriber.interop.subscribe("Conformance.Prices", { onData: ({ data }) => events.add(data.number) });
  stream.push({ number: 1 });
  await events.count(1);
  await comeBack([publisher], cut);
  await known(subscriber, "Conformance.Prices");

  ok(subscriber.interop.servers({ name: "Conformance.Prices" }).length === 1);
});

test("a context subscription survives a cut link", async (run) => {
  const { address, cut } = await link(run);
  const writer = await run.connect("writer");
  await writer.contexts.set(run.context, { number: 1 });
  const reader = await run.connect("reader", { address });
  const seen = collector();
  await reader.contexts.subscribe(run.context, ({ number }) => seen.add(number));
  await seen.count(1);
  await comeBack([reader], cut);
  await writer.contexts.update(run.context, { number: 2 });

  await until(() => seen.items.at(-1) === 2);
});

test("a bus subscription survives a cut link", async (run) => {
  const { address, cut } = await link(run);
  const publisher = await run.connect("publisher");
  // The other library forgets its bus subscriptions when it comes back.
  const subscriber = await run.connect("subscriber", { address, library: "interopio" });
  const heard = collector();
  await subscriber.bus.subscribe("news.>", ({ number }) => heard.add(number));
  publisher.bus.publish("news.a", { number: 1 });
  await heard.count(1);
  await comeBack([subscriber], cut);

  await until(() => (publisher.bus.publish("news.b", { number: 2 }), heard.items.includes(2)));
});

test("all clients come back when the gateway is killed and started again", async (run) => {
  const gateway = await run.startGateway();
  const { address } = gateway;
  const clients = await Promise.all(["server", "caller", "third"].map((name) => run.connect(name, { address })));
  const [server, caller] = clients;
  await server.interop.register("Conformance.Kept", () => ({ kept: true }));
  const stream = await server.interop.createStream("Conformance.Prices");
  await known(caller, "Conformance.Prices");
  const events = collector();
  await caller.interop.subscribe("Conformance.Prices", { onData: ({ data }) => events.add(data.number) });
  await server.contexts.set(run.context, { before: true });
  await comeBack(clients, async () => {
    await gateway.kill();
    await run.startGateway(gateway.port);
  });

  for (const client of clients) await known(client, "Conformance.Kept");
  equal((await caller.interop.invoke("Conformance.Kept")).returned, { kept: true });
  await until(() => (stream.push({ number: 2 }), events.items.includes(2)), "the stream goes on");
  await server.contexts.update(run.context, { after: true });
  await settled(...clients);
  equal((await caller.contexts.get(run.context)).after, true);
});
