// Section 6: two users on one gateway never meet.
import { collector, equal, ok, refused, section, settled } from "../harness.mjs";

const { test, beyond } = section(import.meta.url);

async function two({ connect, user }) {
  const mine = await connect("mine");
  const theirs = await connect("theirs", { auth: { username: `${user}-other`, password: "secret" } });
  return { mine, theirs };
}

test("neither knows of the other's clients, methods and streams", async (run) => {
  const { mine, theirs } = await two(run);
  const seen = collector();
  theirs.interop.serverAdded(({ application }) => application === "mine" && seen.add(application));
  theirs.interop.methodAdded(({ name }) => seen.add(name));
  await mine.interop.register("Conformance.Mine", () => ({}));
  await mine.interop.createStream("Conformance.MyStream");
  await settled(mine, theirs);
  const late = await run.connect("late", { auth: { username: `${run.user}-other`, password: "secret" } });

  equal(seen.items, []);
  for (const client of [theirs, late]) {
    equal(client.interop.methods({ name: "Conformance.Mine" }), []);
    equal(client.interop.methods({ name: "Conformance.MyStream" }), []);
    equal(client.interop.servers().filter(({ application }) => application === "mine"), []);
  }
});

test("neither can call the other's methods, even with the right ids", async (run) => {
  const { mine, theirs } = await two(run);
  const calls = collector();
  await mine.interop.register("Conformance.Mine", calls.add);
  const call = (method) =>
    theirs.connection
      .domain("agm", ["result", "subscribed"])
      .send({ type: method, server_id: mine.connection.peerId, method_id: "0", arguments_kv: {} });
  await refused(call("call"));
  await refused(call("subscribe"));
  await settled(mine);

  equal(calls.items, []);
});

test("neither hears the other's bus", async (run) => {
  const { mine, theirs } = await two(run);
  const heard = collector();
  for (const topic of ["news", "*", ">"]) await theirs.bus.subscribe(topic, heard.add);
  mine.bus.publish("news", { private: true });
  mine.bus.publish("news", { private: true }, { target: { application: "theirs" } });
  await settled(mine, theirs);
  await settled(mine, theirs);

  equal(heard.items, []);
});

beyond("both may use the same name for a context", async (run) => {
  const { mine, theirs } = await two(run);
  await mine.contexts.set("Conformance.Same", { whose: "mine" });
  await theirs.contexts.set("Conformance.Same", { whose: "theirs" });
  const late = await run.connect("late");

  equal(await mine.contexts.get("Conformance.Same"), { whose: "mine" });
  equal(await theirs.contexts.get("Conformance.Same"), { whose: "theirs" });
  equal(await late.contexts.get("Conformance.Same"), { whose: "mine" });
});

beyond("neither knows of the other's contexts", async (run) => {
  const { mine, theirs } = await two(run);
  await mine.contexts.set("Conformance.Mine", { a: 1 });
  await settled(mine, theirs);
  const late = await run.connect("late", { auth: { username: `${run.user}-other`, password: "secret" } });

  for (const client of [theirs, late]) ok(!client.contexts.all().includes("Conformance.Mine"));
});

beyond("neither can use the other's context, even with the right id", async (run) => {
  const { mine, theirs } = await two(run);
  const global = (client) => client.connection.domain("global", ["context-created", "subscribed-context"]);
  const { context_id: id } = await global(mine).send({ type: "create-context", name: "Mine", data: { a: 1 }, lifetime: "retained" });
  const delta = { added: { b: 2 }, updated: {}, removed: [] };
  await refused(global(theirs).send({ type: "subscribe-context", context_id: id }));
  await refused(global(theirs).send({ type: "update-context", context_id: id, delta }));
  await refused(global(theirs).send({ type: "destroy-context", context_id: id }));

  equal((await global(mine).send({ type: "subscribe-context", context_id: id })).data, { a: 1 });
});
