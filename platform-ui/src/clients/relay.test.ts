import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Relay } from "./relay";
import type { Frame, TransportEvents } from "./transport";

const app = { appId: "chart", instanceId: "1", origin: "https://a.example", place: "p", outlivesPage: true };
const join = { type: "join", domain: "global", destination: "agm", request_id: "j" };

let events: TransportEvents;
let sent: Frame[];
let page: MessagePort;
let got: Frame[];
let relay: Relay;
const until = (check: () => void) => vi.waitFor(check, 20_000);

/** Send messages and wait until the relay has received them. */
async function say(...messages: unknown[]): Promise<void> {
  const count = got.length;
  for (const each of messages) page.postMessage(each);
  page.postMessage({ type: "create-token", request_id: "last" });
  await until(() => expect(got.slice(count).some(({ request_id }) => request_id === "last")).toBe(true));
  got = got.filter(({ request_id }) => request_id !== "last");
}

beforeEach(() => {
  sent = [];
  got = [];
  const { port1, port2 } = new MessageChannel();
  page = port1;
  page.onmessage = ({ data }) => got.push(data);
  relay = new Relay({
    app,
    windowId: "w",
    port: port2,
    connect: (given) => {
      events = given;
      return { send: (frame) => sent.push(frame as Frame), close: () => undefined };
    },
    authentication: { method: "session" },
    user: "ann",
    left: () => undefined,
    interrupted: () => undefined,
  });
});

afterEach(() => relay.close());

const welcome = () =>
  events.frame({
    type: "welcome",
    request_id: "hello",
    peer_id: "p1",
    resolved_identity: { user: "ann" },
    options: {},
  });

test("the relay writes the sign-in, and forwards nothing before it succeeded", async () => {
  events.opened();
  await say(join);
  expect(sent).toEqual([]);
  await say({ type: "hello", request_id: "h", identity: { application: "victim" }, authentication: { method: "x" } });
  expect(sent).toHaveLength(1);
  const { connection, ...identity } = (sent[0] as Frame).identity as Record<string, unknown>;
  expect(identity).toEqual({
    ...{ application: "chart", applicationName: "chart", instance: "1", windowId: "w", relayed: true },
  });
  expect(sent[0]).toMatchObject({ type: "hello", authentication: { method: "session" } });
  welcome();
  expect(sent.slice(1)).toEqual([{ ...join, peer_id: "p1" }]);
  await until(() => expect(got).toMatchObject([{ type: "welcome", request_id: "h", peer_id: "p1" }]));
  expect(got[0]).not.toHaveProperty("options");
});

test("a second sign-in is refused, before and after the first has succeeded", async () => {
  events.opened();
  await say({ type: "hello", request_id: "a" }, { type: new String("hello"), request_id: "b" });
  welcome();
  await say({ type: "hello", request_id: "c" });
  expect(sent.filter(({ type }) => type === "hello")).toHaveLength(1);
  expect(got.filter(({ type }) => type === "error").map(({ request_id }) => request_id)).toEqual(["b", "c"]);
});

test("frames that wait for the sign-in are limited in number and size", async () => {
  const large = { domain: "agm", type: "call", request_id: "large", data: "x".repeat(2 ** 20) };
  await say(large, ...Array.from({ length: 120 }, (_, at) => ({ ...join, request_id: at })));
  events.opened();
  await say({ type: "hello", request_id: "h" });
  welcome();
  expect(sent).toHaveLength(101);
  expect(got.filter(({ type }) => type === "error")).toHaveLength(21);
});
