// @vitest-environment happy-dom
import { expect, test } from "vitest";
import {
  address,
  all,
  click,
  descriptionOf,
  eventually,
  one,
  type Request,
  rows,
  see,
  sent,
  type,
  visit,
} from "../../../testing/visit";

const CONFIG = {
  id: "c1",
  file: "system.json",
  scope: "group",
  group: "Trading",
  revision: 1,
  created: "",
  createdBy: "",
  modified: "",
  modifiedBy: "",
};
const EDGE = "windowManagement.snapping.edgeDistance";
const LABEL = "Snapping › Edge distance";
const SNAPPING = { windowManagement: { snapping: { edgeDistance: 5 } } };
const LAYER = { id: "c1", scope: "group", target: "Trading" };

/** Opens the file of a group, for which the manager explains the toast expiry and refuses long edge distances. */
function openFile(search: string, contents: object): Request[] {
  return visit(`/configs/c1${search}`, {
    "GET /admin/configs/c1": { ...CONFIG, contents },
    "PATCH /admin/configs/c1": ({ body }) => ({ ...CONFIG, ...(body as object), revision: 2 }),
    "GET /admin/configs": rows([
      { ...CONFIG, contents },
      {
        ...CONFIG,
        id: "c2",
        scope: "user",
        group: null,
        user: "ada",
        contents: { notifications: { toastExpiry: 1234 } },
      },
    ]),
    "POST /admin/configs/validate": ({ body }) => {
      const isWrong = JSON.stringify(body).includes('"edgeDistance":50');
      const problem = { path: EDGE, severity: "error", message: "must be from 2 to 10" };
      return { checked: true, problems: isWrong ? [problem] : [] };
    },
    "POST /admin/configs/explain": ({ body }) => {
      const { draft } = body as { draft: { contents: { notifications?: { toastExpiry?: number } } } };
      const value = draft.contents.notifications?.toastExpiry;
      const path = "notifications.toastExpiry";
      const set = { path, status: "set", value, inForce: value, winner: LAYER, losers: [] };
      const items = value === undefined ? [] : [set];
      return { items, total: items.length, more: 0, layers: [LAYER] };
    },
  });
}

const setting = (label: string) => one("group", label);

test("a setting is found by its description, and its number is saved as a number", async () => {
  const requests = openFile("?find=tray", { tray: { exit: true } });
  type(await one("textbox", "Find settings"), "toast expiry");
  const row = await setting("Toast expiry");
  expect(row.textContent).toContain("default: 15000 ms");
  await eventually(() => expect(row.textContent).toContain("Also set for user ada 1234"));
  type(await one("textbox", "Toast expiry", row), "3000");
  await eventually(() => expect(row.textContent).toContain("Effective for group Trading: 3000 from this file"));
  await eventually(() => expect(address()).toContain("find=toast+expiry"));
  await click("button", "Save");

  await eventually(() => expect(sent(requests, "PATCH", "/admin/configs/c1")).toHaveLength(1));
  expect(sent(requests, "PATCH", "/admin/configs/c1")[0]?.body).toEqual({
    contents: { tray: { exit: true }, notifications: { toastExpiry: 3000 } },
  });
});

test("a value that the manager refuses is marked at its field, and can be removed", async () => {
  const requests = openFile(`?find=${EDGE}`, SNAPPING);
  const row = await setting(LABEL);
  const field = await one("textbox", LABEL, row);
  type(field, "50");
  await eventually(() => expect(row.textContent).toContain("Must be from 2 to 10."));
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(descriptionOf(field)).toBe("Must be from 2 to 10.");
  await click("button", `Remove ${LABEL}`, row);
  await eventually(() => expect(field.value).toBe(""));
  await eventually(() => expect(field.getAttribute("aria-invalid")).not.toBe("true"));
  await click("button", "Save");
  await eventually(() => expect(sent(requests, "PATCH", "/admin/configs/c1")[0]?.body).toEqual({ contents: {} }));
});

test("settings are filtered by what the file sets, and all of them can be shown again", async () => {
  openFile("?only=here&find=edge+distance", { ...SNAPPING, tray: { exit: true } });
  const labels = () => all("group").map((row) => row.getAttribute("aria-label"));
  await eventually(() => expect(labels()).toEqual([LABEL]));
  expect((await one("status", "Settings found")).textContent).toBe("1 setting");
  const shown = await one("radiogroup", "Settings to show");
  shown.querySelector<HTMLInputElement>('input[value=""]')?.click();
  await eventually(() => expect(address()).toBe("/configs/c1?find=edge+distance"));
  await eventually(() => expect(labels()).toEqual([LABEL, "Snap to screen edges › Distance"]));
  type(await one("textbox", "Find settings"), "no setting is called like this");
  await see("No setting matches.");
});

test("a setting that does not exist is named", async () => {
  openFile("?setting=tray.colour&find=tray", {});
  await see("tray.colour is not a setting of system.json.");
});
