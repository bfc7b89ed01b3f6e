/** A window or frame that the platform opened for an app. */

export interface AppWindow {
  readonly appId: string;
  /** The id of the instance, unique across machines. */
  readonly instanceId: string;
  /** The origin of the app's page, from its directory record. Only pages of this origin get responses. */
  readonly origin: string;
  /** Identifies the window or frame, also after its page was reloaded; unique across machines. */
  readonly place: string;
  /** Whether it stays open when the platform page is reloaded: true for windows, false for frames. */
  readonly outlivesPage: boolean;
}
