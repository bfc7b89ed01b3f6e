/** Windows: the platform opens, focuses and closes them; their pages handle the rest. */

import type { OpenWindow } from "../app-windows";
import { boundsOf, type Domain, type Operation, type Platform, UnsupportedOperation, windowOf } from "../domain";
import type { Json } from "../peer";

/** Operations that the library in the window performs. */
const BY_PAGE = ["getBounds", "getTitle", "getUrl", "setTitle", "getChannel", "refresh"] as const;

export class WindowsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    windowHello: () => ({ windows: this.platform.windows.all.map(dataOf), isWorkspaceFrame: false }),
    openWindow: (data, caller) => this.open(data, caller),
    focus: ({ windowId }) => this.platform.host.focus(this.window("focus", windowId).app.instanceId),
    close: ({ windowId }) => this.platform.host.close(this.window("close", windowId).app.instanceId),
    moveResize: (data) => this.moveResize(data),
    focusChange: ({ hasFocus }, caller) => this.focusChanged(caller, hasFocus === true),
    getFrameBounds: ({ windowId }) => this.byPage("getFrameBounds", { windowId }),
    setZoomFactor: (data) => this.zoom(data),
    ...Object.fromEntries(BY_PAGE.map((name) => [name, (data: Json) => this.byPage(name, data)])),
  };

  constructor(private readonly platform: Platform) {}

  added(open: OpenWindow): void {
    this.platform.publish("windows", "windowAdded", dataOf(open));
  }

  removed(open: OpenWindow): void {
    this.platform.publish("windows", "windowRemoved", { windowId: open.windowId });
  }

  private window(operation: string, windowId: unknown): OpenWindow {
    return windowOf(this.platform, `windows.${operation}`, windowId);
  }

  /** Open a page by its address. Only pages of apps can connect, so it must be the address of one. */
  private async open(data: Json, source: OpenWindow): Promise<Json> {
    const { url } = data;
    const options = (data.options ?? {}) as Json;
    const app = this.platform.host.apps().find((each) => isPage(each.url, url));
    if (app === undefined) {
      throw new UnsupportedOperation("windows", "openWindow", `No app of the user has the address ${String(url)}.`);
    }
    const bounds = boundsOf(options);
    return dataOf(await this.platform.open(app.name, { source, bounds, context: options.context }));
  }

  private moveResize(data: Json): Promise<Json> {
    const open = this.window("moveResize", data.windowId);
    if (open.isFrame) {
      throw new UnsupportedOperation("windows", "moveResize", "Only the user can arrange apps in a workspace.");
    }
    return this.platform.ask(open, "windows", "moveResize", data);
  }

  private async zoom(data: Json): Promise<void> {
    await this.byPage("setZoomFactor", data);
    this.platform.publish("windows", "zoomFactorChange", data);
  }

  private byPage(operation: string, data: Json): Promise<Json> {
    return this.platform.ask(this.window(operation, data.windowId), "windows", operation, data);
  }

  private focusChanged(open: OpenWindow, hasFocus: boolean): void {
    this.platform.publish("windows", "focusChange", { windowId: open.windowId, hasFocus });
  }
}

function dataOf(open: OpenWindow): Json {
  return { windowId: open.windowId, name: open.app.appId };
}

/** Whether two addresses are of the same page, ignoring query and fragment. */
function isPage(page: string, address: unknown): boolean {
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  const [first, second] = [new URL(page), new URL(address)];
  return first.origin === second.origin && first.pathname === second.pathname;
}
