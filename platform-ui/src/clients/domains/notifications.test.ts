import { expect, test } from "vitest";
import type { OpenWindow } from "../app-windows";
import type { Platform } from "../domain";
import type { AppNotification } from "../host";
import { NotificationsDomain } from "./notifications";

test("what the page shows of a notification is text, whatever the app sends", () => {
  let shown: readonly AppNotification[] = [];
  const host = {
    notify: () => undefined,
    notificationsChanged: (all: readonly AppNotification[]) => {
      shown = all;
    },
  };
  const domain = new NotificationsDomain({
    host,
    publish: () => undefined,
    post: () => undefined,
  } as never as Platform);
  const caller = { app: { appId: "chart" } } as OpenWindow;
  const raise = (id: string, settings: object) => domain.operations.raiseNotification?.({ id, settings }, caller);
  raise("1", { title: ["a"], body: { a: 1 }, state: { a: 1 } });
  raise("2", { title: "Fill", body: "10 lots", state: "Seen" });
  const [second, first] = shown;
  expect(first).toMatchObject({ id: "1", title: "", state: "Active" });
  expect(first).not.toHaveProperty("body");
  expect(second).toMatchObject({ id: "2", title: "Fill", body: "10 lots", state: "Seen" });
});
