/** Apps of the directory and their running instances. The directory belongs to the manager: apps cannot change it. */

import type { OpenWindow } from "../app-windows";
import { applicationData, definition } from "../client-app";
import { boundsOf, type Domain, type Operation, type Platform, windowOf } from "../domain";
import { windowName } from "../page-messages";
import type { Json } from "../peer";

export class AppsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    appHello: () => ({ apps: this.platform.host.apps().map((app) => this.withInstances(applicationData(app))) }),
    applicationStart: (data, caller) => this.start(data, caller),
    instanceStop: ({ id }) => this.stop(id),
    export: () => ({ definitions: this.platform.host.apps().map(definition) }),
  };
  private known = new Map<string, string>();

  constructor(private readonly platform: Platform) {}

  added(open: OpenWindow): void {
    if (this.known.size === 0) this.remember();
    this.platform.publish("appManager", "instanceStarted", dataOf(open));
  }

  removed(open: OpenWindow): void {
    this.platform.publish("appManager", "instanceStopped", dataOf(open));
    for (const name of contextNames(open.app.instanceId)) void this.removeContext(name);
  }

  /** Notify the apps of changes in the directory. */
  changed(): void {
    const before = this.known;
    this.remember();
    const added: Json[] = [];
    const changed: Json[] = [];
    for (const [name, text] of this.known) {
      if (before.get(name) === undefined) added.push(JSON.parse(text));
      else if (before.get(name) !== text) changed.push(JSON.parse(text));
    }
    const removed = [...before].filter(([name]) => !this.known.has(name)).map(([, text]) => JSON.parse(text) as Json);
    const data = { appsAdded: added, appsChanged: changed, appsRemoved: removed };
    this.platform.publish("appManager", "appDirectoryStateChange", data);
  }

  /** Store the start data of an app, before its page can request it. */
  async giveContext(instanceId: string, context: unknown): Promise<void> {
    if (typeof context !== "object" || context === null) return;
    for (const name of contextNames(instanceId)) await this.platform.peer().createContext(name, context);
  }

  private remember(): void {
    this.known = new Map(this.platform.host.apps().map((app) => [app.name, JSON.stringify(applicationData(app))]));
  }

  private withInstances(app: Json): Json {
    return {
      ...app,
      instances: this.platform.windows.all.filter(({ app: { appId } }) => appId === app.name).map(dataOf),
    };
  }

  private async start(data: Json, source: OpenWindow): Promise<Json> {
    const { name, context, channelId, waitForAGMReady } = data;
    if (!this.platform.host.apps().some((app) => app.name === name)) {
      throw new Error(`appManager.applicationStart: the user has no app ${String(name)} that runs in a browser.`);
    }
    const channel = typeof channelId === "string" ? { channel: channelId } : {};
    const opened = await this.platform.open(String(name), { source, bounds: boundsOf(data), context, ...channel });
    // Apps without a client library never connect, but are also open.
    if (waitForAGMReady === true) await this.platform.connected(opened);
    return dataOf(opened);
  }

  private stop(id: unknown): void {
    this.platform.host.close(windowOf(this.platform, "appManager.instanceStop", id).app.instanceId);
  }

  private async removeContext(name: string): Promise<void> {
    try {
      await this.platform.peer().destroyContext(name);
    } catch {
      // The gateway is not available, or another client has removed it.
    }
  }
}

function dataOf(open: OpenWindow): Json {
  return { id: open.windowId, applicationName: open.app.appId };
}

function contextNames(instanceId: string): string[] {
  return ["___window___", "___instance___"].map((prefix) => prefix + windowName(instanceId));
}
