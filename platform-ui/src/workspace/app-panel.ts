/**
 * One app in a panel: its frame, or the reason why there is none and what to do. The frame is created once and never
 * moved in the document, because browsers reload a frame that is moved. dockview keeps it in a separate layer
 * (`renderer: "always"`) and only changes its position on the screen.
 */

import type { GroupPanelPartInitParameters, IContentRenderer } from "dockview";
import type { WebApp } from "../apps/apps";
import { frameName } from "../clients/page-messages";
import type { Interop } from "../interop/interop";
import { isKnownToFrame, probeFrame } from "./frame-probe";
import type { PanelParams } from "./layout-format";

/** `reload`: the app is newer than the policy of the page. `cookie`: without a session cookie, no app is allowed. */
export type Obstacle = "reload" | "cookie";

/** The functions that a panel uses. */
export interface PanelHost {
  /** The app, if the user has it. */
  appOf(name: string): WebApp | undefined;
  /** Why this page may not show an app in a frame; null if it may. */
  obstacle(app: WebApp): Obstacle | null;
  /** Open an app in a window, now and in future; false if the browser blocked it. */
  openOutside(app: WebApp): boolean;
  /** Called before the page of the frame runs, so that its first message is received. */
  frameMade(panel: AppPanel): void;
  frameGone(panel: AppPanel): void;
  /** The channel of each app, and whether it is connected. */
  readonly interop: Interop;
}

/** Apps have the usual permissions of pages, but cannot replace the platform by another page. */
const SANDBOX = [
  "allow-scripts",
  "allow-same-origin",
  "allow-forms",
  "allow-popups",
  "allow-popups-to-escape-sandbox",
  "allow-modals",
  "allow-downloads",
  "allow-pointer-lock",
  "allow-storage-access-by-user-activation",
].join(" ");

const REFUSAL =
  "The page does not allow other pages to show it, answers with an error, or cannot be reached. Open it in a window instead.";

export class AppPanel implements IContentRenderer {
  readonly element = document.createElement("div");
  frame: HTMLIFrameElement | null = null;
  app: WebApp | undefined;
  name = "";
  private isProbed = false;

  constructor(
    /** The identity of the running app. */
    readonly id: string,
    private readonly host: PanelHost,
  ) {
    this.element.className = "app-panel";
  }

  init({ params }: GroupPanelPartInitParameters): void {
    this.name = (params as PanelParams).app;
    this.show();
  }

  /** Show the app, or the reason why not; called again when the user's apps have changed. */
  show(): void {
    if (this.frame) return;
    const app = this.host.appOf(this.name);
    this.app = app;
    if (!app) {
      const text = `You do not have an app "${this.name}" that runs in a browser. Ask an administrator, or close this tab.`;
      this.explain("This app is not available", text, []);
      return;
    }
    const obstacle = this.host.obstacle(app);
    if (obstacle === "reload") {
      const text = `The app "${app.title}" was added or moved after this page was opened. Reload the page to show it here.`;
      this.explain("Reload required", text, [this.outside(app), reload()]);
    } else if (obstacle === "cookie") {
      const text = "Apps can be shown on this page only if the browser stores the session cookie of the manager.";
      this.explain(`"${app.title}" opens in a window`, text, [this.outside(app)]);
    } else this.load(app);
  }

  dispose(): void {
    if (this.frame) this.host.frameGone(this);
  }

  focus(): void {
    this.frame?.focus();
  }

  /** Replace the frame by an explanation: the browser did not show the page. */
  refused(reason: string): void {
    const { app } = this;
    if (!app || !this.frame) return;
    this.host.frameGone(this);
    this.frame = null;
    const anyway = button("Show it anyway", () => this.load(app));
    this.explain(`"${app.title}" cannot be shown here`, reason, [this.outside(app), anyway]);
  }

  private load(app: WebApp): void {
    const frame = document.createElement("iframe");
    frame.title = app.title;
    frame.name = frameName(this.id);
    frame.setAttribute("sandbox", SANDBOX);
    frame.allow = "clipboard-read; clipboard-write; fullscreen";
    this.frame = frame;
    frame.src = app.url;
    this.element.replaceChildren(frame);
    this.host.frameMade(this);
    if (this.isProbed || isKnownToFrame(app.url)) return;
    this.isProbed = true;
    this.element.append(probeFrame(app.url, () => this.refused(REFUSAL)));
  }

  private explain(title: string, text: string, buttons: HTMLButtonElement[]): void {
    const notice = document.createElement("div");
    notice.className = "app-notice";
    notice.setAttribute("role", "status");
    const heading = document.createElement("h2");
    heading.textContent = title;
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    notice.append(heading, paragraph, ...buttons);
    this.element.replaceChildren(notice);
  }

  private outside(app: WebApp): HTMLButtonElement {
    return button("Open in a window", () => this.host.openOutside(app));
  }
}

function reload(): HTMLButtonElement {
  return button("Reload the page", () => window.location.reload());
}

function button(label: string, action: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", action);
  return made;
}
