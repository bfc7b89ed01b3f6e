// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  all,
  click,
  descriptionOf,
  eventually,
  one,
  press,
  type Request,
  refusal,
  see,
  sent,
  type,
  visit,
} from "../testing/visit";
import { distance } from "./names-input";

const GROUPS = ["Operations", "Rates Trading", "Trading"];
const BEN = {
  id: "ben",
  groups: ["Trading"],
  apps: [],
  layouts: [],
  disabled: false,
  revision: 1,
  created: "",
  modified: "",
};

function openUser(): Request[] {
  const answers = Object.fromEntries(GROUPS.map((name) => [`GET /admin/groups/${name}`, { name }]));
  return visit("/users/ben", {
    ...answers,
    "GET /admin/groups": ({ query }) => {
      const items = GROUPS.filter((name) => name.toLowerCase().includes((query.q ?? "").toLowerCase()));
      return { items: items.map((name) => ({ name })), total: items.length };
    },
    "GET /admin/apps": { items: [], total: 0 },
    "GET /admin/users/ben": BEN,
    "PUT /admin/users/ben": ({ body }) => ({ ...BEN, ...(body as object) }),
    "PATCH /admin/users/ben": ({ body }) => ({ ...BEN, ...(body as object) }),
    "POST /admin/preview": refusal(404, "not found"),
  });
}

const options = () => all("option").map((option) => option.textContent);

test("Enter accepts the highlighted suggestion", async () => {
  const requests = openUser();
  const field = await one("textbox", "Groups");
  type(field, "Rate");
  await eventually(() => expect(options()).toEqual(["Rates Trading", "Create group “Rate”"]));
  await eventually(() =>
    expect(all("option", "Rates Trading")[0]?.getAttribute("data-combobox-selected")).toBe("true"),
  );
  press(field, "Enter");
  await eventually(() => expect(field.value).toBe(""));
  await one("button", "Remove Rates Trading");
  await click("button", "Save");
  await eventually(() =>
    expect(requests.filter(({ method }) => method === "PUT" || method === "PATCH").map(({ body }) => body)).toEqual([
      expect.objectContaining({ groups: ["Trading", "Rates Trading"] }),
    ]),
  );
});

test("a name that only contains the text is offered, but Enter does not accept it", async () => {
  openUser();
  const field = await one("textbox", "Groups");
  type(field, "perat");
  await eventually(() => expect(options()).toEqual(["Operations", "Create group “perat”"]));
  press(field, "Enter");
  expect(field.value).toBe("perat");
  expect(all("button", "Remove Operations")).toEqual([]);
});

test("a group that does not exist is added by its own option only, and marked as new", async () => {
  const requests = openUser();
  const field = await one("textbox", "Groups");
  type(field, "Ratex");
  await eventually(() => expect(options()).toEqual(["Create group “Ratex”"]));
  press(field, "Enter");
  expect(field.value).toBe("Ratex");
  field.blur();
  await see("“Ratex” has not been added. Select a suggestion, or clear the text.");
  expect(descriptionOf(field)).toContain("has not been added");
  field.focus();
  await click("option", "Create group “Ratex”");
  await see("Ratex (new)");
  await click("button", "Remove Ratex");
  await eventually(() => expect(all("button", "Remove Ratex")).toEqual([]));
  expect(sent(requests, "POST", "/admin/groups")).toEqual([]);
});

test("an app that does not exist is added after a warning, and a name is not added twice", async () => {
  openUser();
  const apps = await one("textbox", "Assigned apps");
  type(apps, "no-such-app");
  await click("option", "Add “no-such-app” (no app with this name exists)");
  await see("no-such-app (does not exist)");
  const groups = await one("textbox", "Groups");
  type(groups, "Trading");
  await eventually(() => expect(options()).toEqual(["Rates Trading"]));
  press(groups, "Backspace");
  expect(all("button", /^Remove /).map((button) => button.getAttribute("aria-label"))).toContain("Remove Trading");
});

test("names that begin with the text come before names that contain it", () => {
  const names = ["App Administrators", "Operations", "Rates Trading", "FX Rates", "rat"];
  const sorted = [...names].sort((one, other) => distance(one, "Rat") - distance(other, "Rat"));

  expect(sorted).toEqual(["rat", "Rates Trading", "FX Rates", "App Administrators", "Operations"]);
});
