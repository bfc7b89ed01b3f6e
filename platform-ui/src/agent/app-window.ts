/** A window or frame that the platform opened for an app. */

export interface AppWindow {
  readonly appId: string;
  /** The id of the instance, unique across machines. */
  readonly instanceId: string;
  /** The origin of the app's page, from its directory record. Only pages of this origin are answered. */
  readonly origin: string;
  /** Identifies the window or frame, also after its page was loaded again; unique across machines. */
  readonly place: string;
  /** Whether it stays open when the page of the platform is loaded again: true for windows, not for frames. */
  readonly outlivesPage: boolean;
}
