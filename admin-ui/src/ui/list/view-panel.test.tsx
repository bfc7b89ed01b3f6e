// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { address, all, click, eventually, one, refusal, rows, see, sent, type, visit } from "../../testing/visit";

const ADA = { id: "ada", groups: [], apps: [], layouts: [], disabled: false, revision: 1, created: "", modified: "" };
const USERS = { "GET /admin/users": rows([ADA]), "GET /admin/views": { items: [], total: 0 } };
const headers = () =>
  all("columnheader")
    .map((header) => header.textContent)
    .filter(Boolean);
const VIEW = {
  id: "v1",
  list: "users",
  name: "Traders",
  owner: "admin",
  shared: false,
  search: "group=Trading&columns=id%2Cgroups",
};

test("columns are hidden, moved and shown again, and the address has the choice", async () => {
  visit("/users", USERS);
  await one("link", "ada");
  expect(headers()).toEqual(["User", "E-mail", "Groups", "Assigned apps", "State", "Changed", "Last seen"]);
  await click("button", "View");
  for (const name of ["E-mail", "Assigned apps", "Changed", "Last seen"]) {
    await click("checkbox", name);
    await eventually(() => expect(headers()).not.toContain(name));
  }
  expect(headers()).toEqual(["User", "Groups", "State"]);
  await click("button", "Move State up");
  await eventually(() => expect(headers()).toEqual(["User", "State", "Groups"]));
  expect(address()).toBe("/users?columns=id%2Cdisabled%2Cgroups");
  await click("checkbox", "Compact rows");
  await eventually(() => expect(address()).toBe("/users?columns=id%2Cdisabled%2Cgroups&density=compact"));

  await click("button", "Reset columns and rows");
  await eventually(() => expect(address()).toBe("/users"));
  expect(headers()).toHaveLength(7);
});

test("the last column cannot be hidden, and unknown columns of an address are ignored", async () => {
  visit("/users?columns=email,colour,email", USERS);
  await eventually(() => expect(headers()).toEqual(["E-mail"]));
  await click("button", "View");
  expect((await one("checkbox", "E-mail")).disabled).toBe(true);
  expect((await one("checkbox", "User")).disabled).toBe(false);
});

test("a view is saved with filters and columns, and opened by its name", async () => {
  const requests = visit("/users?group=Trading&columns=id,groups&row=7", {
    ...USERS,
    "GET /admin/views": ({ query }) => ({ items: query.list === "users" ? [VIEW] : [], total: 1 }),
    "POST /admin/views": { ...VIEW, id: "v2", name: "My traders" },
    "GET /admin/views/v1": VIEW,
    "GET /admin/views/v2": { ...VIEW, id: "v2", name: "My traders" },
  });
  await click("button", "View");
  const save = async () => one("button", "Save", await one("form", "Save view"));
  expect((await save()).disabled).toBe(true);
  type(await one("textbox", "Save the current view as"), "My traders");
  await click("checkbox", /^Share with all users/);
  await eventually(async () => expect((await save()).disabled).toBe(false));
  (await save()).click();
  await eventually(() => expect(address()).toContain("view=v2"));
  expect(sent(requests, "POST", "/admin/views").map(({ body }) => body)).toEqual([
    { list: "users", name: "My traders", shared: true, search: "group=Trading&columns=id%2Cgroups" },
  ]);

  expect((await one("link", "Traders")).getAttribute("href")).toBe(
    "/admin/users?group=Trading&columns=id%2Cgroups&view=v1",
  );
});

test("a name that is used already is refused at the field", async () => {
  visit("/users?q=a", { ...USERS, "POST /admin/views": refusal(409, "you have a view called Traders already") });
  await click("button", "View");
  type(await one("textbox", "Save the current view as"), "Traders");
  const form = await one("form", "Save view");
  await eventually(async () => expect((await one("button", "Save", form)).disabled).toBe(false));
  await click("button", "Save", form);
  await see(/you have a view called Traders already/i);
  expect((await one("textbox", "Save the current view as")).value).toBe("Traders");
});
