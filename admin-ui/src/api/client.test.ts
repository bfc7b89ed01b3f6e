import { afterEach, expect, test, vi } from "vitest";
import { Client } from "./client";

const connection = {
  apiURL: "/api",
  sendsCookie: () => true,
  authorization: () => null,
  logIn: () => 1,
  heard: () => undefined,
};

afterEach(() => vi.unstubAllGlobals());

test("a reason belongs to its own call, and not to others at the same time", async () => {
  const sent: Record<string, string>[] = [];
  vi.stubGlobal("fetch", async (_address: string, init: { headers: Record<string, string> }) => {
    sent.push(init.headers);
    return new Response(null, { status: 204 });
  });
  const client = new Client(connection);
  const reason = { comment: "No longer used", ticket: "OPS-7" };

  await Promise.all([
    client.call("deleteApp", { path: { app_name: "one" }, reason }),
    client.call("deleteApp", { path: { app_name: "two" } }),
  ]);

  expect(sent.map((headers) => headers["Change-Comment"])).toEqual(["No%20longer%20used", undefined]);
  expect(sent.map((headers) => headers["Change-Ticket"])).toEqual(["OPS-7", undefined]);
});
