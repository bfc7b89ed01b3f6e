// Section 8: methods, calls and their answers.
import { collector, equal, known, ok, refused, section, settled, until } from "../harness.mjs";

const { test } = section(import.meta.url);
const NAME = "Conformance.Method";

// A server with the method, and a caller that knows of it.
async function pair({ connectAll }, handler, definition = NAME) {
  const [server, caller] = await connectAll("server", "caller");
  await server.interop.register(definition, handler);
  await known(caller, NAME);
  return { server, caller };
}

test("a call brings back what the method returns", async (run) => {
  const { server, caller } = await pair(run, ({ a, b }) => ({ sum: a + b }));
  const result = await caller.interop.invoke(NAME, { a: 2, b: 3 });

  equal(result.returned, { sum: 5 });
  equal(result.called_with, { a: 2, b: 3 });
  equal(result.executed_by.peerId, server.connection.peerId);
  equal(result.all_return_values.length, 1);
});

test("a client can call its own method", async ({ connect }) => {
  const client = await connect();
  await client.interop.register(NAME, ({ text }) => ({ text: text.toUpperCase() }));

  equal((await client.interop.invoke(NAME, { text: "me" })).returned, { text: "ME" });
});

test("a call without arguments and an answer without a result are fine", async (run) => {
  const given = collector();
  const { caller } = await pair(run, (args) => given.add(args));
  await caller.interop.invoke(NAME);

  equal(given.items, [{}]);
});

test("a method may take its time", async (run) => {
  const { caller } = await pair(run, async ({ value }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { value };
  });

  equal((await caller.interop.invoke(NAME, { value: 7 })).returned, { value: 7 });
});

test("a method answers through callbacks", async ({ connectAll }) => {
  const [server, caller] = await connectAll("server", "caller");
  await server.interop.registerAsync(NAME, ({ good }, _, success, error) => (good ? success({ fine: 1 }) : error("not good")));
  await known(caller, NAME);

  equal((await caller.interop.invoke(NAME, { good: true })).returned, { fine: 1 });
  await refused(caller.interop.invoke(NAME, { good: false }), /not good/);
});

test("the method is told who calls", async (run) => {
  const callers = collector();
  const { caller } = await pair(run, (_, instance) => callers.add(instance));
  await caller.interop.invoke(NAME);

  equal(callers.items[0].application, "caller");
  equal(callers.items[0].peerId, caller.connection.peerId);
  equal(callers.items[0].user, run.user);
});

test("what a method throws reaches the caller", async (run) => {
  const { caller } = await pair(run, () => {
    throw new Error("no price today");
  });

  await refused(caller.interop.invoke(NAME), /no price today/);
});

test("what a method's promise is rejected with reaches the caller", async (run) => {
  const { caller } = await pair(run, () => Promise.reject(new Error("no price later either")));

  await refused(caller.interop.invoke(NAME), /no price later either/);
});

test("a definition reaches others whole", async (run) => {
  const definition = {
    name: NAME,
    displayName: "A method",
    description: "Does a thing, für alle ✓",
    version: 3,
    accepts: "Int a, String[]? b",
    returns: "Bool done",
    objectTypes: ["Instrument", "Party"],
    flags: { colour: "red", nested: { deep: [1, null, { a: "b" }] } },
  };
  const { caller, server } = await pair(run, () => {}, definition);

  for (const client of [caller, server]) {
    const method = await known(client, NAME);
    for (const name of Object.keys(definition)) equal(method[name], definition[name], name);
    equal(method.supportsStreaming, false);
  }
});

test("methods are found by what they handle", async (run) => {
  const { caller } = await pair(run, () => {}, { name: NAME, objectTypes: ["Instrument"] });

  equal(caller.interop.methods({ objectTypes: ["Instrument"] }).map(({ name }) => name), [NAME]);
  equal(caller.interop.methods({ objectTypes: ["Party"] }), []);
  equal(caller.interop.servers({ name: NAME }).map(({ application }) => application), ["server"]);
});

test("methods are announced and withdrawn to everybody, the registrant included", async ({ connectAll }) => {
  const clients = await connectAll("server", "witness");
  const [server] = clients;
  const heard = clients.map((client) => {
    const { add, items } = collector();
    client.interop.methodAdded(({ name }) => add(`+${name}`));
    client.interop.methodRemoved(({ name }) => add(`-${name}`));
    client.interop.serverMethodAdded(({ method, server: { application } }) => add(`+${method.name} of ${application}`));
    client.interop.serverMethodRemoved(({ method, server: { application } }) => add(`-${method.name} of ${application}`));
    return items;
  });
  await server.interop.register(NAME, () => {});
  await server.interop.unregister(NAME);
  await settled(...clients);

  for (const items of heard) {
    await until(() => items.length >= 4, "all is announced");
    equal(items.toSorted(), [`+${NAME}`, `+${NAME} of server`, `-${NAME}`, `-${NAME} of server`].toSorted());
  }
});

test("a newcomer knows the methods that were there before", async ({ connect }) => {
  const server = await connect("server");
  await server.interop.register("Conformance.One", () => ({}));
  await server.interop.register("Conformance.Two", () => ({}));
  const newcomer = await connect("newcomer");

  equal(newcomer.interop.methodsForInstance({ application: "server" }).map(({ name }) => name).toSorted(), [
    "Conformance.One",
    "Conformance.Two",
  ]);
});

test("a method that is gone cannot be called", async (run) => {
  const { server, caller } = await pair(run, () => {});
  await server.interop.unregister(NAME);
  await until(() => caller.interop.methods({ name: NAME }).length === 0);

  await refused(caller.interop.invoke(NAME, {}, "best", { waitTimeoutMs: 0 }), /Can not find a method/);
});

test("a method can be registered again under the same name", async (run) => {
  const { server, caller } = await pair(run, () => ({ version: 1 }));
  await server.interop.unregister(NAME);
  await server.interop.register(NAME, () => ({ version: 2 }));
  await settled(caller);

  equal((await caller.interop.invoke(NAME)).returned, { version: 2 });
});

test("a caller may wait for a method to appear", async ({ connectAll }) => {
  const [server, caller] = await connectAll("server", "caller");
  const appeared = caller.interop.waitForMethod(NAME);
  await server.interop.register(NAME, () => ({}));

  equal((await appeared).name, NAME);
});

// Three servers of one method, the last one being the caller itself.
async function several({ connectAll }) {
  const clients = await connectAll("one", "two", "caller");
  for (const client of clients) {
    const name = client.interop.instance.application;
    await client.interop.register(NAME, ({ fail = [] }) => {
      if (fail.includes(name)) throw new Error(`${name} fails`);
      return { name };
    });
  }
  const caller = clients[2];
  await until(() => caller.interop.servers({ name: NAME }).length === 3);
  const answers = async (target, args = {}) => {
    const { all_return_values: values } = await caller.interop.invoke(NAME, args, target);
    return values.map(({ returned }) => returned.name).toSorted();
  };
  return { caller, answers };
}

test("a method of several servers is known with all of them", async (run) => {
  const { caller } = await several(run);
  const [method] = caller.interop.methods({ name: NAME });

  equal(method.getServers().map(({ application }) => application).toSorted(), ["caller", "one", "two"]);
});

test("target all calls every server", async (run) => {
  const { answers } = await several(run);
  equal(await answers("all"), ["caller", "one", "two"]);
});

test("target skipMine leaves the caller out", async (run) => {
  const { answers } = await several(run);
  equal(await answers("skipMine"), ["one", "two"]);
});

test("target best calls one server", async (run) => {
  const { answers } = await several(run);
  equal((await answers("best")).length, 1);
});

test("an instance as target calls that one", async (run) => {
  const { answers } = await several(run);
  equal(await answers({ application: "two" }), ["two"]);
});

test("a list of instances as target calls those", async (run) => {
  const { answers } = await several(run);
  equal(await answers([{ application: "two" }, { application: "caller" }]), ["caller", "two"]);
});

test("one failing server of several leaves the others' answers", async (run) => {
  const { caller, answers } = await several(run);
  equal(await answers("all", { fail: ["two"] }), ["caller", "one"]);

  const { all_errors: errors } = await caller.interop.invoke(NAME, { fail: ["two"] }, "all");
  equal(errors.length, 1);
  ok(errors[0].message.includes("two fails"));
});

test("a call is refused only when every server fails", async (run) => {
  const { caller } = await several(run);
  await refused(caller.interop.invoke(NAME, { fail: ["one", "two", "caller"] }, "all"), /fails/);
});

test("a call of nobody's method is refused", async ({ connect }) => {
  const caller = await connect();
  await refused(caller.interop.invoke("Conformance.Nobody", {}, "best", { waitTimeoutMs: 0 }), /Can not find a method/);
});

test("a caller that stops waiting is not disturbed by the late answer", async (run) => {
  let answer;
  const { caller } = await pair(run, ({ late }) => (late ? new Promise((resolve) => (answer = resolve)) : { prompt: true }));
  await refused(caller.interop.invoke(NAME, { late: true }, "best", { methodResponseTimeoutMs: 20 }), /timeout/i);
  (await until(() => answer))({ late: true });

  equal((await caller.interop.invoke(NAME)).returned, { prompt: true });
});

test("many calls at once each get their own answer", async (run) => {
  const { caller } = await pair(run, async ({ number }) => {
    if (number % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    return { number };
  });
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  const results = await Promise.all(numbers.map((number) => caller.interop.invoke(NAME, { number })));

  equal(results.map(({ returned }) => returned.number), numbers);
});

test("clients call one another while being called", async ({ connectAll }) => {
  const [one, other] = await connectAll("one", "other");
  await one.interop.register("Conformance.Ping", async ({ left }) =>
    left === 0 ? { done: true } : (await one.interop.invoke("Conformance.Pong", { left: left - 1 })).returned,
  );
  await other.interop.register("Conformance.Pong", async ({ left }) =>
    left === 0 ? { done: true } : (await other.interop.invoke("Conformance.Ping", { left: left - 1 })).returned,
  );
  await known(one, "Conformance.Pong");
  await known(other, "Conformance.Ping");

  equal((await one.interop.invoke("Conformance.Pong", { left: 20 })).returned, { done: true });
});
