// Sections 5 and 6: who knows of whom.
import { collector, equal, leave, ok, refused, section, settled, until } from "../harness.mjs";

const { test } = section(import.meta.url);

const others = (client) =>
  client.interop
    .servers()
    .filter(({ peerId }) => peerId !== client.connection.peerId)
    .map(({ application }) => application)
    .sort();

test("each client knows the others, whoever came first", async ({ connect }) => {
  const [first, second, third] = [await connect("first"), await connect("second"), await connect("third")];
  await settled(first, second, third);

  equal(others(first), ["second", "third"]);
  equal(others(second), ["first", "third"]);
  equal(others(third), ["first", "second"]);
});

test("a newcomer is announced with its whole identity", async ({ connect }) => {
  const witness = await connect("witness");
  const added = collector();
  witness.interop.serverAdded(added.add);
  const newcomer = await connect("newcomer", { identity: { region: "EMEA", environment: "UAT", windowId: "w-1" } });
  const seen = await until(() => added.items.find(({ application }) => application === "newcomer"));

  for (const name of ["application", "user", "machine", "instance", "peerId", "region", "environment", "windowId"]) {
    equal(seen[name], newcomer.interop.instance[name], name);
    ok(seen[name], name);
  }
  equal(seen.isLocal, true);
});

test("no client is announced to itself", async ({ connect }) => {
  const client = await connect("alone");
  await settled(client);

  equal(client.interop.servers().filter(({ application }) => application === "alone").length <= 1, true);
});

test("a client that leaves is withdrawn", async ({ connectAll }) => {
  const [witness, leaver] = await connectAll("witness", "leaver");
  const removed = collector();
  witness.interop.serverRemoved((server) => removed.add(server.application));
  await until(() => others(witness).includes("leaver"));
  await leave(leaver);

  await removed.count(1);
  equal(removed.items, ["leaver"]);
  equal(others(witness), []);
});

test("a client that leaves takes its methods with it", async ({ connectAll }) => {
  const [witness, leaver] = await connectAll("witness", "leaver");
  const gone = collector();
  await leaver.interop.register("Conformance.Gone", () => {});
  await until(() => witness.interop.methods({ name: "Conformance.Gone" }).length);
  witness.interop.methodRemoved(({ name }) => gone.add(name));
  await leave(leaver);

  await gone.count(1);
  equal(gone.items, ["Conformance.Gone"]);
  equal(witness.interop.methods({ name: "Conformance.Gone" }), []);
});

test("twenty clients arriving at once all know one another", async ({ connectAll }) => {
  const names = Array.from({ length: 20 }, (_, number) => `crowd-${number}`);
  const crowd = await connectAll(...names);

  for (const client of crowd) await until(() => others(client).length === 19, "all know all");
});

test("a method with a restriction is known and callable only where it is true", async ({ connect }) => {
  const server = await connect("server", { identity: { desk: "rates" } });
  const friend = await connect("friend", { identity: { desk: "rates" } });
  const stranger = await connect("stranger", { identity: { desk: "credit" } });
  await server.connection.domain("agm").send({
    type: "register",
    methods: [{ id: "restricted", name: "Conformance.Restricted", flags: {}, restrictions: "$desk == #desk" }],
  });
  await settled(server, friend, stranger);
  const call = { type: "call", server_id: server.connection.peerId, method_id: "restricted", arguments_kv: {} };

  equal(friend.interop.methods({ name: "Conformance.Restricted" }).length, 1);
  equal(stranger.interop.methods({ name: "Conformance.Restricted" }), []);
  await refused(stranger.connection.domain("agm", ["result"]).send(call));
});
