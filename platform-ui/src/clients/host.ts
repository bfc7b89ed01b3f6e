/** Functions of the page for apps with client libraries. */

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

/** Data that apps store for the user. */
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

/** A notification of an app. */
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
   * Open an app for another one as this instance, and return the id of the instance: another one if the app is already
   * running and allows one instance. Call `Agent.add` with its window before its page is loaded; this may be later, if
   * the browser asks the user first. The window must have the name `windowName(instanceId)`, a frame
   * `frameName(instanceId)`.
   */
  open(request: {
    readonly app: string;
    readonly instanceId: string;
    readonly source: string;
    readonly bounds: Bounds;
  }): Promise<string>;
  close(instanceId: string): void;
  focus(instanceId: string): void;
  /** Show the channels of an app. Apps whose library does not report them are not included. */
  channelsChanged(instanceId: string, channels: readonly string[]): void;
  /** The library of an app has disconnected. */
  disconnected(instanceId: string): void;
  /** Store the channels of an app while it is open. */
  rememberChannels(instanceId: string, channels: readonly string[]): void;
  /** The stored channels of an app; undefined if there are none. */
  channelsOf(instanceId: string): readonly string[] | undefined;
  /** Let the user choose the handler of an intent; undefined if the user cancels. */
  choose(request: {
    readonly source: string;
    readonly appIntents: readonly AppIntent[];
    readonly context: unknown;
  }): Promise<{ readonly intent: string; readonly appId: string; readonly instanceId?: string } | undefined>;
  /** Show a notification as a temporary message, if requested. */
  notify(notification: AppNotification): void;
  /** Show the remaining notifications. */
  notificationsChanged(notifications: readonly AppNotification[]): void;
  /** An app was not connected: show the reason. */
  refused(app: AppWindow, reason: string): void;
  readonly layouts: LayoutStore;
  readonly preferences: PreferenceStore;
  readonly themes: Themes;
}
