/**
 * Messages of the windows and frames that the platform opened, for the protocols with which apps connect. Any page can
 * send messages to this one. A protocol only gets those of windows and frames that the platform opened, and only if the
 * sender has the origin of the app's directory record.
 */

import { parseWindowMessage, type WindowMessage } from "../messages";
import type { AppWindow } from "./app-window";

/** A message of an app's page. Respond to `source` with exactly `app.origin` as the target. */
export interface AppPageMessage {
  readonly app: AppWindow;
  readonly source: Window;
  readonly data: WindowMessage;
}

/** A protocol with which the pages of apps connect. */
export interface AppProtocol {
  /** Whether a message belongs to this protocol, regardless of its sender. */
  recognises(data: WindowMessage): boolean;
  /** Handle a message of an app. */
  receive(message: AppPageMessage): void;
  /** The platform has opened a window or frame for an app; its page is not loaded yet. */
  added?(app: AppWindow): void;
  /** The window or frame of an app was closed. */
  removed?(app: AppWindow): void;
}

export class WindowMessages {
  private readonly targets = new Map<Window | HTMLIFrameElement, AppWindow>();
  private readonly listener = (event: MessageEvent) => this.receive(event);

  constructor(
    private readonly protocols: readonly AppProtocol[],
    private readonly refused: (app: AppWindow, reason: string) => void,
    /** Called for an unknown window: it may have been opened before this page was reloaded. */
    private readonly recall: (source: Window, origin: string) => void = () => undefined,
    private readonly page: Window = window,
  ) {
    page.addEventListener("message", this.listener);
  }

  /** Start to listen to a window or frame. Call this before the page of the app is loaded there. */
  add(target: Window | HTMLIFrameElement, app: AppWindow): void {
    this.targets.set(target, app);
    for (const each of this.protocols) each.added?.(app);
  }

  remove(target: Window | HTMLIFrameElement): AppWindow | undefined {
    const app = this.targets.get(target);
    this.targets.delete(target);
    if (app !== undefined) for (const each of this.protocols) each.removed?.(app);
    return app;
  }

  /** List the windows that the user or their app has closed. Frames are removed by the page that shows them. */
  closed(): readonly Window[] {
    return [...this.targets.keys()].filter((each): each is Window => !isFrame(each) && each.closed);
  }

  stop(): void {
    this.page.removeEventListener("message", this.listener);
  }

  private receive(event: MessageEvent): void {
    const data = parseWindowMessage(event.data);
    const protocol = data === null ? undefined : this.protocols.find((each) => each.recognises(data));
    if (data === null || protocol === undefined || event.source === null) return;
    const app = this.appOf(event.source) ?? this.recalled(event.source as Window, event.origin);
    if (app === undefined) return;
    if (event.origin !== app.origin) {
      this.refused(app, `A page of ${event.origin} is shown in the window of ${app.appId}`);
      return;
    }
    protocol.receive({ app, source: event.source as Window, data });
  }

  private recalled(source: Window, origin: string): AppWindow | undefined {
    this.recall(source, origin);
    return this.appOf(source);
  }

  private appOf(source: MessageEventSource): AppWindow | undefined {
    for (const [target, app] of this.targets) {
      // The window of a frame exists only after the frame was added to the document.
      if ((isFrame(target) ? target.contentWindow : target) === source) return app;
    }
    return undefined;
  }
}

function isFrame(target: Window | HTMLIFrameElement): target is HTMLIFrameElement {
  return target instanceof HTMLIFrameElement;
}
