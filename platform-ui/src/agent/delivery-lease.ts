/**
 * The lease under which the hub delivers broadcasts between the apps of this browser before the agent has seen them.
 * The agent grants it to one hub at a time, and sends the receivers for each sender, channel and type. The hub delivers
 * only while the agent has processed everything else that the hub has sent: then nothing can be overtaken, and the
 * receivers are up to date. All other broadcasts go to the agent, which decides.
 */

import type { AppMessage } from "../messages";
import type { AgentEvent, Route } from "./agent-events";

/** The agent keeps an unused lease ten seconds longer. */
const LEASE_MS = 30_000;
const MOST_UNCONFIRMED = 200;
const MOST_ROUTES = 1_000;
const LONGEST_TEXT = 16_384;
const DEEPEST = 50;
const LONGEST_NAME = 500;
const BROADCAST = "broadcastRequest";
/** Half of a character outside the basic plane: the agent replaces it. */
const HALF_CHARACTER = /\\ud[89a-f]/i;

export type LeaseEvent = Extract<AgentEvent, { kind: "lease" }>;

/** The message that reports a delivered broadcast to the agent. */
export interface Delivered {
  readonly kind: "Delivered";
  readonly connection: string;
  readonly message: string;
  readonly lease: string;
  readonly number: number;
  readonly receivers: readonly string[];
}

export interface Delivery {
  readonly receivers: readonly string[];
  readonly event: AppMessage;
  readonly report: Delivered;
}

export class DeliveryLease {
  private lease = "";
  private sent = 0;
  private sentAt = 0;
  private carriedOut = -1;
  private number = 0;
  private routing = -1;
  private until = 0;
  private readonly routes = new Map<string, Route>();
  private unconfirmed: Delivered[] = [];

  constructor(
    private readonly newId: () => string,
    private readonly now: () => number = Date.now,
  ) {}

  /** Start with a new connection to the agent; the result is what the agent may not have received yet. */
  linked(): readonly Delivered[] {
    this.interrupted();
    this.sent = 0;
    return this.unconfirmed;
  }

  /** Stop delivering: the agent is not available. */
  interrupted(): void {
    this.lease = "";
    this.routes.clear();
  }

  /** Count a message to the agent. */
  count(): void {
    this.sent += 1;
    this.sentAt = this.now();
  }

  /** Record what the agent has processed, and its receivers. */
  update(event: LeaseEvent): void {
    if (event.lease !== this.lease) {
      this.lease = event.lease;
      this.number = 0;
      this.until = 0;
      this.unconfirmed = [];
    }
    if (event.routing !== this.routing || this.routes.size > MOST_ROUTES) this.routes.clear();
    this.routing = event.routing;
    this.carriedOut = event.messages;
    this.unconfirmed = this.unconfirmed.filter(({ number }) => number > event.delivered);
    if (event.messages === this.sent && event.delivered === this.number) this.until = this.sentAt + LEASE_MS;
    for (const each of event.routes) this.routes.set(key(each.connection, each.channelId, each.contextType), each);
  }

  /** Stop delivering: another client broadcasts. */
  recalled(): void {
    this.interrupted();
  }

  /** Find the receivers of an app's message if it is a broadcast that the hub may deliver. */
  route(connection: string, message: AppMessage): Route | undefined {
    if (message.type !== BROADCAST || this.lease === "" || this.carriedOut !== this.sent) return undefined;
    const now = this.now();
    if (now >= this.until || now < this.sentAt || this.unconfirmed.length >= MOST_UNCONFIRMED) return undefined;
    const { channelId, context } = (message.payload ?? {}) as { channelId?: unknown; context?: { type?: unknown } };
    if (typeof channelId !== "string" || typeof context?.type !== "string") return undefined;
    return this.routes.get(key(connection, channelId, context.type));
  }

  /** Create the messages of a broadcast; undefined if the agent must decide whether it is valid. */
  deliver(route: Route, message: AppMessage): Delivery | undefined {
    // As JSON, which the agent would forward.
    const text = JSON.stringify(message);
    if (text.length > LONGEST_TEXT || HALF_CHARACTER.test(text)) return undefined;
    const copy = JSON.parse(text) as AppMessage;
    const context = copy.payload?.context;
    if (copy.payload?.channelId !== route.channelId || !isContext(context, route.contextType)) return undefined;
    if (!isRequest(copy) || !isFlat(copy, DEEPEST)) return undefined;
    const { connection, channelId, source, receivers } = route;
    this.number += 1;
    this.sentAt = this.now();
    const report: Delivered = {
      kind: "Delivered",
      connection,
      message: text,
      lease: this.lease,
      number: this.number,
      receivers,
    };
    this.unconfirmed.push(report);
    const meta = { timestamp: new Date().toISOString(), eventUuid: this.newId() };
    const event = { type: "broadcastEvent", payload: { channelId, context, originatingApp: source }, meta };
    return { receivers, event, report };
  }
}

function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function isRequest({ meta }: AppMessage): boolean {
  const { requestUuid, timestamp } = meta ?? {};
  if (typeof requestUuid !== "string" || typeof timestamp !== "string") return false;
  const time = new Date(timestamp);
  const isTime = !Number.isNaN(time.getTime()) && time.toISOString() === timestamp;
  return isTime && requestUuid !== "" && requestUuid.length <= LONGEST_NAME;
}

/** Whether the agent certainly accepts a context; it has already accepted the type. */
function isContext(context: unknown, expectedType: string): boolean {
  if (!isObject(context)) return false;
  const { type, name, id } = context;
  if (type !== expectedType) return false;
  return (name === undefined || typeof name === "string") && (id === undefined || isObject(id));
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isFlat(each, levels - 1));
}
