// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  ADMIN,
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

test("a token is created with permissions of its owner, and shown once", async () => {
  const reader = { ...ADMIN, id: "eve", groups: [], permissions: ["PLATFORM_MANAGER:APPS:READ"] };
  const requests = visit(
    "/tokens",
    { "GET /me/tokens": rows([]), "POST /me/tokens": { id: "1", token: "rostrum_secret" } },
    reader,
  );
  await click("button", "New API token");
  const form = await one("form", "New API token");
  type(await one("textbox", "Name", form), "  Nightly report ");
  await click("textbox", "Permissions", form);
  await eventually(() =>
    expect(all("option", /READ|WRITE|Admin/).map((each) => each.textContent)).toEqual(["APPS:READ"]),
  );
  await click("option", "APPS:READ");
  await click("textbox", "Expires", form);
  await click("option", "After 7 days");
  await click("button", "Create", form);

  await see("rostrum_secret");
  expect(sent(requests, "POST", "/me/tokens").map(({ body }) => body)).toEqual([
    { name: "Nightly report", permissions: ["PLATFORM_MANAGER:APPS:READ"], expiresInDays: 7 },
  ]);
  await click("button", "Done");
  await eventually(() => expect(pageText()).not.toContain("rostrum_secret"));
});

test("a token for a service account needs the account", async () => {
  const requests = visit("/tokens/-/all", {
    "GET /admin/tokens": rows([]),
    "GET /admin/users": rows([{ id: "robot" }]),
    "POST /admin/tokens": { id: "1", token: "rostrum_secret" },
  });
  await click("button", "New token for a service account");
  const form = await one("form", "New API token");
  type(await one("textbox", "Name", form), "Job");
  expect((await one("button", "Create", form)).disabled).toBe(true);
  await click("textbox", "Service account", form);
  await click("option", "robot");
  await eventually(async () => expect((await one("button", "Create", form)).disabled).toBe(false));
  await click("button", "Create", form);
  await see("rostrum_secret");
  expect(sent(requests, "POST", "/admin/tokens").map(({ body }) => body)).toEqual([
    { name: "Job", permissions: [], expiresInDays: 90, user: "robot" },
  ]);
  expect(sent(requests, "GET", "/admin/users")[0]?.query).toMatchObject({ service: "true" });
});

test("the form states why the manager created no token, and keeps the input", async () => {
  visit("/tokens", {
    "GET /me/tokens": rows([]),
    "POST /me/tokens": refusal(409, "you have a token called Job already"),
  });
  await click("button", "New API token");
  const form = await one("form", "New API token");
  type(await one("textbox", "Name", form), "Job");
  await click("button", "Create", form);
  await see(/you have a token called Job already/i);
  expect((await one("textbox", "Name", form)).value).toBe("Job");
});
