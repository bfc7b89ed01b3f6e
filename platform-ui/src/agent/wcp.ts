/**
 * The Web Connection Protocol of FDC3: answers the pages of apps that look for an agent.
 *
 * Every page can send messages to this one. Only windows and frames that the platform opened are answered, only if the
 * sender has the origin of the app's directory record, and only to exactly this origin.
 */

import type { AppWindow } from "./app-window";

interface Hello {
  readonly type: "WCP1Hello";
  readonly meta: { readonly connectionAttemptUuid: string };
}

export interface Handshakes {
  /** An app has connected: its messages come on this port. */
  connected(app: AppWindow, port: MessagePort): void;
  /** A page was not answered. */
  refused(app: AppWindow, reason: string): void;
}

export class WebConnections {
  private readonly windows = new Map<MessageEventSource, AppWindow>();
  private readonly attempts = new WeakMap<AppWindow, string>();
  private readonly listener = (event: MessageEvent) => this.hello(event);

  constructor(
    private readonly handshakes: Handshakes,
    private readonly page: Window = window,
  ) {
    page.addEventListener("message", this.listener);
  }

  /** Answer a window or frame from now on. Call this before the page of the app is loaded there. */
  add(target: Window, app: AppWindow): void {
    this.windows.set(target, app);
  }

  remove(target: Window): void {
    this.windows.delete(target);
  }

  /** List the windows that the user or their app has closed. Frames are removed by the page that shows them. */
  closed(): readonly Window[] {
    return [...this.windows.keys()].filter((each) => (each as Window).closed).map((each) => each as Window);
  }

  stop(): void {
    this.page.removeEventListener("message", this.listener);
  }

  private hello(event: MessageEvent): void {
    const app = event.source === null ? undefined : this.windows.get(event.source);
    if (app === undefined || !isHello(event.data)) return;
    if (event.origin !== app.origin) {
      this.handshakes.refused(app, `A page of ${event.origin} is shown in the window of ${app.appId}`);
      return;
    }
    const attempt = event.data.meta.connectionAttemptUuid;
    // A page asks all its ancestors and its opener, which can be this page twice.
    if (this.attempts.get(app) === attempt) return;
    this.attempts.set(app, attempt);
    const { port1, port2 } = new MessageChannel();
    this.handshakes.connected(app, port1);
    const answer = {
      type: "WCP3Handshake",
      meta: { connectionAttemptUuid: attempt, timestamp: new Date().toISOString() },
      // The resolver and the channel selector belong to the platform.
      payload: { fdc3Version: "2.2", intentResolverUrl: false, channelSelectorUrl: false },
    };
    (event.source as Window).postMessage(answer, event.origin, [port2]);
  }
}

function isHello(data: unknown): data is Hello {
  const { type, meta } = (data ?? {}) as Partial<Hello>;
  return type === "WCP1Hello" && typeof meta?.connectionAttemptUuid === "string";
}
