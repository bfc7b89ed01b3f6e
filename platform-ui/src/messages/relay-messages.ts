/** Messages of an app's client library for the gateway, from the port of its page. */

import { encode } from "../clients/transport";
import { isObject, type Json } from "./members";
import { plain } from "./plain";

/** A frame for the gateway, without the ID of the peer. */
export interface RelayedFrame extends Json {
  readonly type: string;
  readonly domain?: string;
}

/** The members of a request that its answer repeats. */
export interface Asked {
  readonly domain?: string;
  readonly request_id?: string | number;
  readonly peer_id?: string;
}

export type RelayMessage =
  | { readonly kind: "left" }
  | { readonly kind: "hello"; readonly asked: Asked }
  | { readonly kind: "frame"; readonly asked: Asked; readonly frame: RelayedFrame; readonly length: number }
  /** Apps must not send it. */
  | { readonly kind: "refused"; readonly asked: Asked };

const CONTEXTS = ["create-context", "subscribe-context", "unsubscribe-context", "update-context", "destroy-context"];

/** The frames that apps may send, by domain; none of them contains a token. The gateway has the same list. */
export const RELAYED: { readonly [domain: string]: readonly string[] } = {
  global: ["join", "leave", "ping", ...CONTEXTS],
  agm: [
    ...["register", "unregister", "call", "yield", "error", "subscribe", "unsubscribe"],
    ...["accepted", "publish", "post", "drop-subscription"],
  ],
  bus: ["subscribe", "unsubscribe", "publish"],
  context: CONTEXTS,
  metrics: ["define", "publish"],
};

/** Parse a message; null if it is invalid. */
export function parseRelayMessage(data: unknown): RelayMessage | null {
  const parsed = plain(data, { encode });
  if (parsed === null || !isObject(parsed.value)) return null;
  const { glue42core, peer_id, ...frame } = parsed.value;
  if (glue42core !== undefined) {
    const type = isObject(glue42core) ? glue42core.type : undefined;
    return type === "clientUnload" || type === "gatewayDisconnect" ? { kind: "left" } : null;
  }
  const { type, domain, request_id } = frame;
  const asked: Asked = {
    ...(typeof domain === "string" ? { domain } : {}),
    ...(typeof request_id === "string" || typeof request_id === "number" ? { request_id } : {}),
    ...(typeof peer_id === "string" ? { peer_id } : {}),
  };
  const isAddressed = domain === asked.domain && request_id === asked.request_id;
  if (type === "hello" && (domain === undefined || domain === "global")) return { kind: "hello", asked };
  if (!isAddressed || !isAllowed(frame)) return { kind: "refused", asked };
  return { kind: "frame", asked, frame: frame as RelayedFrame, length: parsed.length };
}

function isAllowed({ type, domain = "global", destination }: Json): boolean {
  if (typeof domain !== "string" || typeof type !== "string" || !Object.hasOwn(RELAYED, domain)) return false;
  if (!RELAYED[domain]?.includes(type)) return false;
  return domain !== "global" || !["join", "leave"].includes(type) || isDomain(destination);
}

function isDomain(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(RELAYED, name);
}
