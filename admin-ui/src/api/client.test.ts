import { afterEach, expect, test, vi } from "vitest";
import { Client } from "./client";
import { Confirmation } from "./confirmation";

const connection = {
  apiURL: "/api",
  sendsCookie: () => true,
  authorization: () => null,
  confirmation: () => null,
  confirm: async () => false,
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

test("a refused request asks the user once, and is repeated with the proof", async () => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal("fetch", async (_address: string, init: { headers: Record<string, string> }) => {
    sent.push(init.headers.Confirmation);
    const error = { code: 403, message: "no", reason: "confirmation_required" };
    return init.headers.Confirmation
      ? new Response(null, { status: 204 })
      : new Response(JSON.stringify({ error }), { status: 403 });
  });
  const confirmation = new Confirmation();
  let questions = 0;
  const remove = confirmation.askWith(async () => {
    questions += 1;
    confirmation.accept("proof", 300);
    return true;
  });
  const client = new Client({ ...connection, confirmation: confirmation.current, confirm: confirmation.request });
  const one = () => client.call("deleteApp", { path: { app_name: "one" } });

  await Promise.all([one(), one()]);
  await one();
  expect(sent).toEqual([undefined, undefined, "proof", "proof", "proof"]);
  expect(questions).toBe(1);

  confirmation.forget();
  remove();
  await expect(one()).rejects.toThrow("not confirmed");
});
