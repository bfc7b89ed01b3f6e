import { afterEach, expect, test, vi } from "vitest";
import { queryText } from "./client";
import { eventsIn } from "./events";
import { basicHeader, Session, whyNoCookie } from "./session";

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

const me = { id: "ada", email: null, groups: [], apps: [], permissions: [] };
const refused = () => new Response('{"error": {"message": "sign in"}}', { status: 401 });

interface Sent {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly credentials: RequestCredentials | undefined;
  readonly mark: string | undefined;
  readonly body: string;
}

/** A manager with or without session cookies, and a browser that stores them or not; records the requests. */
function manager({
  hasCookies = true,
  keepsCookies = true,
  renewable,
}: Partial<Record<"hasCookies" | "keepsCookies" | "renewable", boolean>> = {}): Sent[] {
  const sent: Sent[] = [];
  let cookie = false;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    const { Authorization: authorization, "X-Requested-With": mark } = init.headers as Record<string, string>;
    const { pathname, search } = new URL(address);
    const path = pathname.replace("/api", "") + search;
    sent.push({ path, authorization, credentials: init.credentials, mark, body: String(init.body) });
    if (path === "/signin/options") return Promise.resolve(Response.json({ sessionCookie: hasCookies }));
    if (path === "/me/password") return Promise.resolve(new Response(null, { status: 204 }));
    if (path.startsWith("/signin")) {
      if (!authorization) return Promise.resolve(refused());
      cookie = hasCookies && keepsCookies && init.credentials === "include";
      const token = path.includes("token=true")
        ? { token: `t${sent.length}`, expiresIn: 60, renewable: renewable ?? !hasCookies }
        : {};
      return Promise.resolve(Response.json({ user: me, ...token }));
    }
    const isIn = (cookie && init.credentials === "include") || authorization?.startsWith("Bearer ");
    return Promise.resolve(isIn ? Response.json(me) : refused());
  });
  return sent;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const API = "http://manager.example.com/api";

test("with cookies, the password is sent once and no token is asked for", async () => {
  const sent = manager();
  const session = new Session(API, undefined);
  await session.begin();
  expect(session.current().phase).toBe("out");
  await session.logIn("ada", "secret");
  await session.check();

  expect(session.current().phase).toBe("in");
  expect(session.cookieProblem()).toBe(null);
  expect(sent.map(({ path }) => path)).toEqual(["/signin/options", "/me", "/signin", "/me", "/me"]);
  expect(sent.map(({ authorization }) => authorization).filter(Boolean)).toEqual([basicHeader("ada", "secret")]);
  expect(new Set(sent.map(({ mark }) => mark))).toEqual(new Set(["rostrum-admin-ui"]));
  expect(sent[0]?.credentials).toBe("omit");
});

test("where the browser keeps no cookie, the page states the reason and uses a token", async () => {
  const sent = manager({ keepsCookies: false });
  vi.stubGlobal("window", { location: { href: "https://desk.example.net/" } });
  const session = new Session("https://manager.example.com/api", true);
  await session.begin();
  await session.logIn("ada", "secret");
  await session.check();

  expect(session.current().phase).toBe("in");
  expect(session.cookieProblem()).toContain("blocks cookies of other sites");
  const last = sent.at(-1);
  expect([last?.authorization, last?.credentials]).toEqual([expect.stringMatching(/^Bearer t\d+$/), "omit"]);
  // The result is remembered.
  sent.length = 0;
  await session.logIn("ada", "secret");
  expect(sent.map(({ path }) => path)).toEqual(["/signin?token=true"]);
});

test("a server without cookies and a component with its default setting agree on a token", async () => {
  vi.useFakeTimers();
  const sent = manager({ hasCookies: false });
  const session = new Session(API, undefined);
  await session.begin();
  await session.logIn("ada", "secret");
  expect(session.cookieProblem()).toBe(null);
  expect(sent.map(({ credentials }) => credentials)).toEqual(["omit", "omit"]);

  // The session has no fixed end: the token is renewed while the page is open.
  await vi.advanceTimersByTimeAsync(60_000);
  const renewals = sent.slice(2);
  expect(renewals.map(({ path }) => path)).toEqual(["/signin?token=true", "/signin?token=true"]);
  expect(renewals.map(({ authorization }) => authorization)).toEqual(["Bearer t2", "Bearer t3"]);
  await session.logOut();
  sent.length = 0;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent).toEqual([]);
});

test("the reason depends on the page and the address of the manager", () => {
  const page = "https://desk.example.net/tools";
  expect(whyNoCookie("https://manager.example.com/api", page)).toContain("third-party cookies");
  expect(whyNoCookie("http://manager.example.com/api", page)).toContain("only over HTTPS");
  expect(whyNoCookie("/api", page)).toMatch(/^This browser blocks cookies\./);
});

test("a late refusal of what was asked before the sign-in does not end the new session", async () => {
  let answerLate: (answer: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => {
    answerLate = resolve;
  });
  manager();
  const answer = fetch;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) =>
    address.endsWith("/admin/apps") ? late : answer(address, init),
  );
  const session = new Session(API, true);
  const before = session.client.call("listApps", {}).catch((error: unknown) => error);
  await session.logIn("ada", "secret");
  answerLate(refused());
  await before;
  expect(session.current().phase).toBe("in");

  vi.stubGlobal("fetch", () => Promise.resolve(refused()));
  await session.client.call("listApps", {}).catch(() => undefined);
  expect(session.current().phase).toBe("expired");
});

test("after a change of the password, requests go on with a new token where there are no cookies", async () => {
  const sent = manager({ renewable: false });
  const session = new Session(API, false);
  await session.logIn("ada", "old");
  await session.changePassword("old", "new");
  await session.check();
  expect(sent.map(({ authorization }) => authorization)).toEqual([
    basicHeader("ada", "old"),
    "Bearer t1",
    basicHeader("ada", "new"),
    "Bearer t3",
  ]);
  expect(JSON.parse(sent[1]?.body ?? "")).toEqual({
    current: "old",
    new: "new",
    revokeApiTokens: false,
    stopPlannedWork: false,
  });
  expect(session.current().phase).toBe("in");
});

test("events are read from a stream whose pieces end anywhere", async () => {
  const text = 'retry: 250\n\n:\n\nevent: apps\nid: 7\ndata: {"revision":7}\n\ndata: a\r\ndata: b\r\n\r\nevent: cut';
  for (const size of [1, 3, 7, text.length]) {
    async function* pieces() {
      for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
    }
    const found = [];
    for await (const event of eventsIn(pieces())) found.push(event);
    expect(found).toEqual([
      { type: "message", data: "", retry: 250 },
      { type: "apps", data: '{"revision":7}', id: "7" },
      { type: "message", data: "a\nb" },
    ]);
  }
});
