/** The windows and frames that the platform opened, for the client libraries. */

import type { AppWindow } from "../agent/app-window";
import { windowName } from "./page-messages";
import type { Relay } from "./relay";

export class OpenWindow {
  /** The id of the window in the libraries. */
  windowId: string;
  relay: Relay | null = null;
  channels: readonly string[] = [];
  /** The page that sent a message, which receives the responses. */
  page: Window | null = null;

  constructor(readonly app: AppWindow) {
    this.windowId = windowName(app.instanceId);
  }

  get isFrame(): boolean {
    return !this.app.outlivesPage;
  }

  /** Respond to the page, if it still has the origin of the app. */
  answer(message: object, transfer: Transferable[] = []): void {
    this.page?.postMessage({ glue42core: message }, this.app.origin, transfer);
  }
}

export class OpenWindows {
  private readonly windows = new Map<AppWindow, OpenWindow>();

  get all(): readonly OpenWindow[] {
    return [...this.windows.values()];
  }

  add(app: AppWindow): OpenWindow {
    const added = new OpenWindow(app);
    this.windows.set(app, added);
    return added;
  }

  remove(app: AppWindow): OpenWindow | undefined {
    const removed = this.windows.get(app);
    this.windows.delete(app);
    return removed;
  }

  of(app: AppWindow): OpenWindow | undefined {
    return this.windows.get(app);
  }

  /** The window with an id. At their start the libraries use the instance id, until they have that of their window. */
  withId(windowId: unknown): OpenWindow | undefined {
    return this.all.find((each) => each.windowId === windowId) ?? this.withInstance(windowId);
  }

  withInstance(instanceId: unknown): OpenWindow | undefined {
    return this.all.find((each) => each.app.instanceId === instanceId);
  }

  withPeer(peer: string): OpenWindow | undefined {
    return this.all.find((each) => each.relay !== null && each.relay.peer === peer);
  }
}
