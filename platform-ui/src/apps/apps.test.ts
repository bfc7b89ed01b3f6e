import { describe, expect, it } from "vitest";
import { found, webApp, webApps } from "./apps";

const record = (appId: string, more: object = {}, definition: object = {}) => ({
  appId,
  title: appId,
  type: "web",
  details: { url: `https://${appId}.example.com/` },
  hostManifests: { rostrum: definition },
  ...more,
});

describe("the apps of a directory", () => {
  it("are those that a browser can show", () => {
    const records = [
      record("page"),
      record("program", { type: "native", details: { path: "/bin/true" } }),
      record("script", { details: { url: "javascript:alert(1)" } }),
      record("file", { details: { url: "file:///etc/passwd" } }),
      record("nothing", { details: null }),
      record("groups", {}, { type: "webGroup" }),
      { title: "no id" },
    ];

    expect(webApps(records).map((app) => app.name)).toEqual(["page"]);
  });

  it("open where their definition says, in a frame if it says nothing", () => {
    expect(webApp(record("a"))?.place).toBe("frame");
    expect(webApp(record("a", {}, { details: { openInBrowser: "window" } }))?.place).toBe("window");
    expect(webApp(record("a", {}, { openInBrowser: "tab" }))?.place).toBe("tab");
    expect(webApp(record("a", {}, { details: { openInBrowser: "elsewhere" } }))?.place).toBe("frame");
  });

  it("are found by every word, and those that begin with it come first", () => {
    const apps = webApps([
      record("a", { title: "Live chart", description: "Prices over time" }),
      record("b", { title: "Chart of risk" }),
      record("c", { title: "Hidden chart" }, { hidden: true }),
    ]);

    expect(found(apps, "chart").map((app) => app.name)).toEqual(["b", "a"]);
    expect(found(apps, "  PRICES  chart ").map((app) => app.name)).toEqual(["a"]);
    expect(found(apps, "").map((app) => app.name)).toEqual(["b", "a"]);
  });
});
