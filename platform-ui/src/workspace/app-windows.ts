/** Apps in windows and tabs of the browser. */

import type { WebApp } from "../apps/apps";
import { newId } from "./new-id";

export interface AppWindow {
  readonly id: string;
  readonly app: WebApp;
  readonly window: Window;
}

const LOOK_EVERY_MS = 1_000;

export class AppWindows {
  private readonly open = new Map<string, AppWindow>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly onChange: () => void,
    /** Told at once of each window, before its page runs, and of each that was closed. */
    private readonly watcher: { opened(window: AppWindow): void; closed(window: AppWindow): void },
  ) {}

  get all(): readonly AppWindow[] {
    return [...this.open.values()];
  }

  /** Open a window or a tab; null if the browser blocked it. */
  add(app: WebApp, place: "window" | "tab", id: string = newId()): AppWindow | null {
    const size = `popup,width=${app.width ?? 960},height=${app.height ?? 640}`;
    // The platform must reach the window later, so the relation to its opener is kept.
    const opened = window.open(app.url, `rostrum-${id}`, place === "window" ? size : "");
    if (!opened) return null;
    const made = { id, app, window: opened };
    this.open.set(id, made);
    this.watcher.opened(made);
    // No event says that a window of another origin was closed.
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS);
    this.onChange();
    return made;
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
