/** The Web Connection Protocol of FDC3: responds to pages of apps that search for an agent. */

import type { WindowMessage } from "../messages";
import type { AppWindow } from "./app-window";
import type { AppPageMessage, AppProtocol } from "./window-messages";

export class WebConnections implements AppProtocol {
  private readonly attempts = new WeakMap<AppWindow, string>();

  /** Set the function that is called when an app has connected: its messages arrive on the port. */
  constructor(private readonly connected: (app: AppWindow, port: MessagePort) => void) {}

  recognises({ type }: WindowMessage): boolean {
    return type === "WCP1Hello";
  }

  receive({ app, source, data }: AppPageMessage): void {
    if (data.type !== "WCP1Hello") return;
    const { attempt } = data;
    // A page sends requests to all its ancestors and its opener, which can be this page twice.
    if (this.attempts.get(app) === attempt) return;
    this.attempts.set(app, attempt);
    const { port1, port2 } = new MessageChannel();
    this.connected(app, port1);
    const answer = {
      type: "WCP3Handshake",
      meta: { connectionAttemptUuid: attempt, timestamp: new Date().toISOString() },
      // The resolver and the channel selector belong to the platform.
      payload: { fdc3Version: "2.2", intentResolverUrl: false, channelSelectorUrl: false },
    };
    source.postMessage(answer, app.origin, [port2]);
  }
}
