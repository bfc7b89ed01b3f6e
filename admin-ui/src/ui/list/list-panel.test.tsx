// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { address, all, click, eventually, one, rows, see, sent, type, visit } from "../../testing/visit";

const STAMP = { revision: 1, created: "2026-11-01T08:00:00Z", modified: "2026-11-02T08:00:00Z" };
const user = (id: string, more: object = {}) => ({
  id,
  groups: [],
  apps: [],
  layouts: [],
  disabled: false,
  ...STAMP,
  ...more,
});
const USERS = {
  "GET /admin/users": rows([user("ada", { email: "ada@example.com" }), user("ben", { disabled: true })]),
};

test("search, filters and sorting of the address are sent to the manager", async () => {
  const requests = visit("/users?q=a+b&sort=-email&group=Trading&disabled=true&modified=2026-11-01..2026-11-15", USERS);
  await one("link", "ada");

  const [{ query } = { query: {} }] = sent(requests, "GET", "/admin/users");
  expect(query).toEqual({
    limit: "100",
    offset: "0",
    q: "a b",
    sort: "-email",
    group: "Trading",
    disabled: "true",
    modified: `${new Date(2026, 10, 1).toISOString()}..${new Date(2026, 10, 16).toISOString()}`,
  });
  expect((await one("textbox", "Search")).value).toBe("a b");
  expect((await one("textbox", "Group")).value).toBe("Trading");
  expect((await one("textbox", "Disabled")).value).toBe("yes");
  expect((await one("textbox", "Changed from")).value).toBe("2026-11-01");
  expect((await one("textbox", "Changed to")).value).toBe("2026-11-15");
});

test("entered and selected filters are added to the address and to the query", async () => {
  const requests = visit("/users", USERS);
  await one("link", "ada");
  type(await one("textbox", "Search"), "ada");
  await eventually(() => expect(address()).toBe("/users?q=ada"));
  await click("textbox", "Disabled");
  await click("option", "no");
  await eventually(() => expect(address()).toBe("/users?q=ada&disabled=false"));
  type(await one("textbox", "Changed from"), "2026-11-01");
  await eventually(() => expect(address()).toBe("/users?q=ada&disabled=false&modified=2026-11-01.."));

  await eventually(() =>
    expect(sent(requests, "GET", "/admin/users").at(-1)?.query).toMatchObject({
      q: "ada",
      disabled: "false",
      modified: `${new Date(2026, 10, 1).toISOString()}..`,
    }),
  );
  await click("button", "Clear");
  await eventually(() => expect(address()).toBe("/users"));
  expect((await one("textbox", "Search")).value).toBe("");
});

test("a header sorts up, then down, then not, and states the direction", async () => {
  const requests = visit("/users", USERS);
  const header = async () => (await one("columnheader", "E-mail")).getAttribute("aria-sort");
  for (const [path, direction] of [
    ["/users?sort=email", "ascending"],
    ["/users?sort=-email", "descending"],
    ["/users", "none"],
  ]) {
    await click("button", "E-mail");
    await eventually(async () => expect([address(), await header()]).toEqual([path, direction]));
  }
  expect(sent(requests, "GET", "/admin/users").map(({ query }) => query.sort)).toEqual(["id", "email", "-email"]);
  expect(all("button", "Groups")).toEqual([]);
});

test("without a match the page offers all items, and keeps the sorting", async () => {
  const requests = visit("/users?q=nobody&sort=-id&disabled=true", {
    "GET /admin/users": (request) => (request.query.q ? { items: [], total: 0 } : { items: [user("ada")], total: 1 }),
  });
  await see("No item matches the search and filters.");
  await click("button", "Show all");
  await one("link", "ada");

  expect(address()).toBe("/users?sort=-id");
  expect(sent(requests, "GET", "/admin/users").at(-1)?.query).toEqual({ limit: "100", offset: "0", sort: "-id" });
});

test("a list without any items says how to add one", async () => {
  visit("/users", { "GET /admin/users": { items: [], total: 0 } });
  await see("Create the first user.");
});

test("a refused query is explained, and can be repeated", async () => {
  let isRefused = true;
  visit("/users?sort=-colour", {
    "GET /admin/users": () =>
      isRefused
        ? Response.json({ error: { message: "users cannot be sorted by colour", details: [] } }, { status: 400 })
        : { items: [user("ada")], total: 1 },
  });
  await see(/Users cannot be sorted by colour/i);
  isRefused = false;
  await click("button", /again/i);
  await one("link", "ada");
});

test("selected rows are counted, and all rows can be selected", async () => {
  visit("/users", USERS);
  await one("link", "ada");
  expect(all("checkbox", /^Select/).map((box) => box.getAttribute("aria-label"))).toEqual([
    "Select all",
    "Select ada",
    "Select ben",
  ]);
  await click("checkbox", "Select ada");
  await see("1 user selected");
  await click("checkbox", "Select ada");
  await click("checkbox", "Select all");
  await see("All users are selected");
});
