/**
 * Records the listeners of an app, so that they can be restored on a restarted agent. The agent assigns an id to each
 * listener; the app only has the first id, so later ids are translated.
 */

import type { AppMessage } from "../messages";

const ADDS = new Set([
  "addContextListenerRequest",
  "addIntentListenerRequest",
  "addEventListenerRequest",
  // Listeners of an app channel need the channel.
  "getOrCreateChannelRequest",
]);
const ADDS_PRIVATE = "privateChannelAddEventListenerRequest";
/** The events that an app receives when another instance leaves a private channel. */
const DISCONNECT = "privateChannelOnDisconnectEvent";
const MOST = 2_000;

export class ListenerJournal {
  /** Pending requests, by their id. */
  private readonly asked = new Map<string, AppMessage>();
  /** Listeners that the agent has accepted, by the id that the app has. */
  private readonly accepted = new Map<string, AppMessage>();
  private readonly names = new Map<string, string>();
  private readonly repeated = new Map<string, string>();
  /** The private channels whose end the app listens to, by the id of the listener. */
  private readonly watched = new Map<string, string>();

  /** Record a message of the app; the result is the message for the agent. */
  fromApp(message: AppMessage): AppMessage {
    const { type = "", meta, payload } = message;
    const isNoted = ADDS.has(type) || (type === ADDS_PRIVATE && hearsDisconnect(payload?.listenerType));
    if (isNoted && meta?.requestUuid && this.asked.size < MOST) this.asked.set(meta.requestUuid, message);
    const listener = payload?.listenerUUID;
    if (typeof listener !== "string" || !type.includes("Unsubscribe")) return message;
    const name = this.names.get(listener);
    this.accepted.delete(listener);
    this.watched.delete(listener);
    this.names.delete(listener);
    return name === undefined ? message : { ...message, payload: { ...payload, listenerUUID: name } };
  }

  /** Record a message of the agent; false if it responds to a repeated request, so that the app must not get it. */
  fromAgent(message: AppMessage): boolean {
    const request = message.meta?.requestUuid ?? "";
    const listener = message.payload?.listenerUUID;
    const repeats = this.repeated.get(request);
    if (repeats !== undefined) {
      this.repeated.delete(request);
      if (typeof listener === "string") this.names.set(repeats, listener);
      return false;
    }
    const asked = this.asked.get(request);
    if (asked !== undefined) {
      this.asked.delete(request);
      const isAccepted = message.payload?.error === undefined && this.accepted.size + this.watched.size < MOST;
      const name = typeof listener === "string" ? listener : request;
      if (isAccepted && asked.type === ADDS_PRIVATE) this.watched.set(name, String(asked.payload?.privateChannelId));
      else if (isAccepted) this.accepted.set(name, asked);
    }
    return true;
  }

  /** Create the requests that restore the listeners of the app on a new agent, in their order. */
  repeat(newId: () => string): AppMessage[] {
    this.names.clear();
    this.repeated.clear();
    return [...this.accepted].map(([name, request]) => {
      const requestUuid = newId();
      this.repeated.set(requestUuid, name);
      return { ...request, meta: { ...request.meta, requestUuid } };
    });
  }

  /** Create the events that report the end of private channels to the app: a new agent does not have them. */
  endPrivateChannels(newId: () => string): AppMessage[] {
    const channels = new Set(this.watched.values());
    this.watched.clear();
    return [...channels].map((privateChannelId) => ({
      type: DISCONNECT,
      meta: { eventUuid: newId(), timestamp: new Date().toISOString() },
      payload: { privateChannelId },
    }));
  }

  /** Whether the new agent has responded to all repeated requests. */
  get isComplete(): boolean {
    return this.repeated.size === 0;
  }
}

/** Whether a listener of a private channel receives its end: those without a type receive all events. */
function hearsDisconnect(listenerType: unknown): boolean {
  return listenerType === null || listenerType === undefined || listenerType === "disconnect";
}
