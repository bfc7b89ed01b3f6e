/** The options with which a main page starts the platform. */

export interface BrowserPlatformConfig {
  /** Accepted for compatibility, and not used. */
  licenseKey?: string;
  manager: {
    /** Address of the manager with the path of its API, such as `https://manager.example.com/api`. */
    url: string;
    auth: { basic: { username: string; password: string } };
    /** Polling interval while the manager sends no events, in milliseconds; 60000 if missing or 0. */
    fetchIntervalMS?: number;
    /** Interval at which the token of the session is renewed, in milliseconds; 3600000 if missing or 0. */
    tokenRefreshIntervalMS?: number;
  };
}

export interface Settings {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly fetchIntervalMS: number;
  readonly tokenRefreshIntervalMS: number;
}

const FETCH_MS = 60_000;
const REFRESH_MS = 3_600_000;
/** The maximum duration of timers in browsers. */
const LONGEST_MS = 2 ** 31 - 1;

/** Validate the options and add defaults; the error message names the property. */
export function settingsOf(config: BrowserPlatformConfig): Settings {
  const manager = objectAt(config, "the configuration").manager;
  const given = objectAt(manager, "manager");
  const basic = objectAt(objectAt(given.auth, "manager.auth").basic, "manager.auth.basic");
  return {
    url: addressOf(given.url),
    username: textAt(basic.username, "manager.auth.basic.username"),
    password: textAt(basic.password, "manager.auth.basic.password"),
    fetchIntervalMS: intervalAt(given.fetchIntervalMS, "manager.fetchIntervalMS", FETCH_MS),
    tokenRefreshIntervalMS: intervalAt(given.tokenRefreshIntervalMS, "manager.tokenRefreshIntervalMS", REFRESH_MS),
  };
}

function objectAt(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeError(`${name} must be an object.`);
}

function textAt(value: unknown, name: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${name} must be a non-empty string.`);
}

function addressOf(value: unknown): string {
  try {
    const address = new URL(textAt(value, "manager.url"));
    if (address.protocol === "https:" || address.protocol === "http:") return address.href.replace(/\/+$/, "");
  } catch {
    // Reported below.
  }
  throw new TypeError("manager.url must be an address such as https://manager.example.com/api.");
}

function intervalAt(value: unknown, name: string, usual: number): number {
  if (value === undefined || value === null || value === 0) return usual;
  if (typeof value === "number" && value > 0) return Math.min(value, LONGEST_MS);
  throw new TypeError(`${name} must be a number of milliseconds.`);
}
