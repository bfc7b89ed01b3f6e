// Section 12: messages by topic.
import { collector, equal, section, settled } from "../harness.mjs";

const { test, beyond } = section(import.meta.url);

// A publisher and a subscriber; publishing ends with a message that tells that all before it has arrived.
async function pair({ connect }) {
  const publisher = await connect("publisher", { identity: { desk: "rates" } });
  const subscriber = await connect("subscriber");
  const heard = async (topics, subscriptions, options = () => ({})) => {
    const messages = collector();
    const end = collector();
    for (const [topic, choice] of subscriptions) await subscriber.bus.subscribe(topic, messages.add, choice);
    await subscriber.bus.subscribe("the-end", end.add);
    topics.forEach((topic) => publisher.bus.publish(topic, { topic }, options(topic)));
    publisher.bus.publish("the-end", {});
    await end.count(1);
    return messages.items.map((message) => (Array.isArray(message) ? message[0].topic : message.topic));
  };
  return { publisher, subscriber, heard };
}

test("subscribers of a topic get its messages, in order", async (run) => {
  const { heard } = await pair(run);
  const topics = Array.from({ length: 100 }, () => "prices");

  equal(await heard([...topics, "orders"], [["prices"]]), topics);
});

test("a message tells who sent it", async ({ connectAll }) => {
  const [publisher, subscriber] = await connectAll("publisher", "subscriber");
  const messages = collector();
  await subscriber.bus.subscribe("prices", messages.add);
  publisher.bus.publish("prices", { price: [1, { a: null }] });
  const [[data, topic, source]] = await messages.count(1);

  equal(data, { price: [1, { a: null }] });
  equal(topic, "prices");
  equal(source.application, "publisher");
  equal(source.instance, publisher.interop.instance.instance);
});

test("the publisher hears itself if it listens", async ({ connect }) => {
  const client = await connect();
  const messages = collector();
  await client.bus.subscribe("echo", (data) => messages.add(data));
  client.bus.publish("echo", { hello: 1 });

  equal(await messages.count(1), [{ hello: 1 }]);
});

test("a star stands for one segment", async (run) => {
  const { heard } = await pair(run);
  const topics = ["a.b", "a.b.c", "a", "x.b", "a.b_1", "a.", "a.x.c"];

  equal(await heard(topics, [["a.*"]]), ["a.b", "a.b_1"]);
});

test("a star may stand in the middle", async (run) => {
  const { heard } = await pair(run);

  equal(await heard(["a.b.c", "a.x.c", "a.c", "a.b.b.c", "a.b.d"], [["a.*.c"]]), ["a.b.c", "a.x.c"]);
});

test("an angle stands for any rest", async (run) => {
  const { heard } = await pair(run);

  equal(await heard(["a.b", "a.b.c.d", "b.a", "aa.b"], [["a.>"]]), ["a.b", "a.b.c.d"]);
});

beyond("other characters of a pattern mean themselves", async (run) => {
  const { heard } = await pair(run);

  equal(await heard(["a+b.c", "aab.c", "a+bxc", "(", "a+b.d"], [["a+b.*"], ["("]]), ["a+b.c", "(", "a+b.d"]);
});

test("one message comes once for each matching subscription", async (run) => {
  const { heard } = await pair(run);

  equal(await heard(["a.b"], [["a.b"], ["a.*"], ["a.>"], ["b.>"]]), ["a.b", "a.b", "a.b"]);
});

test("routing keys must be equal where both sides have one", async (run) => {
  const { heard } = await pair(run);
  const keys = { one: { routingKey: "k1" }, two: { routingKey: "k2" }, none: undefined };

  equal(
    await heard(["one", "two", "none"], [["one", keys.one], ["two", keys.one], ["none", keys.one]], (topic) => keys[topic]),
    ["one", "none"],
  );
});

test("a subscriber without a routing key hears all", async (run) => {
  const { heard } = await pair(run);

  equal(await heard(["a", "b"], [["a"], ["b"]], () => ({ routingKey: "k" })), ["a", "b"]);
});

test("a target identity chooses the receivers", async ({ connect }) => {
  const publisher = await connect("publisher");
  const rates = await connect("receiver", { identity: { desk: "rates" } });
  const credit = await connect("receiver", { identity: { desk: "credit" } });
  const messages = collector();
  for (const [name, client] of [["rates", rates], ["credit", credit]])
    await client.bus.subscribe("news", ({ number }) => messages.add(`${number} ${name}`));
  publisher.bus.publish("news", { number: 1 }, { target: { desk: "rates" } });
  publisher.bus.publish("news", { number: 2 }, { target: { desk: "credit", application: "receiver" } });
  publisher.bus.publish("news", { number: 3 }, { target: { desk: "credit", application: "another" } });
  publisher.bus.publish("news", { number: 4 });
  await messages.count(4);
  await settled(publisher, rates, credit);

  equal(messages.items.toSorted(), ["1 rates", "2 credit", "4 credit", "4 rates"]);
});

test("nothing comes after unsubscribing", async ({ connectAll }) => {
  const [publisher, subscriber] = await connectAll("publisher", "subscriber");
  const [messages, others] = [collector(), collector()];
  const subscription = await subscriber.bus.subscribe("news", messages.add);
  await subscriber.bus.subscribe("news", others.add);
  publisher.bus.publish("news", { number: 1 });
  await messages.count(1);
  await subscription.unsubscribe();
  await settled(subscriber);
  publisher.bus.publish("news", { number: 2 });
  await others.count(2);

  equal(messages.items.length, 1);
});
