// Section 11: what happens to the others when a client's process is killed in the middle of something.
import { collector, equal, known, leave, ok, refused, section, settled, until } from "../harness.mjs";

const { test, beyond } = section(import.meta.url);

test("a call is refused at once when its server is killed", async ({ connect, spawnPeer }) => {
  const caller = await connect("caller");
  const callee = await spawnPeer("callee");
  await known(caller, "Conformance.Slow");
  const refusal = refused(caller.interop.invoke("Conformance.Slow", {}, "best", { methodResponseTimeoutMs: 60_000 }));
  await callee.said("called");
  await callee.kill();

  await refusal;
  await until(() => caller.interop.methods({ name: "Conformance.Slow" }).length === 0);
  await until(() => !caller.interop.servers().some(({ application }) => application === "callee"));
});

test("a server outlives the killing of its caller", async ({ connect, spawnPeer }) => {
  const server = await connect("server");
  const calls = collector();
  let answer;
  await server.interop.register("Conformance.Held", (_, caller) => {
    calls.add(caller.application);
    return caller.application === "caller" ? new Promise((resolve) => (answer = resolve)) : { fine: true };
  });
  const caller = await spawnPeer("caller");
  await calls.count(1);
  await caller.kill();
  await until(() => !server.interop.servers().some(({ application }) => application === "caller"));
  answer({ late: true });
  await settled(server);

  equal((await server.interop.invoke("Conformance.Held")).returned, { fine: true });
});

test("subscribers learn that a publisher was killed", async ({ connect, spawnPeer }) => {
  const subscriber = await connect("subscriber");
  const publisher = await spawnPeer("publisher");
  await known(subscriber, "Conformance.Prices");
  const [events, closed] = [collector(), collector()];
  await subscriber.interop.subscribe("Conformance.Prices", { onData: events.add, onClosed: () => closed.add(true) });
  await events.count(2);
  await publisher.kill();

  await closed.count(1);
  await until(() => subscriber.interop.methods({ name: "Conformance.Prices" }).length === 0);
});

test("a publisher learns that a subscriber was killed", async ({ connect, spawnPeer }) => {
  const publisher = await connect("publisher");
  const [added, removed] = [collector(), collector()];
  const stream = await publisher.interop.createStream("Conformance.Prices", {
    subscriptionAddedHandler: added.add,
    subscriptionRemovedHandler: removed.add,
  });
  const subscriber = await spawnPeer("subscriber");
  await added.count(1);
  await subscriber.kill();

  await removed.count(1);
  equal(stream.subscriptions(), []);
});

beyond("a subscription that still waits is refused when its publisher leaves", async ({ connect }) => {
  const publisher = await connect("publisher");
  const subscriber = await connect("subscriber");
  const asked = collector();
  await publisher.interop.createStream("Conformance.Silent", { subscriptionRequestHandler: asked.add });
  await known(subscriber, "Conformance.Silent");
  const refusal = refused(subscriber.interop.subscribe("Conformance.Silent", { methodResponseTimeout: 60_000 }));
  await asked.count(1);
  await leave(publisher);

  await refusal;
});

test("a context owned by a killed client is destroyed", async ({ connect, spawnPeer, context }) => {
  const witness = await connect("witness");
  const owner = await spawnPeer("owner");
  await until(() => witness.contexts.all().includes(context));
  await owner.kill();

  await until(() => !witness.contexts.all().includes(context));
  ok(witness.connection.peerId);
});
