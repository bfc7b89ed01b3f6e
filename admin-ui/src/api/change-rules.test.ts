import { expect, test } from "vitest";
import { ticketAddress } from "./change-rules";
import { reasonHeaders } from "./client";

test("the number of a ticket becomes a part of the address, and nothing more", () => {
  expect(ticketAddress("https://t.example/browse/{ticket}", "OPS-7")).toBe("https://t.example/browse/OPS-7");
  expect(ticketAddress("https://t.example/?id={ticket}", "a/../b?c#d&$&")).toBe(
    "https://t.example/?id=a%2F..%2Fb%3Fc%23d%26%24%26",
  );
  expect(ticketAddress("", "OPS-7")).toBeNull();
  expect(ticketAddress("javascript:alert({ticket})", "1")).toBeNull();
});

test("headers hold ASCII only", () => {
  expect(reasonHeaders({ comment: " Größe 100% ", ticket: "" })).toEqual({
    "Change-Comment": "Gr%C3%B6%C3%9Fe%20100%25",
  });
});
