import { expect, test } from "vitest";
import type { AppWindow } from "./app-window";
import { WebConnections } from "./wcp";

const app = { appId: "chart", instanceId: "1", origin: "https://apps.example.com", place: "1" } as AppWindow;
const hello = (attempt: string) => ({ type: "WCP1Hello", attempt }) as const;

/** A window that records posted messages, with the origin that may read them. */
function receiver() {
  const posted: { origin: string; type: string; ports: number }[] = [];
  const postMessage = (message: { type: string }, origin: string, ports: unknown[]) =>
    posted.push({ origin, type: message.type, ports: ports.length });
  return { posted, source: { postMessage } as unknown as Window };
}

test("answers can be read by pages of the app's origin only", () => {
  const ports: MessagePort[] = [];
  const connections = new WebConnections((_, port) => ports.push(port));
  const { posted, source } = receiver();
  connections.receive({ app, source, data: hello("a") });
  expect(posted).toEqual([{ origin: "https://apps.example.com", type: "WCP3Handshake", ports: 1 }]);
  expect(ports).toHaveLength(1);
});

test("a page that asks the same window twice gets one connection, and another attempt gets its own", () => {
  const connections = new WebConnections(() => undefined);
  const { posted, source } = receiver();
  for (const attempt of ["a", "a", "b"]) connections.receive({ app, source, data: hello(attempt) });
  expect(posted).toHaveLength(2);
});
