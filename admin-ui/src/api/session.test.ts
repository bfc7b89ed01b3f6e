import { expect, test, vi } from "vitest";
import { queryText } from "./client";
import { basicHeader, Session } from "./session";

test("credentials are UTF-8 in Base64", () => {
  expect(basicHeader("ada", "secret")).toBe("Basic YWRhOnNlY3JldA==");
  const bytes = Uint8Array.from(atob(basicHeader("jürgen", "pässwörd 🗝").slice(6)), (letter) => letter.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe("jürgen:pässwörd 🗝");
});

test("a query leaves out what is not set, and keeps false and zero", () => {
  expect(queryText({ q: "", limit: 50, offset: 0, active: false, sort: undefined, x: null })).toBe(
    "?limit=50&offset=0&active=false",
  );
  expect(queryText({ name: "a&b=c/ä" })).toBe("?name=a%26b%3Dc%2F%C3%A4");
  expect(queryText()).toBe("");
});

test("a late refusal of what was asked before the log-in does not end the new session", async () => {
  const me = { id: "ada", email: null, groups: [], apps: [], permissions: [] };
  const refused = () => new Response('{"error": {"message": "log in"}}', { status: 401 });
  let answerLate: (answer: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => {
    answerLate = resolve;
  });
  vi.stubGlobal("fetch", (address: string) =>
    address.endsWith("/me") ? Promise.resolve(new Response(JSON.stringify(me))) : late,
  );
  try {
    const session = new Session("http://manager.example.com/api", true);
    const before = session.client.call("listApps", {}).catch((error: unknown) => error);
    await session.logIn("ada", "secret");
    answerLate(refused());
    await before;
    expect(session.current().phase).toBe("in");

    vi.stubGlobal("fetch", () => Promise.resolve(refused()));
    await session.client.call("listApps", {}).catch(() => undefined);
    expect(session.current().phase).toBe("expired");
  } finally {
    vi.unstubAllGlobals();
  }
});

test("after a change of the password, requests go on with the new one where there are no cookies", async () => {
  const me = { id: "ada", email: null, groups: [], apps: [], permissions: [] };
  const sent: { address: string; authorization: string | undefined; body: string }[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    const { Authorization: authorization } = init.headers as { Authorization?: string };
    sent.push({ address, authorization, body: String(init.body) });
    return Promise.resolve(address.endsWith("/password") ? new Response(null, { status: 204 }) : Response.json(me));
  });
  try {
    const session = new Session("http://manager.example.com/api", false);
    await session.logIn("ada", "old");
    await session.changePassword("old", "new");
    await session.check();
    expect(sent.map((each) => each.authorization)).toEqual([
      basicHeader("ada", "old"),
      basicHeader("ada", "old"),
      basicHeader("ada", "new"),
    ]);
    expect(JSON.parse(sent[1]?.body ?? "")).toEqual({ current: "old", new: "new" });
    expect(session.current().phase).toBe("in");
  } finally {
    vi.unstubAllGlobals();
  }
});
