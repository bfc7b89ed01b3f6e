/** Messages between pages of the platform and the hub, which other pages of this origin can also reach. */

import type { ToHub, ToPage } from "../agent/hub-messages";
import {
  anything,
  flag,
  isObject,
  list,
  type Members,
  object,
  oneOf,
  optional,
  select,
  text,
  textOrNull,
} from "./members";
import { plain } from "./plain";

type Kinds = { readonly [kind: string]: Members };

const app = object({ appId: text, instanceId: text, origin: text, place: text, outlivesPage: flag });
const ANSWERS = ["Opened", "OpenFailed", "Chosen", "ChoiceCancelled", "ChoiceUnavailable"];

const TO_HUB: Kinds = {
  attach: { url: text, user: optional(text) },
  credentials: {
    credentials: object({ method: oneOf("session", "access-token", "gateway-token"), token: optional(text) }),
  },
  noCredentials: { reason: text },
  app: { app },
  gone: { place: text },
  selectChannel: { instanceId: text, channelId: textOrNull },
  answer: { request: text, message: object({ kind: oneOf(...ANSWERS), request: text }) },
  leave: {},
};

const onChannel = { instanceId: text, channelId: textOrNull };
const TO_PAGE: Kinds = {
  credentials: {},
  status: { isConnected: flag, reason: text },
  channels: { channels: list },
  started: onChannel,
  ended: { instanceId: text },
  channelChanged: onChannel,
  refused: { app, reason: text },
  withdrawn: { request: text },
  open: { request: text, appId: text, instanceId: text, source: text },
  choose: { request: text, source: text, appIntents: list, context: anything },
};

/** Parse a message of a page; null if it is invalid. */
export function parseToHub(data: unknown): ToHub | null {
  return parse<ToHub>(data, TO_HUB);
}

/** Parse a message of the hub; null if it is invalid. */
export function parseToPage(data: unknown): ToPage | null {
  return parse<ToPage>(data, TO_PAGE);
}

function parse<Message>(data: unknown, kinds: Kinds): Message | null {
  const message = plain(data)?.value;
  if (!isObject(message) || typeof message.kind !== "string" || !Object.hasOwn(kinds, message.kind)) return null;
  const selected = select(message, kinds[message.kind] ?? {});
  return selected && ({ ...selected, kind: message.kind } as Message);
}
