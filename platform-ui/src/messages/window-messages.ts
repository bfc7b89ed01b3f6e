/** Messages with which pages of apps search their platform: `message` events of the window, from any page. */

import { isObject, type Members, optional, select, text, textOrNull } from "./members";
import { plain } from "./plain";

/** The request of FDC3. */
export interface Hello {
  readonly type: "WCP1Hello";
  readonly attempt: string;
}

/** The messages of the client libraries. */
export type ClientMessage =
  | { readonly type: "platformPing" | "clientUnload" }
  | {
      readonly type: "connectionRequest";
      readonly clientId: string;
      readonly selfAssignedWindowId?: string | null;
      readonly bridgeInstanceId?: string | null;
    };

export type WindowMessage = Hello | ClientMessage;

/** Any page can send these messages. */
const LONGEST = 65_536;
const CLIENT_MESSAGES: { readonly [type: string]: Members } = {
  platformPing: {},
  clientUnload: {},
  connectionRequest: {
    clientId: text,
    selfAssignedWindowId: optional(textOrNull),
    bridgeInstanceId: optional(textOrNull),
  },
};

/** Parse a message; null if it does not belong to one of the protocols. */
export function parseWindowMessage(data: unknown): WindowMessage | null {
  if (!isObject(data) || !("glue42core" in data || "type" in data)) return null;
  const message = plain(data, { longest: LONGEST })?.value;
  if (!isObject(message)) return null;
  const { glue42core, type, meta } = message;
  if (type === "WCP1Hello") {
    const attempt = isObject(meta) ? meta.connectionAttemptUuid : undefined;
    return typeof attempt === "string" ? { type, attempt } : null;
  }
  if (!isObject(glue42core) || typeof glue42core.type !== "string") return null;
  const members = Object.hasOwn(CLIENT_MESSAGES, glue42core.type) ? CLIENT_MESSAGES[glue42core.type] : undefined;
  const selected = members && select(glue42core, members);
  return selected ? ({ ...selected, type: glue42core.type } as ClientMessage) : null;
}
