/** FDC3 messages of an app, from the port of its page. */

import { isObject, object, optional, text } from "./members";
import { plain } from "./plain";

export interface AppMessage {
  readonly type?: string;
  readonly meta?: { readonly requestUuid?: string; readonly [name: string]: unknown };
  readonly payload?: { readonly [name: string]: unknown };
}

/** The messages that apps may send. */
const TYPES: ReadonlySet<string> = new Set([
  "WCP4ValidateAppIdentity",
  "WCP6Goodbye",
  ...[
    ...["addContextListener", "addEventListener", "addIntentListener", "broadcast", "contextListenerUnsubscribe"],
    ...["createPrivateChannel", "eventListenerUnsubscribe", "findInstances", "findIntent", "findIntentsByContext"],
    ...["getAppMetadata", "getCurrentChannel", "getCurrentContext", "getInfo", "getOrCreateChannel", "getUserChannels"],
    ...["heartbeatAcknowledgement", "intentListenerUnsubscribe", "intentResult", "joinUserChannel"],
    ...["leaveCurrentChannel", "open", "privateChannelAddEventListener", "privateChannelDisconnect"],
    ...["privateChannelUnsubscribeEventListener", "raiseIntent", "raiseIntentForContext"],
  ].map((name) => `${name}Request`),
]);

const isMeta = optional(object({ requestUuid: optional(text) }));

/** Parse a message; null if apps may not send it. The agent checks the payload. */
export function parseFdc3Message(data: unknown): AppMessage | null {
  const message = plain(data)?.value;
  if (!isObject(message)) return null;
  const { type, meta, payload } = message;
  if (typeof type !== "string" || !TYPES.has(type) || !isMeta(meta)) return null;
  return { type, ...(meta === undefined ? {} : { meta }), ...(payload === undefined ? {} : { payload }) } as AppMessage;
}
