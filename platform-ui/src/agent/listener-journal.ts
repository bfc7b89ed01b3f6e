/**
 * Remembers the listeners of an app, so that an agent that was started again can be given them. The agent names each
 * listener; the app knows the first name only, so later names are translated.
 */

const ADDS = new Set([
  "addContextListenerRequest",
  "addIntentListenerRequest",
  "addEventListenerRequest",
  // Listeners of an app channel need the channel.
  "getOrCreateChannelRequest",
]);
const ADDS_PRIVATE = "privateChannelAddEventListenerRequest";
/** What an app hears of when the other side leaves a private channel. */
const DISCONNECT = "privateChannelOnDisconnectEvent";
const MOST = 2_000;

export interface AppMessage {
  readonly type?: string;
  readonly meta?: { readonly requestUuid?: string; readonly [name: string]: unknown };
  readonly payload?: { readonly [name: string]: unknown };
}

export class ListenerJournal {
  /** Requests without an answer yet, by their id. */
  private readonly asked = new Map<string, AppMessage>();
  /** What the agent has accepted, by the name of the listener that the app knows. */
  private readonly accepted = new Map<string, AppMessage>();
  private readonly names = new Map<string, string>();
  private readonly repeated = new Map<string, string>();
  /** The private channels whose end the app wants to know, by the name of the listener. */
  private readonly watched = new Map<string, string>();

  /** Note a message of the app; the result is the message for the agent. */
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

  /** Note a message of the agent; false if it answers a repeated request, so that the app must not get it. */
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

  /** Make the requests that give a new agent the listeners of the app, in their order. */
  repeat(newId: () => string): AppMessage[] {
    this.names.clear();
    this.repeated.clear();
    return [...this.accepted].map(([name, request]) => {
      const requestUuid = newId();
      this.repeated.set(requestUuid, name);
      return { ...request, meta: { ...request.meta, requestUuid } };
    });
  }

  /** Make the events by which the app hears that its private channels have ended: a new agent does not know them. */
  endPrivateChannels(newId: () => string): AppMessage[] {
    const channels = new Set(this.watched.values());
    this.watched.clear();
    return [...channels].map((privateChannelId) => ({
      type: DISCONNECT,
      meta: { eventUuid: newId(), timestamp: new Date().toISOString() },
      payload: { privateChannelId },
    }));
  }

  /** Whether the new agent has answered all repeated requests. */
  get isComplete(): boolean {
    return this.repeated.size === 0;
  }
}

/** Whether a listener of a private channel hears its end: those without a type hear everything. */
function hearsDisconnect(listenerType: unknown): boolean {
  return listenerType === null || listenerType === undefined || listenerType === "disconnect";
}
