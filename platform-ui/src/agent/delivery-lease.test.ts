import { beforeEach, expect, test } from "vitest";
import type { AppMessage } from "../messages";
import { DeliveryLease, type LeaseEvent } from "./delivery-lease";

const source = { appId: "chart", instanceId: "chart-1" };
const route = { connection: "a", channelId: "red", contextType: "fdc3.contact", source, receivers: ["b"] };
const granted = (members: Partial<LeaseEvent> = {}): LeaseEvent => ({
  kind: "lease",
  lease: "L",
  messages: 1,
  delivered: 0,
  routing: 7,
  routes: [route],
  ...members,
});
const broadcast = (context: object = { type: "fdc3.contact" }, meta: object = {}): AppMessage => ({
  type: "broadcastRequest",
  payload: { channelId: "red", context },
  meta: { requestUuid: "r", timestamp: "2026-11-17T05:00:00.000Z", ...meta },
});

let time = 1_000;
let lease: DeliveryLease;
const deliver = (message = broadcast()) => {
  const found = lease.route("a", message);
  return found && lease.deliver(found, message);
};

beforeEach(() => {
  time = 1_000;
  lease = new DeliveryLease(
    () => "id",
    () => time,
  );
  lease.linked();
  lease.count();
});

test("nothing is delivered without the lease", () => {
  expect(deliver()).toBeUndefined();
});

test("a broadcast goes to the receivers that the agent named, from the sender that it named", () => {
  lease.update(granted());
  const message = broadcast({ type: "fdc3.contact", name: "Ada", since: new Date(0) });
  const found = deliver({ ...message, payload: { ...message.payload, originatingApp: { appId: "forged" } } });
  expect(found?.receivers).toEqual(["b"]);
  expect(found?.event.payload).toEqual({
    channelId: "red",
    context: { type: "fdc3.contact", name: "Ada", since: "1970-01-01T00:00:00.000Z" },
    originatingApp: source,
  });
  expect(found?.report).toMatchObject({ kind: "Delivered", connection: "a", lease: "L", number: 1, receivers: ["b"] });
});

test("other senders, channels and types have no route", () => {
  lease.update(granted());
  expect(lease.route("b", broadcast())).toBeUndefined();
  expect(lease.route("a", broadcast({ type: "other" }))).toBeUndefined();
  expect(lease.route("a", { ...broadcast(), type: "raiseIntentRequest" })).toBeUndefined();
  expect(lease.route("a", { ...broadcast(), payload: { channelId: "green", context: { type: "fdc3.contact" } } })).toBe(
    undefined,
  );
});

test("the hub waits until the agent has carried out everything else", () => {
  lease.update(granted());
  lease.count();
  expect(deliver()).toBeUndefined();
  lease.update(granted({ messages: 2, routes: [] }));
  expect(deliver()).toBeDefined();
});

test("routes are not used after listeners have changed", () => {
  lease.update(granted());
  lease.update(granted({ routing: 8, routes: [] }));
  expect(deliver()).toBeUndefined();
});

test("a recall and an interrupted connection end the lease", () => {
  lease.update(granted());
  lease.recalled();
  expect(deliver()).toBeUndefined();
  lease.update(granted({ lease: "M" }));
  expect(deliver()).toBeDefined();
  lease.interrupted();
  expect(deliver()).toBeUndefined();
});

test("an unused lease ends before the agent gives it to others", () => {
  lease.update(granted());
  time += 29_999;
  expect(deliver()).toBeDefined();
  lease.update(granted({ delivered: 1, routes: [] }));
  time += 30_000;
  expect(deliver()).toBeUndefined();
});

test("a clock that was set back ends the lease", () => {
  lease.update(granted());
  time -= 1;
  expect(deliver()).toBeUndefined();
});

test("what the agent has not confirmed is sent again, in order", () => {
  lease.update(granted());
  const reports = [deliver(), deliver(), deliver()].map((each) => each?.report);
  lease.update(granted({ delivered: 1, routes: [] }));
  expect(lease.linked()).toEqual(reports.slice(1));
});

test("at most 200 broadcasts are ahead of the agent", () => {
  lease.update(granted());
  for (let count = 0; count < 200; count += 1) expect(deliver()).toBeDefined();
  expect(deliver()).toBeUndefined();
});

let deep: object = {};
for (let level = 0; level < 60; level += 1) deep = { deep };

test.each([
  ["a name that is not text", broadcast({ type: "fdc3.contact", name: 1 })],
  ["an id that is not an object", broadcast({ type: "fdc3.contact", id: ["x"] })],
  ["half a character", broadcast({ type: "fdc3.contact", text: "\ud800" })],
  ["a large context", broadcast({ type: "fdc3.contact", text: "x".repeat(20_000) })],
  ["a deep context", broadcast({ type: "fdc3.contact", deep })],
  ["a list as context", broadcast(Object.assign([], { type: "fdc3.contact" }))],
  ["a time of another form", broadcast(undefined, { timestamp: "2026-02-30T00:00:00Z" })],
  ["no id of the request", broadcast(undefined, { requestUuid: "" })],
])("the agent decides about %s", (_, message) => {
  lease.update(granted());
  expect(deliver(message)).toBeUndefined();
  expect(deliver()).toBeDefined();
});
