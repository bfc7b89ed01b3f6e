import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentEvent } from "./agent-events";
import { Hub } from "./hub";
import type { ToHub } from "./hub-messages";

interface Sent {
  readonly kind: string;
  readonly connection: string;
  readonly message: string;
  readonly number?: number;
}

/** The WebSocket of the hub, with a gateway and an agent that only record what they receive. */
class Gateway {
  static readonly OPEN = 1;
  static readonly all: Gateway[] = [];
  readonly readyState = Gateway.OPEN;
  readonly sent: Sent[] = [];
  onopen: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  onclose: (event: { reason: string }) => void = () => undefined;

  constructor() {
    Gateway.all.push(this);
    queueMicrotask(() => this.onopen());
  }

  send(text: string): void {
    const frame = JSON.parse(text);
    if (frame.type === "hello") this.answer({ type: "welcome", peer_id: "p" });
    else if (frame.type === "join") {
      const methods = ["Rostrum.FDC3.Connect", "Rostrum.FDC3.Send"].map((name) => ({ id: name, name }));
      this.answer({ type: "methods-added", server_id: "s", methods });
    } else if (frame.type === "subscribe") {
      this.event({ kind: "linked", link: "l", channels: [], instances: [] });
    } else this.sent.push(...frame.arguments_kv.messages);
  }

  event(data: AgentEvent): void {
    this.answer({ type: "event", data });
  }

  cut(): void {
    this.onclose({ reason: "" });
  }

  close(): void {}

  /** The messages about broadcasts and other requests, in order. */
  get log(): string[] {
    return this.sent.map((each) => {
      const { payload } = "message" in each ? JSON.parse(each.message) : { payload: undefined };
      return `${each.kind} ${payload?.context?.text ?? ""}`.trim();
    });
  }

  private answer(frame: object): void {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

const context = (text: string) => ({ type: "fdc3.test", text });
const broadcast = (text: string) => ({
  type: "broadcastRequest",
  payload: { channelId: "red", context: context(text) },
  meta: { requestUuid: text, timestamp: "2026-11-17T05:00:00.000Z" },
});

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const until = (check: () => void) => vi.waitFor(check, 20_000);

let hub: Hub;
let page: MessagePort;
/** The other end of the port of the page. */
let atHub: MessagePort;
let apps: { readonly port: MessagePort; readonly got: string[]; id: string }[];
const tell = (message: ToHub, ...ports: MessagePort[]) => page.postMessage(message, ports);
const leave = new MessageEvent("message", { data: { kind: "leave" } });
const gateway = () => Gateway.all.at(-1) as Gateway;

/** Start an app, and return when the agent would have accepted it. */
async function start(appId: string): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const app = { port: port1, got: [] as string[], id: "" };
  port1.onmessage = ({ data }) => data.type === "broadcastEvent" && app.got.push(data.payload.context.text);
  const window = { appId, instanceId: appId, origin: "https://apps.example", place: appId, outlivesPage: true };
  tell({ kind: "app", app: window }, port2);
  await until(() => expect(gateway().sent).toHaveLength(apps.length + 1));
  app.id = gateway().sent.at(-1)?.connection ?? "";
  apps.push(app);
  accept(app.id, appId);
}

function accept(connection: string, appId: string): void {
  const payload = { type: "WCP5ValidateAppIdentityResponse", payload: { instanceId: appId, instanceUuid: "secret" } };
  gateway().event({ kind: "message", connection, payload });
}

function grant(delivered = 0): void {
  const [sender, receiver] = apps.map(({ id }) => id);
  const source = { appId: "chart", instanceId: "chart" };
  const route = { connection: sender ?? "", channelId: "red", contextType: "fdc3.test", source };
  const messages = gateway().sent.filter(({ kind }) => kind !== "Delivered").length;
  const routes = [{ ...route, receivers: [receiver ?? ""] }];
  gateway().event({ kind: "lease", lease: "L", messages, delivered, routing: 1, routes });
}

/** Run a function in the task in which the hub delivers the next broadcast, directly after it. */
function afterDelivery(work: () => void): void {
  const deliver = Hub.prototype.broadcast;
  vi.spyOn(Hub.prototype, "broadcast").mockImplementationOnce(function (this: Hub, ...args) {
    const isDelivered = deliver.apply(this, args);
    expect(isDelivered).toBe(true);
    expect(gateway().log).not.toContain("Delivered 1");
    work();
    return isDelivered;
  });
}

beforeEach(async () => {
  Gateway.all.length = 0;
  vi.stubGlobal("WebSocket", Gateway);
  hub = new Hub();
  const { port1, port2 } = new MessageChannel();
  page = port1;
  atHub = port2;
  page.onmessage = ({ data }) => {
    if (data.kind === "credentials") tell({ kind: "credentials", credentials: { method: "session" } });
  };
  hub.attach(port2);
  tell({ kind: "attach", url: "ws://gateway.example", user: undefined });
  await until(() => expect(Gateway.all).toHaveLength(1));
  apps = [];
  for (const appId of ["chart", "news"]) await start(appId);
  grant();
});

afterEach(() => {
  hub.stop();
  for (const port of [page, ...apps.map((app) => app.port)]) port.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a broadcast reaches the receivers first, and then the agent", async () => {
  const delivered = vi.fn();
  afterDelivery(delivered);
  apps[0]?.port.postMessage(broadcast("1"));
  await until(() => expect(gateway().log.at(-1)).toBe("Delivered 1"));
  expect(delivered).toHaveBeenCalledOnce();
  await until(() => expect(apps[1]?.got).toEqual(["1"]));
});

test("an event for several apps reaches each of them, and unknown ones are ignored", async () => {
  const payload = { type: "broadcastEvent", payload: { context: context("1") } };
  gateway().event({ kind: "message", connections: [...apps.map(({ id }) => id), "unknown"], payload });
  await until(() => expect(apps.map(({ got }) => got)).toEqual([["1"], ["1"]]));
});

test("the agent gets broadcasts before every other message that comes after them", async () => {
  afterDelivery(() => tell({ kind: "selectChannel", instanceId: "news", channelId: "red" }));
  apps[0]?.port.postMessage(broadcast("1"));
  apps[0]?.port.postMessage({ type: "getCurrentContextRequest", payload: {}, meta: { requestUuid: "2" } });
  await until(() => expect(gateway().log).toContain("SelectChannel"));
  expect(gateway().log.slice(2)).toEqual(["Delivered 1", "AppMessage", "SelectChannel"]);
});

test.each([
  ["the lease is returned", () => gateway().event({ kind: "recall", lease: "L" }), ["Delivered 1", "LeaseReturned"]],
  ["the page of the hub ends", () => hub.flush(), ["Delivered 1"]],
  ["a page of the worker has left", () => atHub.onmessage?.(leave), ["Delivered 1"]],
  ["the hub is stopped", () => hub.stop(), ["Delivered 1"]],
])("broadcasts are reported before %s", async (_, work, expected) => {
  const seen: string[] = [];
  afterDelivery(() => {
    work();
    seen.push(...gateway().log.slice(2));
  });
  apps[0]?.port.postMessage(broadcast("1"));
  await until(() => expect(seen).toEqual(expected));
});

test("broadcasts that were not reported when the connection ended are reported once on the next one", async () => {
  afterDelivery(() => gateway().cut());
  apps[0]?.port.postMessage(broadcast("1"));
  await until(() => expect(Gateway.all).toHaveLength(2));
  await until(() => expect(gateway().log).toContain("Delivered 1"));
  expect(gateway().log).toEqual(["Connect", "Connect", "Delivered 1"]);
  expect(Gateway.all[0]?.log).not.toContain("Delivered 1");
});

test("many broadcasts at once are reported in order, and some of them before the last is delivered", async () => {
  const texts = Array.from({ length: 50 }, (_, index) => String(index));
  for (const text of texts) apps[0]?.port.postMessage(broadcast(text));
  await until(() => expect(gateway().sent).toHaveLength(52));
  expect(gateway().log.slice(2)).toEqual(texts.map((text) => `Delivered ${text}`));
  await until(() => expect(apps[1]?.got).toEqual(texts));
});
