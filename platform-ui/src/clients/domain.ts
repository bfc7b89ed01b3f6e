/** Common parts of the domains of operations, which the client libraries call by the names of domain and operation. */

import type { OpenWindow, OpenWindows } from "./app-windows";
import type { ClientHost } from "./host";
import type { Json, Peer } from "./peer";

/** An operation: the request of the app, and the window of the app. */
export type Operation = (data: Json, caller: OpenWindow) => unknown;

export interface Domain {
  readonly operations: Readonly<Record<string, Operation>>;
  /** A window was opened for an app. */
  added?(window: OpenWindow): void;
  removed?(window: OpenWindow): void;
}

/** Functions of the platform that domains use. */
export interface Platform {
  readonly host: ClientHost;
  readonly windows: OpenWindows;
  /** The connection of the platform itself; an error if the gateway is not available. */
  peer(): Peer;
  /** Send an event to all apps. */
  publish(domain: string, operation: string, data: unknown): void;
  /** Send an event to one app. */
  post(window: OpenWindow, domain: string, operation: string, data: unknown): void;
  /** Request the library of an app to perform an operation. */
  ask(window: OpenWindow, domain: string, operation: string, data: Json): Promise<Json>;
  /** Open an app; the window has been added when the promise is resolved. */
  open(app: string, options: OpenOptions): Promise<OpenWindow>;
  /** Wait until the library of an app is connected; false after a time limit. */
  connected(window: OpenWindow): Promise<boolean>;
}

export interface OpenOptions {
  /** The app that requested to open the other one. */
  readonly source: OpenWindow;
  readonly bounds?: Json;
  readonly context?: unknown;
  readonly channel?: string;
}

export class UnsupportedOperation extends Error {
  constructor(domain: unknown, operation: unknown, reason = "This platform does not support it.") {
    super(`The operation ${domain}.${operation} is not available. ${reason}`);
  }
}

/** Find the window that an operation names. */
export function windowOf(platform: Platform, operation: string, windowId: unknown): OpenWindow {
  const found = platform.windows.withId(windowId);
  if (found === undefined) throw new Error(`${operation}: there is no window with the id ${String(windowId)}.`);
  return found;
}

export function boundsOf(data: Json): Record<string, number> {
  const names = ["top", "left", "width", "height"] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof data[name] === "number" ? [[name, data[name]]] : [])));
}
