// Section 13: a client's metrics are taken in, and disturb nothing.
import { equal, known, ok, section, settled } from "../harness.mjs";

const { test } = section(import.meta.url);

test("a client with metrics comes up and works", async ({ connect }) => {
  const measured = await connect("measured", { metrics: true });
  const plain = await connect("plain");
  await measured.interop.register("Conformance.Measured", () => ({ fine: true }));
  await known(plain, "Conformance.Measured");

  ok(measured.metrics);
  equal((await plain.interop.invoke("Conformance.Measured")).returned, { fine: true });
});

test("metrics of every kind are taken in", async ({ connect }) => {
  const client = await connect("measured", { metrics: true });
  const system = client.metrics.subSystem("desk", "What the desk does");
  system.stringMetric("name", "first").update("second");
  system.numberMetric("load", 1).update(2.5);
  system.timestampMetric("last", new Date()).now();
  system.objectMetric("whole", { a: 1 }).update({ a: 2, b: { c: "d" } });
  system.setState(50, "halfway");
  await settled(client);

  ok(client.connection.peerId);
  await client.interop.register("Conformance.Still", () => ({ here: true }));
  equal((await client.interop.invoke("Conformance.Still")).returned, { here: true });
});
