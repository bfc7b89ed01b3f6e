/** The windows and frames that the platform opened, as the client libraries know them. */

import type { AppWindow } from "../agent/app-window";
import type { Relay } from "./relay";

/** The libraries take the id of their window from its name, if the name contains this text. */
const MARK = "g42-";
const FRAME_MARK = "#wsp";

/** The name that a window or tab of an app must be opened with. */
export function windowName(instanceId: string): string {
  return MARK + instanceId;
}

/** The name that the frame of an app must have. */
export function frameName(instanceId: string): string {
  return windowName(instanceId) + FRAME_MARK;
}

export class OpenWindow {
  /** The id by which the libraries know the window. */
  windowId: string;
  relay: Relay | null = null;
  channels: readonly string[] = [];

  constructor(
    readonly target: Window,
    readonly app: AppWindow,
  ) {
    this.windowId = windowName(app.instanceId);
  }

  get isFrame(): boolean {
    return this.target.parent !== this.target;
  }
}

export class OpenWindows {
  private readonly windows = new Map<MessageEventSource, OpenWindow>();

  get all(): readonly OpenWindow[] {
    return [...this.windows.values()];
  }

  add(target: Window, app: AppWindow): OpenWindow {
    const added = new OpenWindow(target, app);
    this.windows.set(target, added);
    return added;
  }

  remove(target: Window): OpenWindow | undefined {
    const removed = this.windows.get(target);
    this.windows.delete(target);
    return removed;
  }

  of(target: MessageEventSource | null): OpenWindow | undefined {
    return target === null ? undefined : this.windows.get(target);
  }

  /** The window with an id. At their start the libraries use the instance id, until they know that of their window. */
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
