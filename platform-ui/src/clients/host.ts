/** What the page does for apps with client libraries. */

import type { AppIntent } from "../agent";
import type { AppWindow } from "../agent/app-window";
import type { ClientApp } from "./client-app";
import type { Json } from "./peer";

export interface Bounds {
  readonly top?: number;
  readonly left?: number;
  readonly width?: number;
  readonly height?: number;
}

export interface StoredLayout {
  readonly name: string;
  readonly type: string;
  readonly components: readonly Json[];
  readonly context?: unknown;
  readonly metadata?: unknown;
  readonly version?: number;
}

/** The layouts of the user. */
export interface LayoutStore {
  list(): Promise<readonly StoredLayout[]>;
  save(layout: StoredLayout): Promise<void>;
  rename(layout: StoredLayout, newName: string): Promise<void>;
  remove(type: string, name: string): Promise<void>;
  readDefault(): Promise<{ readonly name: string; readonly type: string } | null>;
  chooseDefault(layout: { readonly name: string; readonly type: string } | null): Promise<void>;
}

export interface StoredPreferences {
  readonly app: string;
  readonly data: Json;
  readonly lastUpdate?: string;
}

/** What apps store for the user. */
export interface PreferenceStore {
  read(app: string): Promise<StoredPreferences>;
  readAll(): Promise<readonly StoredPreferences[]>;
  save(app: string, data: Json): Promise<void>;
  remove(app: string): Promise<void>;
  removeAll(): Promise<void>;
}

export interface Theme {
  readonly name: string;
  readonly displayName: string;
}

export interface Themes {
  readonly all: readonly Theme[];
  current(): string;
  select(name: string): void;
}

/** A notification that an app has raised. */
export interface AppNotification extends Json {
  readonly id: string;
  readonly title: string;
  readonly body?: string;
  readonly state?: string;
}

export interface ClientHost {
  /** The apps of the user that run in a browser. */
  apps(): readonly ClientApp[];
  /**
   * Open an app for another one as this instance, and return the id of the instance: another one if the app runs already
   * and allows one instance. Call `Agent.add` with its window before its page is loaded; this may be later, if the
   * browser asks the user first. The window must have the name `windowName(instanceId)`, a frame `frameName(instanceId)`.
   */
  open(request: {
    readonly app: string;
    readonly instanceId: string;
    readonly source: string;
    readonly bounds: Bounds;
  }): Promise<string>;
  close(instanceId: string): void;
  focus(instanceId: string): void;
  /** Show the channels that an app is on. Apps whose library does not tell them are not named. */
  channelsChanged(instanceId: string, channels: readonly string[]): void;
  /** The library of an app is not connected any more. */
  disconnected(instanceId: string): void;
  /** Remember the channels of an app for as long as it is open. */
  rememberChannels(instanceId: string, channels: readonly string[]): void;
  /** The channels of an app as they were remembered; undefined if they never were. */
  channelsOf(instanceId: string): readonly string[] | undefined;
  /** Let the user choose who handles an intent; undefined if the user cancels. */
  choose(request: {
    readonly source: string;
    readonly appIntents: readonly AppIntent[];
    readonly context: unknown;
  }): Promise<{ readonly intent: string; readonly appId: string; readonly instanceId?: string } | undefined>;
  /** Show a notification as a message that goes away, if it wants that. */
  notify(notification: AppNotification): void;
  /** Show the notifications that are left. */
  notificationsChanged(notifications: readonly AppNotification[]): void;
  /** An app was not connected: show the reason. */
  refused(app: AppWindow, reason: string): void;
  readonly layouts: LayoutStore;
  readonly preferences: PreferenceStore;
  readonly themes: Themes;
}
