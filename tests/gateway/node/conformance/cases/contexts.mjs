// Section 7: shared contexts.
import { collector, equal, leave, ok, refused, section, settled, until } from "../harness.mjs";

const { test, beyond } = section(import.meta.url);

// A writer and a reader; `data` waits until the reader's subscription has seen the given data.
async function pair({ connectAll, context }, initial) {
  const [writer, reader] = await connectAll("writer", "reader");
  if (initial) await writer.contexts.set(context, initial);
  await settled(writer, reader);
  const updates = collector();
  const unsubscribe = await reader.contexts.subscribe(context, (data, delta, removed) => updates.add([structuredClone(data), delta, removed]));
  const sees = async (data) => {
    const same = () => updates.items.length && JSON.stringify(sorted(updates.items.at(-1)[0])) === JSON.stringify(sorted(data));
    await until(same).catch(() => equal(updates.items.at(-1)?.[0], data));
    equal(await reader.contexts.get(context), data);
    equal(await writer.contexts.get(context), data);
  };
  return { writer, reader, updates, unsubscribe, sees };
}

function sorted(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).toSorted().map((key) => [key, sorted(value[key])]));
}

// What a client that was not there before finds.
async function newcomerFinds({ connect, context }) {
  const newcomer = await connect("newcomer");
  return newcomer.contexts.get(context);
}

test("what one client sets another gets", async (run) => {
  const data = { a: 1, b: { c: [1, 2, { d: null }] }, e: "text" };
  const { sees } = await pair(run, data);

  await sees(data);
  equal(await newcomerFinds(run), data);
});

test("every client knows the names of all contexts, newcomers too", async (run) => {
  const second = `${run.context}.Second`;
  const { writer, reader } = await pair(run, { a: 1 });
  await writer.contexts.set(second, { b: 2 });
  await settled(writer, reader);
  const newcomer = await run.connect("newcomer");

  for (const client of [writer, reader, newcomer]) {
    const mine = client.contexts.all().filter((name) => [run.context, second].includes(name));
    equal(mine.toSorted(), [run.context, second]);
  }
});

test("a subscriber gets the data first and then each change", async (run) => {
  const { writer, updates, sees } = await pair(run, { a: 1 });
  await updates.count(1);
  await writer.contexts.update(run.context, { b: 2 });
  await writer.contexts.update(run.context, { c: 3 });
  await sees({ a: 1, b: 2, c: 3 });

  equal(updates.items.map(([data]) => data), [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }]);
  equal(updates.items.slice(1).map(([, delta]) => delta), [{ b: 2 }, { c: 3 }]);
});

test("subscribing to a context that does not exist yet waits for it", async (run) => {
  const { writer, sees } = await pair(run);
  await writer.contexts.set(run.context, { late: true });

  await sees({ late: true });
});

test("update merges at the top and removes what is null", async (run) => {
  const { writer, updates, sees } = await pair(run, { keep: 1, change: 1, drop: 1 });
  await writer.contexts.update(run.context, { change: 2, drop: null, add: { x: 1 } });

  await sees({ keep: 1, change: 2, add: { x: 1 } });
  equal(updates.items.at(-1)[2], ["drop"]);
  equal(await newcomerFinds(run), { keep: 1, change: 2, add: { x: 1 } });
});

test("set replaces everything", async (run) => {
  const { writer, sees } = await pair(run, { a: 1, b: { c: 2 } });
  await writer.contexts.set(run.context, { z: 26 });

  await sees({ z: 26 });
  equal(await newcomerFinds(run), { z: 26 });
});

test("set with an empty object empties it", async (run) => {
  const { writer, sees } = await pair(run, { a: 1 });
  await writer.contexts.set(run.context, {});

  await sees({});
  equal(await newcomerFinds(run), {});
});

test("setPath changes one place and makes what is missing on the way", async (run) => {
  const { writer, sees } = await pair(run, { a: { b: { c: 1, keep: true } } });
  await writer.contexts.setPath(run.context, "a.b.c", 2);
  await writer.contexts.setPath(run.context, "x.y.z", { deep: [1] });
  const expected = { a: { b: { c: 2, keep: true } }, x: { y: { z: { deep: [1] } } } };

  await sees(expected);
  equal(await newcomerFinds(run), expected);
});

test("setPath goes through what is not an object by replacing it", async (run) => {
  const { writer, sees } = await pair(run, { a: "text", keep: 1 });
  await writer.contexts.setPath(run.context, "a.b", 1);

  await sees({ a: { b: 1 }, keep: 1 });
  equal(await newcomerFinds(run), { a: { b: 1 }, keep: 1 });
});

test("setPath with an empty path replaces everything", async (run) => {
  const { writer, sees } = await pair(run, { a: 1 });
  await writer.contexts.setPath(run.context, "", { whole: true });

  await sees({ whole: true });
  equal(await newcomerFinds(run), { whole: true });
});

test("setPaths does several changes in one step", async (run) => {
  const { writer, updates, sees } = await pair(run, { a: { x: 1 } });
  await updates.count(1);
  await writer.contexts.setPaths(run.context, [
    { path: "a.y", value: 2 },
    { path: "b", value: { c: 3 } },
    { path: "b.d", value: 4 },
  ]);

  await sees({ a: { x: 1, y: 2 }, b: { c: 3, d: 4 } });
  equal(updates.items.length, 2);
  equal(await newcomerFinds(run), { a: { x: 1, y: 2 }, b: { c: 3, d: 4 } });
});

test("setPaths removes a place whose value is null", async (run) => {
  const { writer } = await pair(run, { a: { x: 1, y: 2 } });
  await writer.contexts.setPaths(run.context, [{ path: "a.x", value: null }]);
  const found = await newcomerFinds(run);

  ok(found.a.x === undefined || found.a.x === null);
  equal(found.a.y, 2);
});

test("readers write too", async (run) => {
  const { writer, reader, sees } = await pair(run, { a: 1 });
  await reader.contexts.update(run.context, { b: 2 });
  await writer.contexts.update(run.context, { c: 3 });

  await sees({ a: 1, b: 2, c: 3 });
});

test("readers of one context see the changes of all writers in one order", async ({ connect, connectAll, context }) => {
  const writers = await connectAll(..."abcd");
  const readers = await connectAll("x", "y", "z");
  await writers[0].contexts.set(context, { start: true });
  await settled(...writers, ...readers);
  const seen = readers.map(() => collector());
  await Promise.all(readers.map((client, number) => client.contexts.subscribe(context, (data) => seen[number].add(structuredClone(data)))));
  const changes = writers.map(async (client, number) => {
    for (let turn = 0; turn < 10; turn++) await client.contexts.update(context, { shared: `${number}-${turn}`, [`of${number}`]: turn });
  });
  await Promise.all(changes);
  await settled(...writers, ...readers);
  const truth = sorted(await (await connect("newcomer")).contexts.get(context));

  for (let number = 0; number < writers.length; number++) equal(truth[`of${number}`], 9);
  for (const { items } of seen) {
    equal(sorted(items.at(-1)), truth);
    equal(items.map(({ shared }) => shared), seen[0].items.map(({ shared }) => shared));
  }
});

test("a context that exists is not overwritten by creating it again", async ({ connectAll, context }) => {
  const [first, second] = await connectAll("first", "second");
  const made = await make(first, context, { data: { mine: 1 } });
  const found = await make(second, context, { data: { theirs: 2 } });

  equal([made.type, found.type], ["context-created", "subscribed-context"]);
  equal(found.context_id, made.context_id);
  equal(found.data, { mine: 1 });
});

test("nothing comes after unsubscribing", async (run) => {
  const { writer, reader, updates, unsubscribe } = await pair(run, { a: 1 });
  await updates.count(1);
  unsubscribe();
  await settled(reader);
  await writer.contexts.update(run.context, { b: 2 });
  await settled(writer, reader);

  equal(updates.items.length, 1);
  equal(await reader.contexts.get(run.context), { a: 1, b: 2 });
});

test("a destroyed context is gone for everybody", async (run) => {
  const { writer, reader } = await pair(run, { a: 1 });
  await settled(reader);
  await writer.contexts.destroy(run.context);
  await until(() => !reader.contexts.all().includes(run.context));
  ok(!writer.contexts.all().includes(run.context));

  equal(await newcomerFinds(run), {});
});

test("a destroyed context can be made again", async (run) => {
  const { writer, reader } = await pair(run, { a: 1 });
  await writer.contexts.destroy(run.context);
  await until(() => !reader.contexts.all().includes(run.context));
  await writer.contexts.set(run.context, { again: true });
  await settled(writer, reader);

  equal(await reader.contexts.get(run.context), { again: true });
});

test("destroying what does not exist is refused", async ({ connect }) => {
  const client = await connect();
  await refused(client.contexts.destroy("Conformance.Nothing"));
});

test("a context outlives its maker", async (run) => {
  const { writer } = await pair(run, { a: 1 });
  await leave(writer);

  equal(await newcomerFinds(run), { a: 1 });
});

// Makes a context with what the libraries' own calls do not offer.
function make(client, name, more = {}) {
  const session = client.connection.domain("global", ["context-created", "subscribed-context"]);
  return session.send({ type: "create-context", name, data: { a: 1 }, lifetime: "retained", ...more });
}

test("an owned context ends with its owner", async (run) => {
  const [owner, reader] = await run.connectAll("owner", "reader");
  await make(owner, run.context, { lifetime: "ownership" });
  await settled(owner, reader);
  equal(await reader.contexts.get(run.context), { a: 1 });
  await leave(owner);

  await until(() => !reader.contexts.all().includes(run.context));
  equal(await newcomerFinds(run), {});
});

test("a counted context ends with its last member", async (run) => {
  const [maker, reader, witness] = await run.connectAll("maker", "reader", "witness");
  await make(maker, run.context, { lifetime: "ref-counted" });
  const updates = collector();
  await settled(maker, reader, witness);
  await reader.contexts.subscribe(run.context, updates.add);
  await leave(maker);
  await settled(reader, witness);
  ok(witness.contexts.all().includes(run.context));
  await leave(reader);

  await until(() => !witness.contexts.all().includes(run.context));
});

test("an unknown lifetime is refused", async ({ connect, context }) => {
  const client = await connect();
  const trouble = await make(client, context, { lifetime: "eternal" }).then(
    () => undefined,
    (error) => error,
  );

  equal(trouble.reason_uri, "global.errors.bad_lifetime");
});

test("only those permitted write", async ({ connect, context }) => {
  const owner = await connect("owner");
  const permitted = await connect("permitted");
  const other = await connect("other");
  await make(owner, context, { write_permissions: "$application == 'permitted'" });
  await settled(owner, permitted, other);
  await permitted.contexts.update(context, { b: 2 });
  await refused(other.contexts.update(context, { c: 3 }));
  await settled(other);

  equal(await (await connect("newcomer")).contexts.get(context), { a: 1, b: 2 });
});

test("only those permitted read", async ({ connect, context }) => {
  const owner = await connect("owner");
  const permitted = await connect("permitted");
  const other = await connect("other");
  await make(owner, context, { read_permissions: "$application == 'permitted'" });
  await settled(owner, permitted, other);

  ok(permitted.contexts.all().includes(context));
  ok(!other.contexts.all().includes(context));
  equal(await permitted.contexts.get(context), { a: 1 });
});

beyond("removing what is not there changes nothing", async (run) => {
  const client = await run.connect("writer");
  const { context_id: id } = await make(client, run.context, { data: { a: { b: 1 } } });
  const commands = ["x.y.z", "a.b.c", "a.c"].map((path) => ({ type: "remove", path }));
  const delta = { added: {}, updated: {}, removed: [], commands };
  await client.connection.domain("global").send({ type: "update-context", context_id: id, delta });

  equal(await newcomerFinds(run), { a: { b: 1 } });
});
