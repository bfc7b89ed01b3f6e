import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "../../../admin-ui/src/api/client";
import { ClientSession } from "./client-session";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { userAgent: "Chrome/1 Linux" });
  vi.stubGlobal("window", { screen: { width: 1280, height: 800 }, devicePixelRatio: 1 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a change that is applied while a receipt is sent is reported soon after it", async () => {
  const sent: unknown[] = [];
  let finish: () => void = () => undefined;
  const call = (operation: string, { body }: { body: { applied?: object } }) => {
    if (operation === "openSession") return Promise.resolve({ data: { id: "one" } });
    sent.push(body.applied);
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const session = new ClientSession({ call } as unknown as Client, "1.0", () => undefined);
  await session.open();

  session.applied("apps", 1);
  await vi.advanceTimersByTimeAsync(2_000);
  session.applied("apps", 2);
  finish();
  await vi.advanceTimersByTimeAsync(2_000);

  expect(sent).toEqual([{ apps: 1 }, { apps: 2 }]);
});
