// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  ADMIN,
  address,
  all,
  click,
  descriptionOf,
  eventually,
  one,
  refusal,
  rows,
  see,
  sent,
  type,
  visit,
} from "../../testing/visit";

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
const NAMES = { "GET /admin/groups": rows([]), "GET /admin/apps": rows([]) };

test("a new user needs an ID, and a service account has no password", async () => {
  const requests = visit("/users/-/new", { ...NAMES, "POST /admin/users": user("robot", { service: true }) });
  const save = await one("button", "Save");
  type(await one("textbox", "Display name"), "Robot");
  await see("Enter a user ID.");
  expect(save.disabled).toBe(true);
  type(await one("textbox", "Id"), "robot");
  await eventually(() => expect(save.disabled).toBe(false));
  type(await one("textbox", "Password"), "left over");
  await click("switch", /^Service account/);
  await eventually(async () => expect((await one("textbox", "Password")).disabled).toBe(true));
  save.click();

  await eventually(() => expect(address()).toBe("/users/robot"));
  expect(sent(requests, "POST", "/admin/users").map(({ body }) => body)).toEqual([
    {
      id: "robot",
      password: null,
      service: true,
      displayName: "Robot",
      email: null,
      groups: [],
      apps: [],
      layouts: [],
      disabled: false,
    },
  ]);
});

test("problems are shown at their fields, others above the buttons, and the input is kept", async () => {
  const details = [
    { path: "email", message: "is not an e-mail address" },
    { path: "groups[0]", message: "is too long" },
    { path: "", message: "the quota of users is used up" },
  ];
  visit("/users/ada", {
    ...NAMES,
    "GET /admin/users/ada": user("ada", { groups: ["Trading"] }),
    "PUT /admin/users/ada": refusal(422, "the user cannot be saved", details),
    "PATCH /admin/users/ada": refusal(422, "the user cannot be saved", details),
  });
  const email = await one("textbox", "E-mail");
  type(email, "nonsense");
  await click("button", "Save");

  await see("Not saved. Your changes are still on this page.");
  await see("Correct the marked fields.");
  await see("the quota of users is used up");
  await eventually(() =>
    expect([email.getAttribute("aria-invalid"), descriptionOf(email)]).toEqual(["true", "Is not an e-mail address."]),
  );
  expect(descriptionOf(await one("textbox", "Groups"))).toContain("“Trading”: Is too long.");
  await eventually(() => expect(document.activeElement).toBe(email));
  expect(email.value).toBe("nonsense");
});

test("users cannot delete or disable their own account, and the page states why", async () => {
  visit("/users/admin", { ...NAMES, "GET /admin/users/admin": user("admin", { groups: ["PLATFORM_SERVER_ADMIN"] }) });
  const remove = await one("button", "Delete");
  await eventually(() => expect(remove.getAttribute("aria-disabled")).toBe("true"));
  expect(descriptionOf(remove)).toBe("You cannot delete your own account. Ask another administrator.");
  const disabled = await one("switch", /^Disabled: cannot sign in/);
  expect(disabled.disabled).toBe(true);
  remove.click();
  expect(all("dialog")).toEqual([]);
});

test("the deletion of another user states what is deleted and how it is undone", async () => {
  const requests = visit("/users/ada", {
    ...NAMES,
    "GET /admin/users/ada": user("ada"),
    "DELETE /admin/users/ada": () => new Response(null, { status: 204 }),
    "GET /admin/users": { items: [], total: 0 },
  });
  await eventually(async () => expect((await one("switch", /^Disabled: cannot sign in/)).disabled).toBe(false));
  await click("button", "Delete");
  await see("To undo this, select “Roll back”");
  await click("button", "Cancel", await one("dialog"));
  await eventually(() => expect(all("dialog")).toEqual([]));
  expect(sent(requests, "DELETE", "/admin/users/ada")).toEqual([]);

  await click("button", "Delete");
  await click("button", "Delete", await one("dialog"));
  await eventually(() => expect(address()).toBe("/users"));
  expect(sent(requests, "DELETE", "/admin/users/ada")).toHaveLength(1);
});

test("without permission to change users, all fields are disabled", async () => {
  const reader = { ...ADMIN, id: "eve", groups: [], permissions: ["PLATFORM_MANAGER:USERS:READ"] };
  visit("/users/ada", { "GET /admin/users/ada": user("ada") }, reader);
  await see("You have read-only access.");
  for (const field of ["Display name", "E-mail", "Groups", "Assigned apps"]) {
    expect([field, (await one("textbox", field)).disabled]).toEqual([field, true]);
  }
  expect(all("button", /^(Save|Delete)$/)).toEqual([]);
});
