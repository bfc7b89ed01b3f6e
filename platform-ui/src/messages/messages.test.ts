import { expect, test, vi } from "vitest";
import { parseFdc3Message, parseRelayMessage, parseToHub, parseToPage, parseWindowMessage } from ".";
import { RELAYED } from "./relay-messages";

vi.setConfig({ testTimeout: 60_000 });

/** What the receiver of a message gets. */
const sent = (data: unknown) => structuredClone(data);
const relayed = (data: object) => parseRelayMessage(sent({ request_id: "1", ...data }));

/** Other values that become the word in JSON, or in comparisons with ==. */
const disguises = (word: string): readonly unknown[] => [
  new String(word),
  Object.assign(new String(word), { type: word }),
  [word],
  [new String(word)],
  new Map([["toString", word]]),
  { 0: word, length: 1 },
];

test("no disguise of a word is another word than the word itself", () => {
  for (const type of disguises("create-token")) expect(relayed({ type })?.kind).toBe("refused");
  for (const type of disguises("hello")) expect(relayed({ type })?.kind).toMatch(/hello|refused/);
  for (const domain of disguises("activity")) expect(relayed({ domain, type: "create" })?.kind).toBe("refused");
  for (const destination of disguises("activity"))
    expect(relayed({ domain: "global", type: "join", destination })?.kind).toBe("refused");
});

test.each([
  { type: "create-token" },
  { domain: "global", type: "create-token" },
  { domain: "activity", type: "create" },
  { domain: "Global", type: "join", destination: "agm" },
  { domain: "global", type: "join", destination: "activity" },
  { domain: "global", type: "join" },
  { domain: "agm", type: "hello" },
  { domain: "agm", type: "join" },
  { domain: "__proto__", type: "constructor" },
  { domain: "constructor", type: "name" },
  { domain: null, type: "join", destination: "agm" },
  { domain: "agm" },
  { domain: "agm", type: 7 },
  { domain: "agm", type: "call", request_id: { toString: "x" } },
  JSON.parse('{"domain": "agm", "__proto__": {"type": "call"}}'),
])("apps must not send %j", (frame) => {
  expect(relayed(frame)).toMatchObject({ kind: "refused" });
});

test("listed frames are forwarded without the identity that the app states", () => {
  for (const [domain, types] of Object.entries(RELAYED)) {
    for (const type of types) {
      const frame = { domain, type, destination: "agm", at: new Date(7), peer_id: "other" };
      const parsed = relayed(frame);
      expect(parsed).toMatchObject({ kind: "frame", frame: { domain, type, at: "#T42_DATE#7" } });
      expect(parsed).not.toHaveProperty("frame.peer_id");
    }
  }
  expect(relayed({ type: "ping" })?.kind).toBe("frame");
});

test("of a sign-in, only the ID of the request is used", () => {
  const hello = { type: "hello", identity: { application: "x" }, authentication: { method: "session" }, peer_id: "p" };
  expect(relayed(hello)).toEqual({ kind: "hello", asked: { request_id: "1", peer_id: "p" } });
});

test.each([null, undefined, 7, "hello", [], new Map(), new Error("x")])("%s is no frame", (data) => {
  expect(parseRelayMessage(sent(data))?.kind ?? "refused").toBe("refused");
});

test("messages that become too long or too deep are refused before they are encoded", () => {
  let shared: unknown = "x";
  for (let level = 0; level < 60; level += 1) shared = [shared, shared];
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level += 1) deep = { deep };
  const sparse: unknown[] = [];
  sparse.length = 2 ** 32 - 1;
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  for (const data of [shared, deep, sparse, cycle, new Uint8Array(2 ** 24), 1n, "x".repeat(33 * 1024 * 1024)]) {
    expect(parseRelayMessage({ domain: "agm", type: "call", data })).toBeNull();
    expect(parseFdc3Message({ type: "broadcastRequest", payload: data })).toBeNull();
    expect(parseWindowMessage({ type: "WCP1Hello", meta: { connectionAttemptUuid: "1" }, data })).toBeNull();
  }
});

test("the messages of a window have plain members of the right types", () => {
  const client = (glue42core: unknown) => parseWindowMessage(sent({ glue42core }));
  const request = { type: "connectionRequest", clientId: "1", selfAssignedWindowId: undefined };
  expect(client({ ...request, bridgeInstanceId: new String("g42-1"), more: 1 })).toEqual({
    type: "connectionRequest",
    clientId: "1",
    bridgeInstanceId: "g42-1",
  });
  expect(client({ type: "platformPing" })).toEqual({ type: "platformPing" });
  for (const clientId of [7, undefined, ["1"], {}]) expect(client({ ...request, clientId })).toBeNull();
  for (const type of [["platformPing"], "toString", "__proto__", 7]) expect(client({ type })).toBeNull();
  const attempt = (connectionAttemptUuid: unknown) => ({ type: "WCP1Hello", meta: { connectionAttemptUuid } });
  expect(parseWindowMessage(attempt("a"))).toEqual({ type: "WCP1Hello", attempt: "a" });
  const wrong = [attempt(7), { type: "WCP1Hello" }, { type: "WCP1Hello", meta: null }, "WCP1Hello", null, 7, {}, []];
  for (const each of wrong) expect(parseWindowMessage(sent(each))).toBeNull();
});

test("FDC3 messages have a listed type and plain members", () => {
  const meta = { requestUuid: "1", timestamp: new Date(0) };
  const message = { type: new String("broadcastRequest"), meta, payload: { channelId: ["red"] }, more: 1 };
  expect(parseFdc3Message(sent(message))).toEqual({
    type: "broadcastRequest",
    meta: { requestUuid: "1", timestamp: "1970-01-01T00:00:00.000Z" },
    payload: { channelId: ["red"] },
  });
  const types = ["WCP5ValidateAppIdentityResponse", "broadcastEvent", "constructor", ["broadcastRequest"], "x", null];
  for (const type of types) expect(parseFdc3Message(sent({ type, meta, payload: {} }))).toBeNull();
  for (const wrong of [7, [], { requestUuid: 7 }]) {
    expect(parseFdc3Message(sent({ type: "broadcastRequest", meta: wrong }))).toBeNull();
  }
});

test("the hub and the pages accept only listed messages with members of the right types", () => {
  const app = { appId: "a", instanceId: "1", origin: "https://a.example", place: "p", outlivesPage: true };
  const toHub = [
    { kind: "attach", url: "wss://gateway.example" },
    { kind: "credentials", credentials: { method: "session" } },
    { kind: "app", app },
    { kind: "selectChannel", instanceId: "1", channelId: null },
    { kind: "answer", request: "1", message: { kind: "Opened", request: "1", instanceId: "2" } },
    { kind: "leave" },
  ];
  for (const each of toHub) expect(parseToHub(sent({ ...each, more: 1 }))).toEqual(each);
  const wrong = [
    { kind: "attach", url: { href: "x" } },
    { kind: "credentials", credentials: { method: "secret", login: "x", secret: "y" } },
    { kind: "app", app: { ...app, origin: [app.origin] } },
    { kind: "answer", request: "1", message: { kind: "Connect", request: "1" } },
    { kind: "toString" },
    { kind: ["leave"] },
  ];
  for (const each of wrong) expect(parseToHub(sent(each))).toBeNull();
  const status = { kind: "status", isConnected: true, reason: "" };
  expect(parseToPage(sent(status))).toEqual(status);
  for (const each of [{ kind: "status", isConnected: 1, reason: "" }, { kind: "open" }, null]) {
    expect(parseToPage(sent(each))).toBeNull();
  }
});

test("all messages of other pages are parsed here", () => {
  const sources = import.meta.glob<string>(
    ["../**/*.{ts,tsx}", "../../desktop-*/*.ts", "!../**/*.test.ts", "!./*.ts"],
    {
      query: "?raw",
      import: "default",
      eager: true,
    },
  );
  const doors = Object.entries(sources).flatMap(([file, source]) =>
    source
      .split("\n")
      .filter((line) => /\b(event|message)\.data\b|onmessage =|"message"/.test(line))
      .map((line) => [file, line.trim()] as const),
  );
  const readers = doors.filter(([, line]) => /\.data\b/.test(line) && !/parse\w+\((event|message)\.data\)/.test(line));
  // Frames of the gateway, which are JSON.
  expect(readers.map(([file]) => file).sort()).toEqual(["../agent/gateway-socket.ts", "../clients/transport.ts"]);
  expect(doors.length).toBeGreaterThan(5);
});
