// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { all, eventually, rows, visit } from "../testing/visit";

const AT = "2026-11-01T08:00:00Z";
const FUTURE = "2999-01-01T00:00:00Z";
const STAMP = { revision: 1, created: AT, createdBy: "admin", modified: AT, modifiedBy: "carol" };
const ACCESS = { public: false, accessList: [], disabled: false };

interface List {
  readonly page: string;
  readonly path: string;
  readonly items: readonly object[];
  readonly headers: readonly string[];
  /** The texts of the cells; a relative time is written as TIME. */
  readonly cells: readonly (readonly string[])[];
}

const LISTS: readonly List[] = [
  {
    page: "/apps",
    path: "/admin/apps",
    items: [
      { name: "fx", definition: { title: "FX", type: "window" }, ...ACCESS, public: true, ...STAMP },
      { name: "directory", definition: {}, ...ACCESS, accessList: ["Trading"], ...STAMP },
    ],
    headers: ["Name", "Title", "Type", "Available to", "Changed", "By"],
    cells: [
      ["fx", "FX", "window", "public", "TIME", "carol"],
      ["directory", "–", "FDC3", "Trading", "TIME", "carol"],
    ],
  },
  {
    page: "/layouts",
    path: "/admin/layouts",
    items: [
      {
        id: "1",
        name: "Desk",
        definition: { name: "Desk" },
        type: "Global",
        owner: "*",
        ...ACCESS,
        public: true,
        default: true,
        ...STAMP,
      },
      {
        id: "2",
        name: "Own",
        definition: { name: "Own" },
        type: "Workspace",
        owner: "ada",
        ...ACCESS,
        default: false,
        ...STAMP,
      },
    ],
    headers: ["Name", "Type", "Owner", "Available to", "Default", "Changed"],
    cells: [
      ["Desk", "Global", "everyone", "public", "default", "TIME"],
      ["Own", "Workspace", "ada", "ada only", "", "TIME"],
    ],
  },
  {
    page: "/users",
    path: "/admin/users",
    items: [
      {
        id: "ada",
        displayName: "Ada B.",
        email: "ada@example.com",
        groups: ["A", "B", "C"],
        apps: ["x"],
        disabled: false,
        lastSeen: AT,
        ...STAMP,
      },
      { id: "robot", service: true, groups: [], apps: ["x", "y"], disabled: true, disabledSince: AT, ...STAMP },
    ],
    headers: ["User", "E-mail", "Groups", "Assigned apps", "State", "Changed", "Last seen"],
    cells: [
      ["adaAda B.", "ada@example.com", "AB+1", "x", "active", "TIME", "TIME"],
      ["robot service account", "–", "none", "x+1", "disabled TIME", "TIME", "–"],
    ],
  },
  {
    page: "/groups",
    path: "/admin/groups",
    items: [
      { name: "PLATFORM_MANAGER:APPS:READ", members: 1200, priority: 0, expandsTo: [], ...STAMP },
      { name: "Trading", members: 3, priority: 10, expandsTo: ["A", "B", "C"], ...STAMP },
    ],
    headers: ["Name", "Direct members", "Priority", "Inherits from", "Changed"],
    cells: [
      ["PLATFORM_MANAGER:APPS:READ grants permissions", "1200", "0", "none", "TIME"],
      ["Trading ", "3", "10", "AB+1", "TIME"],
    ],
  },
  {
    page: "/tokens/-/all",
    path: "/admin/tokens",
    items: [
      { id: "1", name: "Report", user: "ada", permissions: [], expires: FUTURE, created: AT, createdBy: "ada" },
      {
        id: "2",
        name: "Job",
        user: "robot",
        permissions: ["PLATFORM_MANAGER:APPS:READ", "PLATFORM_SERVER_ADMIN"],
        expires: AT,
        lastUsed: AT,
        created: AT,
        createdBy: "admin",
      },
    ],
    headers: ["", "Name", "User", "Permissions", "Expires", "Last used", "Created", "Created by", "Revoke"],
    cells: [
      ["", "Report", "ada", "none", "TIME", "never", "TIME", "ada", "Revoke"],
      ["", "Job", "robot", "APPS:READ+1", "expired", "TIME", "TIME", "admin", "Revoke"],
    ],
  },
  {
    page: "/sessions",
    path: "/admin/sessions",
    items: [
      session("1", { active: true }),
      session("2", { active: false, ended: AT }),
      session("3", { active: false, ended: null }),
    ],
    headers: ["Session", "State", "User", "Machine", "Version", "Env / region", "Product", "Started", "Last seen"],
    cells: [
      ["1", "active", "ada", "DESK", "10.1", "DEMO / EU", "desk", "TIME", "TIME"],
      ["2", "ended", "ada", "DESK", "10.1", "DEMO / EU", "desk", "TIME", "TIME"],
      ["3", "silent", "ada", "DESK", "10.1", "DEMO / EU", "desk", "TIME", "TIME"],
    ],
  },
  {
    page: "/machines",
    path: "/admin/machines",
    items: [
      { id: "m1", name: "", info: { os: { name: "Linux" }, displays: [1, 2] }, firstSeen: AT, lastSeen: AT },
      { id: "m2", name: "DESK", info: { os: "Windows", cpu: "x86" }, firstSeen: AT, lastSeen: AT },
    ],
    headers: ["Name", "System", "Processor", "Screens", "First seen", "Last seen"],
    cells: [
      ["m1", '{"name":"Linux"}', "–", "2", "TIME", "TIME"],
      ["DESK", "Windows", "x86", "–", "TIME", "TIME"],
    ],
  },
  {
    page: "/audit",
    path: "/admin/audit",
    items: [
      entry(7, [{ action: "update", kind: "app", id: "fx" }], 3),
      entry(8, [{ action: "create", kind: "user", id: "ada" }], 1),
      entry(9, [], 0),
    ],
    headers: ["Entry", "Time", "User", "Action", "Target", "Comment", "Ticket", "Address"],
    cells: [
      ["7", "TIME", "carol", "changeApp", "update app fx and 2 more", "why", "T-1", "192.0.2.1"],
      ["8", "TIME", "carol", "changeApp", "create user ada", "why", "T-1", "192.0.2.1"],
      ["9", "TIME", "carol", "changeApp", "no document", "why", "T-1", "192.0.2.1"],
    ],
  },
];

function session(id: string, more: object): object {
  const machine = "DESK-0123456789abcdef";
  const fixed = { user: "ada", machine, version: "10.1", env: "DEMO", region: "EU", product: "desk" };
  return { id, ...fixed, started: AT, lastSeen: AT, ...more };
}

function entry(number: number, changes: readonly object[], changed: number): object {
  const fixed = { at: AT, actor: "carol", operation: "changeApp", comment: "why", ticket: "T-1" };
  return { number, ...fixed, changes, changed, origin: { address: "192.0.2.1" } };
}

function textOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const time of copy.querySelectorAll("time")) time.textContent = "TIME";
  for (const style of copy.querySelectorAll("style")) style.remove();
  return copy.textContent ?? "";
}

test.each(LISTS)("the list $page shows each value in words", async ({ page, path, items, headers, cells }) => {
  visit(page, { [`GET ${path}`]: rows(items) });
  await eventually(() => expect(all("row").filter((row) => row.querySelector("time"))).toHaveLength(cells.length));

  const texts = (elements: Iterable<Element>) => [...elements].map(textOf);
  const skipped = texts(all("columnheader"))[0] === "" && headers[0] !== "" ? 1 : 0;
  expect(texts(all("columnheader")).slice(skipped)).toEqual(headers);
  expect(all("row").map((row) => texts(row.querySelectorAll("td")).slice(skipped))).toEqual(cells);
});
