/** Preferences: data that apps store for the user, on the manager. */

import type { OpenWindow } from "../app-windows";
import { objectOf, textOf } from "../client-app";
import type { Domain, Operation, Platform } from "../domain";
import type { StoredPreferences } from "../host";
import type { Json } from "../peer";

/** The name of the platform itself in the libraries. */
const PLATFORM = "Platform";

export class PreferencesDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    prefsHello: () => ({ platform: { app: PLATFORM }, validNonExistentApps: [PLATFORM], isAppValidationEnabled: true }),
    get: async ({ app }) => ({ prefs: await this.platform.host.preferences.read(this.valid("get", app)) }),
    getAll: async () => ({ all: await this.platform.host.preferences.readAll() }),
    set: ({ app, data }) => this.save(this.valid("set", app), objectOf(data)),
    update: ({ app, data }) => this.update(this.valid("update", app), objectOf(data)),
    clear: ({ app }) => this.clear(this.valid("clear", app)),
    clearAll: () => this.clearAll(),
    registerSubscriber: (_data, caller) => void this.subscribers.add(caller),
  };
  private readonly subscribers = new Set<OpenWindow>();
  /** The last preferences that subscribers received, by app: the manager also reports changes made here. */
  private readonly reported = new Map<string, string>();
  /** Changes are applied one after the other: an update reads the stored data before it writes. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly platform: Platform) {}

  removed(open: OpenWindow): void {
    this.subscribers.delete(open);
  }

  /** Notify subscribed apps of changed preferences, for example after a change on another machine. */
  async refresh(): Promise<void> {
    if (this.subscribers.size === 0) return;
    for (const prefs of await this.platform.host.preferences.readAll()) this.tell(prefs);
  }

  /** Notify subscribed apps of the new preferences of an app. */
  private changed(app: string): void {
    if (this.subscribers.size === 0) return;
    this.platform.host.preferences.read(app).then(
      (prefs) => this.tell(prefs),
      // The manager is unavailable; the next change notifies them.
      () => undefined,
    );
  }

  private tell(prefs: StoredPreferences): void {
    const text = JSON.stringify(prefs.data);
    if (this.reported.get(prefs.app) === text) return;
    this.reported.set(prefs.app, text);
    for (const each of this.subscribers) this.platform.post(each, "prefs", "prefsChanged", { prefs });
  }

  private valid(operation: string, app: unknown): string {
    const name = textOf(app);
    if (name !== PLATFORM && !this.platform.host.apps().some((each) => each.name === name)) {
      throw new Error(`prefs.${operation}: the user has no app ${name}.`);
    }
    return name;
  }

  private save(app: string, data: Json): Promise<void> {
    return this.inTurn(async () => {
      await this.platform.host.preferences.save(app, data);
      this.changed(app);
    });
  }

  private update(app: string, data: Json): Promise<void> {
    return this.inTurn(async () => {
      const before = await this.platform.host.preferences.read(app);
      await this.platform.host.preferences.save(app, { ...before.data, ...data });
      this.changed(app);
    });
  }

  private clear(app: string): Promise<void> {
    return this.inTurn(async () => {
      await this.platform.host.preferences.remove(app);
      this.changed(app);
    });
  }

  private clearAll(): Promise<void> {
    return this.inTurn(async () => {
      const all = await this.platform.host.preferences.readAll();
      await this.platform.host.preferences.removeAll();
      for (const { app } of all) this.changed(app);
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
