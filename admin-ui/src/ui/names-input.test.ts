import { expect, test } from "vitest";
import { distance } from "./names-input";

test("names that begin with the text come before names that contain it", () => {
  const names = ["App Administrators", "Operations", "Rates Trading", "FX Rates", "rat"];
  const sorted = [...names].sort((one, other) => distance(one, "Rat") - distance(other, "Rat"));

  expect(sorted).toEqual(["rat", "Rates Trading", "FX Rates", "App Administrators", "Operations"]);
});
