import { expect, test } from "vitest";
import { Refused } from "../../api/errors";
import { fieldErrors } from "./field-errors";

const refused = new Refused(400, "The request has problems.", [
  { path: "groups[1]", message: "there is no such permission" },
  { path: "changes[0].document.email", message: "must be an e-mail address" },
  { path: "definition.details.url", message: "must be text" },
  { path: "definition.custom[0].x", message: "is unknown" },
  { path: "layouts", message: "too many" },
]);

test("each problem is shown once, at its nearest field", () => {
  const errors = fieldErrors(refused, ["groups", "email", "definition", "definition.details.url"], {
    groups: ["Desk", "PLATFORM_X"],
  });
  expect(errors.at("groups")).toBe("“PLATFORM_X”: There is no such permission.");
  expect(errors.at("email")).toBe("Must be an e-mail address.");
  expect(errors.at("definition.details.url")).toBe("Must be text.");
  expect(errors.inside("definition")).toEqual([{ path: "custom[0].x", message: "Is unknown.", severity: "error" }]);
  expect(errors.rest).toEqual([{ path: "layouts", message: "too many" }]);
  expect(errors.count).toBe(4);
  expect(errors.at("apps")).toBeUndefined();
});

test("a field is not taken for another that begins with its name", () => {
  const errors = fieldErrors(new Refused(400, "", [{ path: "nameless", message: "x" }]), ["name"]);
  expect(errors.rest).toHaveLength(1);
});
