import { expect, test } from "vitest";
import { fileText } from "./list-file";

test("CSV has all members, and quotes where necessary", () => {
  const rows = [
    { id: "ann", groups: ["Desk", "FX"], disabled: false },
    { id: 'a "b", c', note: null },
  ];
  expect(fileText(rows, "csv")).toBe(
    'id,groups,disabled,note\r\nann,"[""Desk"",""FX""]",false,\r\n"a ""b"", c",,,\r\n',
  );
});

test("CSV with chosen columns has their members in their order", () => {
  expect(fileText([{ id: "ann", email: "a@b.c", disabled: false }], "csv", ["disabled", "state", "id"])).toBe(
    "disabled,id\r\nfalse,ann\r\n",
  );
});

test("a text that begins like a formula is not executed by spreadsheets", () => {
  expect(fileText([{ id: "=HYPERLINK(1)", number: -1 }], "csv")).toBe("id,number\r\n'=HYPERLINK(1),-1\r\n");
});

test("JSON has the rows as the server sent them", () => {
  expect(JSON.parse(fileText([{ id: "=1" }], "json"))).toEqual([{ id: "=1" }]);
});
