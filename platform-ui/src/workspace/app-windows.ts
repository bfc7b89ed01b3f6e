/** Apps in windows and tabs of the browser. */

import type { WebApp } from "../apps/apps";
import { windowName } from "../clients/page-messages";
import { newId } from "./new-id";

export interface AppWindow {
  readonly id: string;
  readonly app: WebApp;
  readonly window: Window;
}

/** The requested bounds of a window, if any. */
export interface Bounds {
  readonly top?: number;
  readonly left?: number;
  readonly width?: number;
  readonly height?: number;
}

/** A window that this tab has opened, by the name of its app. */
export interface KnownWindow {
  readonly id: string;
  readonly app: string;
}

const LOOK_EVERY_MS = 1_000;
const MOST_KNOWN = 100;

export class AppWindows {
  private readonly open = new Map<string, AppWindow>();
  /** Windows that were opened before the page was reloaded, until they are found. */
  private readonly known = new Map<string, string>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly onChange: () => void,
    /** Notified immediately of each window, before its page runs, and of each closed window. */
    private readonly watcher: { opened(window: AppWindow): void; closed(window: AppWindow): void },
  ) {}

  get all(): readonly AppWindow[] {
    return [...this.open.values()];
  }

  /** Open a window or a tab; null if the browser blocked it. */
  add(app: WebApp, place: "window" | "tab", id: string = newId(), bounds: Bounds = {}): AppWindow | null {
    const size = { width: app.width ?? 960, height: app.height ?? 640, ...bounds };
    const features = ["popup", ...Object.entries(size).map(([name, value]) => `${name}=${Math.round(value)}`)].join(
      ",",
    );
    // The platform must access the window later, so it keeps its opener.
    const opened = window.open(app.url, windowName(id), place === "window" ? features : "");
    return opened && this.opened({ id, app, window: opened });
  }

  /** The open windows, to be stored for a reload of the page. */
  get saved(): KnownWindow[] {
    const open = this.all.map(({ id, app }) => ({ id, app: app.name }));
    return [...[...this.known].map(([id, app]) => ({ id, app })), ...open].slice(-MOST_KNOWN);
  }

  /** Set the windows that were opened before the page was reloaded. */
  expect(windows: readonly KnownWindow[]): void {
    for (const { id, app } of windows) this.known.set(id, app);
  }

  /** Find the window of a page that has sent a message, if this tab has opened it for an app of this origin. */
  recall(source: Window, origin: string, appOf: (name: string) => WebApp | undefined): void {
    if (source.opener !== window) return;
    for (const [id, name] of [...this.known]) {
      const app = appOf(name);
      if (app?.origin === origin && this.find(id, app) === source) return;
    }
  }

  /** Find the window of an instance that was opened before the page was reloaded. */
  recallInstance(id: string, appOf: (name: string) => WebApp | undefined): void {
    const app = appOf(this.known.get(id) ?? "");
    if (app) this.find(id, app);
  }

  /**
   * Get the window by the name with which it was opened. Without such a window, the browser opens or blocks an empty
   * one.
   */
  private find(id: string, app: WebApp): Window | null {
    this.known.delete(id);
    const found = window.open("", windowName(id));
    if (found === null || isEmpty(found)) {
      found?.close();
      return null;
    }
    return this.opened({ id, app, window: found }).window;
  }

  private opened(made: AppWindow): AppWindow {
    this.open.set(made.id, made);
    this.watcher.opened(made);
    // There is no event when a window of another origin is closed.
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS);
    this.onChange();
    return made;
  }

  close(id: string): void {
    this.open.get(id)?.window.close();
    this.look();
  }

  of(app: string): AppWindow | undefined {
    this.look();
    return this.all.find((each) => each.app.name === app);
  }

  private look(): void {
    const closed = this.all.filter((each) => each.window.closed);
    for (const each of closed) {
      this.open.delete(each.id);
      this.watcher.closed(each);
    }
    if (this.open.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    if (closed.length > 0) this.onChange();
  }
}

/** Whether a window is empty. The page of an app has another origin, so its address cannot be read. */
function isEmpty(found: Window): boolean {
  try {
    return found.location.href === "about:blank";
  } catch {
    return false;
  }
}
