// Section 9: streams, their subscriptions and branches.
import { collector, equal, known, leave, ok, refused, section, settled, until } from "../harness.mjs";

const { test } = section(import.meta.url);
const NAME = "Conformance.Stream";

// A publisher with a stream, and a subscriber that knows of it.
async function pair({ connectAll }, options) {
  const [publisher, subscriber] = await connectAll("publisher", "subscriber");
  const stream = await publisher.interop.createStream(NAME, options);
  await known(subscriber, NAME);
  return { publisher, subscriber, stream };
}

// Subscribes, and collects what comes.
async function listen(client, parameters = {}) {
  const events = collector();
  const closed = collector();
  const subscription = await client.interop.subscribe(NAME, {
    onData: ({ data }) => events.add(data),
    onClosed: () => closed.add(true),
    ...parameters,
  });
  return { subscription, events, closed };
}

test("a stream is a method that supports streaming", async (run) => {
  const { subscriber } = await pair(run);

  equal((await known(subscriber, NAME)).supportsStreaming, true);
});

test("subscribers get what is pushed, in order", async (run) => {
  const { subscriber, stream } = await pair(run);
  const { events } = await listen(subscriber);
  const pushed = Array.from({ length: 500 }, (_, number) => ({ number }));
  pushed.forEach((data) => stream.push(data));

  equal(await events.count(500), pushed);
});

test("an event tells its server and that it is not private", async (run) => {
  const { publisher, subscriber, stream } = await pair(run);
  const events = collector();
  await listen(subscriber, { onData: events.add, arguments: { symbol: "VOD.L" } });
  stream.push({ price: 1 });
  const [event] = await events.count(1);

  equal(event.data, { price: 1 });
  equal(event.private, false);
  equal(event.server.peerId, publisher.connection.peerId);
  equal(event.requestArguments, { symbol: "VOD.L" });
});

test("the publisher is asked, with the subscriber and the arguments, and may accept", async (run) => {
  const requests = collector();
  const { subscriber, stream } = await pair(run, {
    subscriptionRequestHandler: (request) => {
      requests.add(request);
      request.accept();
    },
  });
  const { events } = await listen(subscriber, { arguments: { symbol: "VOD.L", levels: [1, 2] } });
  stream.push({ price: 1 });

  equal(await events.count(1), [{ price: 1 }]);
  equal(requests.items[0].arguments, { symbol: "VOD.L", levels: [1, 2] });
  equal(requests.items[0].instance.application, "subscriber");
});

test("a rejected subscriber is told why", async (run) => {
  const { subscriber, stream } = await pair(run, {
    subscriptionRequestHandler: (request) => request.reject("not for you"),
  });

  await refused(listen(subscriber), /not for you/);
  equal(stream.subscriptions(), []);
});

test("branches keep their subscribers apart", async (run) => {
  const { subscriber, stream } = await pair(run, {
    subscriptionRequestHandler: (request) => request.acceptOnBranch(request.arguments.branch),
  });
  const [gold, silver] = await Promise.all(
    ["gold", "silver"].map((branch) => listen(subscriber, { arguments: { branch } })),
  );
  await until(() => stream.branches().length === 2);
  stream.branch("gold").push({ to: "gold" });
  stream.push({ to: "silver" }, "silver");
  stream.push({ to: "both" }, ["gold", "silver"]);
  stream.push({ to: "all" });
  await settled(run.clients[0], subscriber);

  equal(await gold.events.count(3), [{ to: "gold" }, { to: "both" }, { to: "all" }]);
  equal(await silver.events.count(3), [{ to: "silver" }, { to: "both" }, { to: "all" }]);
  equal(stream.branches().map(({ key }) => key).toSorted(), ["gold", "silver"]);
});

test("closing a branch ends its subscriptions only", async (run) => {
  const { subscriber, stream } = await pair(run, {
    subscriptionRequestHandler: (request) => request.acceptOnBranch(request.arguments.branch),
  });
  const gold = await listen(subscriber, { arguments: { branch: "gold" } });
  const silver = await listen(subscriber, { arguments: { branch: "silver" } });
  stream.branch("gold").close();
  await gold.closed.count(1);
  stream.push({ after: true });

  equal(await silver.events.count(1), [{ after: true }]);
  equal(gold.events.items, []);
  equal(silver.closed.items, []);
});

test("a private push reaches one subscription", async (run) => {
  const { subscriber, stream } = await pair(run);
  const events = [collector(), collector()];
  await listen(subscriber, { onData: events[0].add });
  await listen(subscriber, { onData: events[1].add });
  const subscriptions = await until(() => stream.subscriptions().length === 2 && stream.subscriptions());
  subscriptions[0].push({ secret: 1 });
  stream.push({ open: 1 });
  await Promise.all(events.map(({ count }) => count(1)));
  await settled(run.clients[0], subscriber);
  const heard = events.map(({ items }) => items.map((event) => [event.data, event.private])).toSorted((a, b) => a.length - b.length);

  equal(heard, [[[{ open: 1 }, false]], [[{ secret: 1 }, true], [{ open: 1 }, false]]]);
});

test("a handler for new subscriptions may send a picture first", async (run) => {
  const { subscriber, stream } = await pair(run, {
    subscriptionAddedHandler: (subscription) => subscription.push({ picture: true }),
  });
  const { events } = await listen(subscriber);
  await events.count(1);
  stream.push({ change: true });

  equal(await events.count(2), [{ picture: true }, { change: true }]);
});

test("each of many subscribers gets every event once", async ({ connect, connectAll }) => {
  const publisher = await connect("publisher");
  const stream = await publisher.interop.createStream(NAME);
  const subscribers = await connectAll(...Array.from({ length: 12 }, (_, number) => `subscriber-${number}`));
  const listening = await Promise.all(subscribers.map((client) => listen(client)));
  for (let number = 0; number < 20; number++) stream.push({ number });

  for (const { events } of listening) equal((await events.count(20)).map(({ number }) => number), [...Array(20).keys()]);
});

test("nothing comes after the subscriber has closed, and the publisher is told", async (run) => {
  const removed = collector();
  const { publisher, subscriber, stream } = await pair(run, { subscriptionRemovedHandler: removed.add });
  const { subscription, events } = await listen(subscriber);
  stream.push({ before: true });
  await events.count(1);
  subscription.close();
  await removed.count(1);
  stream.push({ after: true });
  await settled(publisher, subscriber);

  equal(events.items, [{ before: true }]);
  equal(stream.subscriptions(), []);
  equal(removed.items[0].instance.application, "subscriber");
});

test("the publisher can end one subscription", async (run) => {
  const { subscriber, stream } = await pair(run);
  const first = await listen(subscriber);
  await until(() => stream.subscriptions().length === 1);
  const second = await listen(subscriber);
  stream.subscriptions()[0].close();
  await first.closed.count(1);
  stream.push({ after: true });

  equal(await second.events.count(1), [{ after: true }]);
  equal(second.closed.items, []);
  equal(first.events.items, []);
});

test("closing a stream ends its subscriptions and withdraws it", async (run) => {
  const { subscriber, stream } = await pair(run);
  const { closed } = await listen(subscriber);
  stream.close();

  await closed.count(1);
  await until(() => subscriber.interop.methods({ name: NAME }).length === 0);
});

test("subscribers learn that the publisher has left", async (run) => {
  const { publisher, subscriber } = await pair(run);
  const { closed } = await listen(subscriber);
  await leave(publisher);

  await closed.count(1);
  await until(() => subscriber.interop.methods({ name: NAME }).length === 0);
});

test("the publisher learns that a subscriber has left", async (run) => {
  const removed = collector();
  const { subscriber, stream } = await pair(run, { subscriptionRemovedHandler: removed.add });
  await listen(subscriber);
  await leave(subscriber);

  await removed.count(1);
  equal(stream.subscriptions(), []);
});

test("target all subscribes at every publisher", async ({ connectAll }) => {
  const [one, two, subscriber] = await connectAll("one", "two", "subscriber");
  const streams = [await one.interop.createStream(NAME), await two.interop.createStream(NAME)];
  await until(() => subscriber.interop.servers({ name: NAME }).length === 2);
  const events = collector();
  const { subscription } = await listen(subscriber, {
    target: "all",
    onData: ({ data, server }) => events.add(`${data.from} ${server.application}`),
  });
  // The library is content with the first publisher that accepts.
  await until(() => streams.every((stream) => stream.subscriptions().length === 1));
  streams[0].push({ from: "one" });
  streams[1].push({ from: "two" });

  equal((await events.count(2)).toSorted(), ["one one", "two two"]);
  equal(subscription.servers.length, 2);
});

test("a subscription with several publishers goes on when one leaves", async ({ connectAll }) => {
  const [one, two, subscriber] = await connectAll("one", "two", "subscriber");
  await one.interop.createStream(NAME);
  const stream = await two.interop.createStream(NAME);
  await until(() => subscriber.interop.servers({ name: NAME }).length === 2);
  const { events, closed } = await listen(subscriber, { target: "all" });
  await until(() => stream.subscriptions().length === 1);
  await leave(one);
  await until(() => subscriber.interop.servers({ name: NAME }).length === 1);
  stream.push({ still: "here" });

  equal(await events.count(1), [{ still: "here" }]);
  equal(closed.items, []);
});

test("a client can subscribe to its own stream", async ({ connect }) => {
  const client = await connect();
  const stream = await client.interop.createStream(NAME);
  const { events } = await listen(client);
  stream.push({ mine: true });

  equal(await events.count(1), [{ mine: true }]);
});

test("the subscriber is told when it is connected", async (run) => {
  const { subscriber } = await pair(run);
  const connected = collector();
  await listen(subscriber, { onConnected: (server, again) => connected.add([server.application, again]) });

  equal(await connected.count(1), [["publisher", false]]);
});

test("a stream may tell what it accepts and returns", async ({ connectAll }) => {
  const [publisher, subscriber] = await connectAll("publisher", "subscriber");
  const definition = { name: NAME, displayName: "Prices", accepts: "String symbol", returns: "Double price", flags: { a: 1 } };
  await publisher.interop.createStream(definition);
  const seen = await known(subscriber, NAME);

  for (const name of Object.keys(definition)) equal(seen[name], definition[name], name);
});

test("subscribing to nobody's stream is refused", async ({ connect }) => {
  const client = await connect();
  ok(await refused(listen(client, { waitTimeoutMs: 500, methodResponseTimeout: 500 })));
});
