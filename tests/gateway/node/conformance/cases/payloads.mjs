// Sections 1 and 2: what may be in a message arrives as it was sent.
import { collector, equal, known, section } from "../harness.mjs";

const { test } = section(import.meta.url);
const NAME = "Conformance.Echo";

// Sends data there and back by each way there is.
async function travels({ connectAll, context }, data) {
  const [server, client] = await connectAll("server", "client");
  const kept = collector();
  await server.interop.register(NAME, (args) => {
    kept.add(args);
    return args;
  });
  await known(client, NAME);
  equal((await client.interop.invoke(NAME, { data })).returned, { data });
  equal(kept.items, [{ data }]);

  const stream = await server.interop.createStream("Conformance.Stream");
  await known(client, "Conformance.Stream");
  const events = collector();
  await client.interop.subscribe("Conformance.Stream", { arguments: { data }, onData: (event) => events.add(event.data) });
  stream.push({ data });
  equal(await events.count(1), [{ data }]);

  const messages = collector();
  await client.bus.subscribe("payloads", (message) => messages.add(message));
  server.bus.publish("payloads", { data });
  equal(await messages.count(1), [{ data }]);

  await server.contexts.set(context, { data });
  const contexts = collector();
  await client.contexts.subscribe(context, (found) => contexts.add(structuredClone(found)));
  equal(await contexts.count(1), [{ data }]);
}

test("text of every kind", (run) =>
  travels(run, ["", "ascii", "Grüße", "Ελληνικά", "日本語", "👩‍👩‍👧‍👦 𝒳", "\u0000\u0001\u001f\u007f", '"\\/\b\f\n\r\t', "\u2028\u2029\ufeff", "</script>"]));

test("keys of every kind", (run) =>
  travels(run, { "": 1, "ключ": 2, "🔑": 3, "a b": 4, '"': 5, constructor: 6, type: "x", peer_id: "y", domain: "z", request_id: 7 }));

test("numbers, truths and nothing", (run) =>
  travels(run, [0, -1, 1.5, 1e-7, 1e21, 9007199254740991, -9007199254740991, 0.1, 1.7976931348623157e308, true, false, null]));

test("dates stay dates", (run) =>
  travels(run, { at: new Date(1_700_000_000_123), nested: [{ then: new Date(0) }], text: "2024-01-01T00:00:00.000Z" }));

test("empty things", (run) => travels(run, { list: [], object: {}, lists: [[], [[]], [{}]] }));

test("things nested in things a hundred deep", (run) => {
  let data = "bottom";
  for (let depth = 0; depth < 100; depth++) data = depth % 2 ? [data] : { down: data };
  return travels(run, data);
});

test("a mebibyte of text", (run) => travels(run, "x".repeat(1 << 20)));

test("a mebibyte of letters that need more than one byte", (run) => travels(run, "ü€😀".repeat(150_000)));

test("a thousand members", (run) =>
  travels(run, Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`member-${number}`, { number, half: number / 2 }]))));

test("eight mebibytes", async ({ connectAll }) => {
  const [server, client] = await connectAll("server", "client");
  await server.interop.register(NAME, ({ text }) => ({ text, length: text.length }));
  await known(client, NAME);
  const { returned } = await client.interop.invoke(NAME, { text: "m".repeat(1 << 23) });

  equal(returned.length, 1 << 23);
  equal(returned.text.length, 1 << 23);
});
