import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refresher } from "./live";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first event is followed by a refresh immediately, and many later events by one", async () => {
  const refreshed: (readonly string[])[] = [];
  const onEvent = refresher(async (keys) => void refreshed.push(keys));
  onEvent(["commands"]);
  expect(refreshed).toEqual([["commands"]]);
  for (let count = 0; count < 100; count += 1) onEvent(["commands", "audit"]);
  expect(refreshed).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(refreshed).toEqual([["commands"], ["commands", "audit"]]);
  onEvent(["apps"]);
  expect(refreshed.at(-1)).toEqual(["apps"]);
});

test("a refresh waits for the requests of the previous one, but not for ever", async () => {
  let count = 0;
  const onEvent = refresher(() => {
    count += 1;
    return new Promise(() => undefined);
  });
  onEvent(["apps"]);
  onEvent(["apps"]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(count).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(count).toBe(2);
});
