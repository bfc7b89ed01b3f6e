import { expect, test } from "vitest";
import { isForDesktop, optionsOf } from "./options";

test("without anything the usual is taken", () => {
  expect(optionsOf({}, {})).toEqual({
    apiURL: "/api",
    auth: "basic",
    useSessionCookie: undefined,
    theme: "auto",
    baseName: "/",
    styleNonce: undefined,
  });
});

test("the environment of the build counts, and properties count more", () => {
  const env = {
    REACT_APP_AUTH: "none",
    REACT_APP_SERVER_BASE: "https://m.example.com/api/",
    REACT_APP_BASE: "/admin/",
  };
  expect(optionsOf({}, env)).toMatchObject({ auth: "none", apiURL: "https://m.example.com/api", baseName: "/admin" });
  const given = { auth: "basic", apiURL: "/server", baseName: "ui", auth_basic: { useSessionCookie: false } };
  expect(optionsOf(given, env)).toMatchObject({
    auth: "basic",
    apiURL: "/server",
    baseName: "/ui",
    useSessionCookie: false,
  });
});

test("a server without a prefix is called at its root", () => {
  expect(optionsOf({ apiURL: "/" }, {}).apiURL).toBe("");
});

test("addresses that end in gd are the desktop's", () => {
  const at = (address: string, base = "/admin") =>
    isForDesktop(new URL(address, "http://x.example.com") as unknown as Location, base);
  for (const address of ["/admin/gd", "/admin/gd/", "/admin/?gd", "/admin?gd=", "/admin/#gd", "/?x=1&gd"])
    expect(at(address)).toBe(true);
  expect(at("/gd", "/")).toBe(true);
  for (const address of ["/admin/", "/admin/apps/gdx", "/admin/?gdx", "/admin/?q=gd", "/admin/users/gd"])
    expect(at(address)).toBe(false);
});
