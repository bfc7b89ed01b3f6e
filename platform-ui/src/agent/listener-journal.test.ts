import { expect, test } from "vitest";
import type { AppMessage } from "../messages";
import { ListenerJournal } from "./listener-journal";

const add = (requestUuid: string, type = "addContextListenerRequest"): AppMessage => ({
  type,
  meta: { requestUuid },
  payload: { contextType: "fdc3.instrument" },
});
const answer = (requestUuid: string, payload: object): AppMessage => ({
  type: "addContextListenerResponse",
  meta: { requestUuid },
  payload: { ...payload },
});
const unsubscribe = (listenerUUID: string): AppMessage => ({
  type: "contextListenerUnsubscribeRequest",
  meta: { requestUuid: "u" },
  payload: { listenerUUID },
});

test("listeners are repeated, and the app goes on using the names that it knows", () => {
  const journal = new ListenerJournal();
  for (const id of ["1", "2", "3"]) expect(journal.fromApp(add(id))).toEqual(add(id));
  expect(journal.fromAgent(answer("1", { listenerUUID: "first" }))).toBe(true);
  expect(journal.fromAgent(answer("2", { listenerUUID: "second" }))).toBe(true);
  expect(journal.fromAgent(answer("3", { error: "AccessDenied" }))).toBe(true);
  journal.fromApp(unsubscribe("second"));

  let count = 0;
  const repeated = journal.repeat(() => `again-${++count}`);
  expect(repeated).toEqual([add("again-1")]);
  expect(journal.isComplete).toBe(false);
  expect(journal.fromAgent(answer("again-1", { listenerUUID: "other" }))).toBe(false);
  expect(journal.isComplete).toBe(true);
  expect(journal.fromApp(unsubscribe("first")).payload).toEqual({ listenerUUID: "other" });
  expect(journal.repeat(() => "x")).toEqual([]);
});

test("the app hears that the private channels it watches have ended", () => {
  const journal = new ListenerJournal();
  const watch = (requestUuid: string, privateChannelId: string, listenerType: string | null): void => {
    const payload = { privateChannelId, listenerType };
    journal.fromApp({ type: "privateChannelAddEventListenerRequest", meta: { requestUuid }, payload });
    journal.fromAgent(answer(requestUuid, { listenerUUID: `listener-${requestUuid}` }));
  };
  watch("1", "a", "disconnect");
  watch("2", "b", "unsubscribe");
  watch("3", "c", null);
  watch("4", "d", "disconnect");
  journal.fromApp({ ...unsubscribe("listener-4"), type: "privateChannelUnsubscribeEventListenerRequest" });
  const events = journal.endPrivateChannels(() => "x");
  expect(events.map(({ type, payload }) => [type, payload])).toEqual([
    ["privateChannelOnDisconnectEvent", { privateChannelId: "a" }],
    ["privateChannelOnDisconnectEvent", { privateChannelId: "c" }],
  ]);
  expect(journal.endPrivateChannels(() => "x")).toEqual([]);
  expect(journal.repeat(() => "x")).toEqual([]);
});

test("messages of a hostile app neither break the journal nor fill it", () => {
  const journal = new ListenerJournal();
  for (const message of [{}, { type: "x", payload: { listenerUUID: 1 } }, { meta: {} }] as AppMessage[]) {
    expect(journal.fromApp(message)).toEqual(message);
  }
  for (let id = 0; id < 5_000; id += 1) {
    journal.fromApp(add(`${id}`));
    journal.fromAgent(answer(`${id}`, { listenerUUID: `${id}` }));
  }
  expect(journal.repeat(() => "x").length).toBe(2_000);
});
