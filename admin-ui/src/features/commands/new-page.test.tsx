// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  address,
  all,
  click,
  eventually,
  one,
  pageText,
  refusal,
  rows,
  see,
  sent,
  type,
  visit,
} from "../../testing/visit";

const desktop = (number: number, user: string, commands: readonly string[] = ["GetLogs", "Restart"]) => ({
  id: `s${number}`,
  user,
  machine: `DESK-${number}`,
  version: "10.1",
  env: "DEMO",
  region: "EU",
  active: true,
  commands,
});
const TWO = rows([desktop(1, "ada"), desktop(2, "ben", ["Restart", "Shutdown"])]);

test("a disruptive command is sent after a confirmation that names all desktops", async () => {
  const requests = visit("/commands/-/new", {
    "GET /admin/sessions": TWO,
    "POST /admin/commands": { total: 2, items: [] },
    "GET /admin/commands": { items: [], total: 0 },
  });
  const send = async () => click("button", "Send to 2 desktops");
  await click("checkbox", "Select all 2 desktops");
  await see("2 desktops selected");
  expect((await one("button", "Send to 2 desktops")).disabled).toBe(true);
  type(await one("textbox", "Command"), "Restart");
  await eventually(async () => expect((await one("button", "Send to 2 desktops")).disabled).toBe(false));

  await send();
  const dialog = await one("dialog");
  expect(dialog.textContent).toContain("Send Restart to 2 desktops?");
  expect(dialog.textContent).toContain("closes all apps and starts again");
  expect(dialog.textContent).toContain("Affects 2 desktops of 2 users");
  expect(all("listitem", /./, dialog).map((item) => item.textContent)).toEqual(["ada on DESK-1", "ben on DESK-2"]);
  await click("button", "Cancel", dialog);
  await eventually(() => expect(all("dialog")).toEqual([]));
  expect(sent(requests, "POST", "/admin/commands")).toEqual([]);

  await send();
  await click("button", "Send Restart", await one("dialog"));
  await eventually(() => expect(address()).toBe("/commands"));
  expect(sent(requests, "POST", "/admin/commands").map(({ body }) => body)).toEqual([
    { sessions: ["s1", "s2"], command: "Restart", params: {} },
  ]);
});

test("only commands that all selected desktops support are suggested", async () => {
  visit("/commands/-/new", { "GET /admin/sessions": TWO });
  const suggested = async () => {
    await click("textbox", "Command");
    return all("option").map((option) => option.textContent);
  };
  await click("checkbox", "Select ada on DESK-1");
  await eventually(async () => expect(await suggested()).toEqual(["GetLogs", "Restart"]));
  await click("checkbox", "Select ben on DESK-2");
  await eventually(async () => expect(await suggested()).toEqual(["Restart"]));
});

test("a command that only reads is sent without a question, and a refusal keeps the page", async () => {
  const requests = visit("/commands/-/new?session=s1", {
    "GET /admin/sessions": TWO,
    "GET /admin/sessions/s1": desktop(1, "ada"),
    "POST /admin/commands": refusal(409, "the session has ended"),
  });
  type(await one("textbox", "Command"), "GetLogs");
  await eventually(async () => expect((await one("button", "Send to 1 desktop")).disabled).toBe(false));
  await click("button", "Send to 1 desktop");
  await see("Nothing was sent");
  await see(/the session has ended/i);
  expect(all("dialog")).toEqual([]);
  expect(sent(requests, "POST", "/admin/commands")).toHaveLength(1);
});

test("select all includes desktops that match and are not shown", async () => {
  const many = Array.from({ length: 1205 }, (_, number) => desktop(number, `u${number % 3}`));
  const requests = visit("/commands/-/new?q=DESK-", {
    "GET /admin/sessions": ({ query }) => {
      // The page shows the first part of the list; a short one is enough.
      const first = Number(query.offset);
      const size = query.limit === "200" ? 3 : Number(query.limit);
      return { items: many.slice(first, first + size), total: many.length };
    },
    "POST /admin/commands": { total: 1205, items: [] },
    "GET /admin/commands": { items: [], total: 0 },
  });
  await see("Showing the newest 3 of 1,205.");
  await click("checkbox", "Select all 1,205 desktops that match");
  await see("1,205 desktops selected");
  type(await one("textbox", "Command"), "GetLogs");
  await eventually(async () => expect((await one("button", "Send to 1,205 desktops")).disabled).toBe(false));
  await click("button", "Send to 1,205 desktops");

  await eventually(() => expect(address()).toBe("/commands"));
  const [{ body } = { body: null }] = sent(requests, "POST", "/admin/commands");
  expect((body as { sessions: string[] }).sessions).toEqual(many.map(({ id }) => id));
  expect(new Set(sent(requests, "GET", "/admin/sessions").map(({ query }) => query.q))).toEqual(new Set(["DESK-"]));
  expect(pageText()).not.toContain("Nothing was sent");
});
