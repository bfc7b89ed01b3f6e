/** What the domains of operations share: the client libraries call them by the names of domain and operation. */

import type { OpenWindow, OpenWindows } from "./app-windows";
import type { ClientHost } from "./host";
import type { Json, Peer } from "./peer";

/** An operation: what the app asks for, and the window of the app. */
export type Operation = (data: Json, caller: OpenWindow) => unknown;

export interface Domain {
  readonly operations: Readonly<Record<string, Operation>>;
  /** A window was opened for an app. */
  added?(window: OpenWindow): void;
  removed?(window: OpenWindow): void;
}

/** What domains use of the platform. */
export interface Platform {
  readonly host: ClientHost;
  readonly windows: OpenWindows;
  /** The connection of the platform itself; an error if the gateway cannot be reached. */
  peer(): Peer;
  /** Send an event to all apps. */
  publish(domain: string, operation: string, data: unknown): void;
  /** Send an event to one app. */
  post(window: OpenWindow, domain: string, operation: string, data: unknown): void;
  /** Let the library of an app carry out an operation. */
  ask(window: OpenWindow, domain: string, operation: string, data: Json): Promise<Json>;
  /** Open an app; the window has been added when the promise is kept. */
  open(app: string, options: OpenOptions): Promise<OpenWindow>;
  /** Wait until the library of an app is connected; false if it is not in time. */
  connected(window: OpenWindow): Promise<boolean>;
}

export interface OpenOptions {
  /** The app that wants the other one to be opened. */
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
