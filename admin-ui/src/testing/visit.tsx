/** Opens pages of the admin UI in tests, with a manager that responds as the test states. */

import { createRoot } from "react-dom/client";
import { expect, onTestFinished, vi } from "vitest";
import { AdminUI } from "../admin-ui";
import type { Me } from "../api/generated/client";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON document that was sent. */
  readonly body: unknown;
}

/** A document, which is sent with status 200, or a function that creates the response. */
export type Answer = object | ((request: Request) => object);

const RIGHTS = ["APPS", "AUDITS", "COMMANDS", "CRASHES", "FEEDBACKS", "GROUPS", "LAYOUTS", "MACHINES", "PREFERENCES"];
const READ_AND_WRITE = [...RIGHTS, "SESSIONS", "SYSTEM_CONFIGS", "USERS"].flatMap((name) =>
  ["READ", "WRITE"].map((right) => `PLATFORM_MANAGER:${name}:${right}`),
);

export const ADMIN: Me = {
  id: "admin",
  email: null,
  groups: ["PLATFORM_SERVER_ADMIN"],
  apps: [],
  permissions: READ_AND_WRITE,
};

/** Rows of a list, of which the manager returns the requested part. */
export function rows(items: readonly object[]): Answer {
  return ({ query }) => {
    const offset = Number(query.offset ?? 0);
    return { items: items.slice(offset, offset + Number(query.limit ?? 100)), total: items.length, more: 0 };
  };
}

/** A refusal of the manager, with problems at members of the document. */
export function refusal(status: number, message: string, details: readonly object[] = []): Response {
  return Response.json({ error: { message, details } }, { status });
}

/**
 * Opens a page, until the test ends. Answers belong to a method and a path, such as `GET /admin/users`; without one, the
 * response has status 404. Returns all requests, to which later ones are added.
 */
export function visit(address: string, answers: Readonly<Record<string, Answer>>, me: Me = ADMIN): Request[] {
  const requests: Request[] = [];
  const given: Record<string, Answer> = {
    "GET /signin/options": { sessionCookie: true },
    "GET /me": me,
    "GET /admin/change-rules": { commentRequired: [], approvalKinds: [], ticketUrl: "" },
    // The stream of events stays open.
    "GET /events": () => new Response(new ReadableStream(), { headers: { "Content-Type": "text/event-stream" } }),
    ...answers,
  };
  vi.stubGlobal("fetch", (target: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(target, window.location.href);
    const request = {
      method: init.method ?? "GET",
      path: decodeURI(pathname.replace("/api", "")),
      query: Object.fromEntries(searchParams),
      body: typeof init.body === "string" ? JSON.parse(init.body) : null,
    };
    requests.push(request);
    const answer = given[`${request.method} ${request.path}`] ?? refusal(404, "not found");
    const created = typeof answer === "function" ? answer(request) : answer;
    return Promise.resolve(created instanceof Response ? created.clone() : Response.json(created));
  });
  // Without a layout, every element would have no height, and no row of a table would be visible.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1600);
  window.history.replaceState(null, "", `/admin${address}`);
  const element = document.createElement("div");
  document.body.replaceChildren(element);
  const root = createRoot(element);
  root.render(<AdminUI baseName="admin" apiURL="/api" />);
  onTestFinished(() => {
    root.unmount();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  return requests;
}

/** The requests with a method and a path. */
export function sent(requests: readonly Request[], method: string, path: string): Request[] {
  return requests.filter((request) => request.method === method && request.path === path);
}

/** The address of the page after its base name. */
export function address(): string {
  return (window.location.pathname + window.location.search).replace("/admin", "");
}

/** Waits until an assertion holds. */
export function eventually<Result>(assertion: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertion, { timeout: 15_000, interval: 50 });
}

const ROLES: Readonly<Record<string, string>> = {
  button: "button",
  checkbox: 'input[type="checkbox"]:not([role])',
  columnheader: "th",
  dialog: "[role=dialog]",
  form: "form",
  group: "fieldset",
  heading: "h1, h2, h3",
  link: "a[href]",
  listitem: "li",
  option: "[role=option]",
  row: "tbody tr",
  menuitem: "[role=menuitem]",
  radiogroup: "[role=radiogroup]",
  status: "[role=status]",
  switch: "input[role=switch]",
  textbox: "input:not([type=checkbox]):not([type=hidden]), textarea",
};

/** Elements with a role, and an accessible name that equals a text or matches a pattern. */
export function all(role: string, name: string | RegExp = /^/, inside: ParentNode = document): HTMLElement[] {
  return named(role, inside)
    .filter(([, found]) => (typeof name === "string" ? found === name : name.test(found)))
    .map(([element]) => element);
}

/** Waits for exactly one element with a role and a name. */
export async function one(
  role: string,
  name: string | RegExp = /^/,
  inside: ParentNode = document,
): Promise<HTMLInputElement> {
  return eventually(() => {
    const found = all(role, name, inside);
    if (found.length !== 1) {
      const others = named(role, inside).map(([, each]) => each);
      throw new Error(`${found.length} elements "${role}" are called ${name}, among: ${others.join(", ")}`);
    }
    return found[0] as HTMLInputElement;
  });
}

function named(role: string, inside: ParentNode): [HTMLElement, string][] {
  const found = [...inside.querySelectorAll<HTMLElement>(ROLES[role] ?? `[role=${role}]`)];
  return found.map((element) => [element, nameOf(element)]);
}

function nameOf(element: HTMLElement): string {
  const name = element.getAttribute("aria-label") ?? (labelOf(element) || element.textContent) ?? "";
  return name.replace(/\s*\*$/, "").trim();
}

function labelOf(element: HTMLElement): string {
  const ids = (element.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
  if (ids.length > 0) return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  return [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join(" ");
}

/** The texts to which `aria-describedby` refers: the description and the error of a field. */
export function descriptionOf(element: Element): string {
  const ids = (element.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
}

/** Replaces the text of a field, as a user does by typing. */
export function type(field: HTMLInputElement, text: string): void {
  field.focus();
  // React observes assignments to the property of the element itself.
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

export function press(element: HTMLElement, key: string): void {
  element.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
}

/** Clicks the only element with a role and a name. */
export async function click(
  role: string,
  name: string | RegExp = /^/,
  inside: ParentNode = document,
): Promise<HTMLInputElement> {
  const element = await one(role, name, inside);
  element.click();
  return element;
}

/** The text of the page and its dialogs, without styles. */
export function pageText(): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement?.tagName !== "STYLE") texts.push(walker.currentNode.textContent ?? "");
  }
  return texts.join("");
}

/** Waits for a text of the page. */
export async function see(text: string | RegExp): Promise<void> {
  await eventually(() => expect(pageText()).toMatch(text));
}
