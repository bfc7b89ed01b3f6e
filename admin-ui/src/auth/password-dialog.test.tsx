// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  all,
  click,
  descriptionOf,
  eventually,
  one,
  type Request,
  refusal,
  rows,
  see,
  sent,
  type,
  visit,
} from "../testing/visit";

async function openDialog(answer: object): Promise<[HTMLElement, Request[]]> {
  const requests = visit("/users", {
    "GET /admin/users": rows([]),
    "POST /me/password": answer,
    "PUT /me/password": answer,
  });
  await click("button", /admin/);
  (await eventually(() => one("menuitem", /Change password/))).click();
  return [await one("form", "Change password"), requests];
}

async function enter(form: HTMLElement, current: string, next: string, again: string): Promise<void> {
  type(await one("textbox", "Current password", form), current);
  type(await one("textbox", "New password", form), next);
  type(await one("textbox", "Repeat new password", form), again);
}

test("passwords that differ are not sent", async () => {
  const [form, requests] = await openDialog({});
  await enter(form, "old", "new-password", "new-pasword");
  await see("The passwords differ.");
  expect((await one("button", "Change password", form)).disabled).toBe(true);
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  expect(requests.filter(({ path }) => path === "/me/password")).toEqual([]);
});

test("a weak password is refused at its field, and other refusals above the buttons", async () => {
  let answer = refusal(422, "the password cannot be used", [{ path: "new", message: "is too short" }]);
  const [form] = await openDialog(() => answer);
  await enter(form, "old", "weak", "weak");
  await click("button", "Change password", form);
  await see("The new password is too short.");
  expect(descriptionOf(await one("textbox", "New password", form))).toContain("is too short");

  answer = refusal(403, "the current password is wrong");
  await click("button", "Change password", form);
  await see(/the current password is wrong/i);
  expect(all("dialog")).toHaveLength(1);
});

test("a changed password closes the dialog", async () => {
  const [form, requests] = await openDialog(() => new Response(null, { status: 204 }));
  await enter(form, "old", "a-new-password", "a-new-password");
  await click("button", "Change password", form);
  await see("Password changed. Your other sessions have ended.");
  await eventually(() => expect(all("dialog")).toEqual([]));
  const changes = [...sent(requests, "POST", "/me/password"), ...sent(requests, "PUT", "/me/password")];
  expect(changes.map(({ body }) => body)).toEqual([
    expect.objectContaining({ current: "old", new: "a-new-password", revokeApiTokens: false }),
  ]);
});
