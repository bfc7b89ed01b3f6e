/** Notifications of apps: kept while the page is open, shown by the platform. */

import type { OpenWindow } from "../app-windows";
import { objectOf, present, textOf } from "../client-app";
import type { Domain, Operation, Platform } from "../domain";
import type { AppNotification } from "../host";
import type { Json } from "../peer";

const MOST = 100;
const STATES = ["Active", "Acknowledged", "Seen", "Closed", "Stale", "Snoozed", "Processing"];

interface Raised {
  readonly source: OpenWindow;
  readonly notification: AppNotification;
}

export class NotificationsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    requestPermission: () => ({ permissionGranted: true }),
    getPermission: () => ({ permission: "granted" }),
    raiseNotification: ({ settings, id }, caller) => this.raise(objectOf(settings), textOf(id), caller),
    list: () => ({ notifications: this.all }),
    click: ({ id, action }) => this.click(textOf(id), action === undefined ? undefined : textOf(action)),
    clear: ({ id }) => this.clear(textOf(id)),
    clearAll: () => this.remove(() => true),
    clearOld: () => this.remove(({ state }) => state !== "Active"),
    setState: ({ id, state }) => this.setState(textOf(id), textOf(state)),
    getActiveCount: () => ({ count: this.activeCount }),
    getConfiguration: () => ({ configuration: this.configuration }),
    configure: ({ configuration }) => this.configure(objectOf(configuration)),
  };
  private raised: readonly Raised[] = [];
  private configuration = {
    enable: true,
    enableToasts: true,
    sourceFilter: { allowed: ["*"] as readonly string[], blocked: [] as readonly string[] },
  };

  constructor(private readonly platform: Platform) {}

  /** The user has clicked a notification. */
  clicked(id: string, action?: string): void {
    const found = this.raised.find(({ notification }) => notification.id === id);
    if (found === undefined) return;
    const { source, notification } = found;
    const { state: _state, ...definition } = notification;
    const data = present({ id, action, definition: standard(definition) });
    this.platform.post(source, "notifications", "notificationClick", data);
    void this.callMethod(notification, action);
    this.setState(id, "Acknowledged");
  }

  clear(id: string): void {
    this.remove((each) => each.id === id);
  }

  private get all(): readonly AppNotification[] {
    return this.raised.map(({ notification }) => notification);
  }

  private get activeCount(): number {
    return this.all.filter(({ state }) => state === "Active").length;
  }

  private raise(settings: Json, id: string, source: OpenWindow): Json {
    const { enable, enableToasts, sourceFilter } = this.configuration;
    const { appId } = source.app;
    const isAllowed = sourceFilter.allowed.includes("*") || sourceFilter.allowed.includes(appId);
    if (!enable || !isAllowed || sourceFilter.blocked.includes(appId)) {
      throw new Error(`notifications.raiseNotification: notifications of ${appId} are disabled.`);
    }
    if (!id || this.all.some((each) => each.id === id)) {
      throw new Error("notifications.raiseNotification: the ID is missing or already in use.");
    }
    // The page shows these members, so they must be texts.
    const { body, state, ...rest } = settings;
    const notification = {
      timestamp: Date.now(),
      ...rest,
      ...(textOf(body) ? { body: textOf(body) } : {}),
      state: STATES.includes(textOf(state)) ? textOf(state) : "Active",
      id,
      title: textOf(settings.title),
    };
    this.raised = [{ source, notification }, ...this.raised].slice(0, MOST);
    if (enableToasts && settings.showToast !== false) this.platform.host.notify(notification);
    this.platform.publish("notifications", "notificationRaised", { notification });
    this.platform.post(source, "notifications", "notificationShow", { id, definition: standard(settings) });
    this.changed();
    return { settings };
  }

  private click(id: string, action?: string): void {
    this.find("click", id);
    this.clicked(id, action);
  }

  private setState(id: string, state: string): void {
    if (!STATES.includes(state)) throw new Error(`notifications.setState: there is no state ${state}.`);
    this.find("setState", id);
    this.raised = this.raised.map((each) =>
      each.notification.id === id ? { ...each, notification: { ...each.notification, state } } : each,
    );
    this.platform.publish("notifications", "stateChange", { id, state });
    this.changed();
  }

  private remove(isWanted: (notification: AppNotification) => boolean): void {
    const removed = this.all.filter(isWanted);
    this.raised = this.raised.filter(({ notification }) => !removed.includes(notification));
    for (const { id } of removed) this.platform.publish("notifications", "notificationClosed", { id });
    if (removed.length > 0) this.changed();
  }

  private configure({ enable, enableToasts, sourceFilter }: Json): void {
    const { allowed, blocked } = objectOf(sourceFilter);
    const before = this.configuration;
    this.configuration = {
      enable: typeof enable === "boolean" ? enable : before.enable,
      enableToasts: typeof enableToasts === "boolean" ? enableToasts : before.enableToasts,
      sourceFilter: {
        allowed: Array.isArray(allowed) ? allowed.map(textOf) : before.sourceFilter.allowed,
        blocked: Array.isArray(blocked) ? blocked.map(textOf) : before.sourceFilter.blocked,
      },
    };
    this.platform.publish("notifications", "configurationChanged", { configuration: this.configuration });
  }

  private find(operation: string, id: string): void {
    if (this.all.some((each) => each.id === id)) return;
    throw new Error(`notifications.${operation}: there is no notification ${id}.`);
  }

  private changed(): void {
    this.platform.publish("notifications", "activeCountChange", { count: this.activeCount });
    this.platform.host.notificationsChanged(this.all);
  }

  /** Call the method that the notification names for a click. */
  private async callMethod(notification: AppNotification, action?: string): Promise<void> {
    const actions = Array.isArray(notification.actions) ? notification.actions.map(objectOf) : [];
    const named =
      action === undefined ? notification.clickInterop : actions.find((each) => each.action === action)?.interop;
    const { method, arguments: args, target } = objectOf(named);
    if (typeof method !== "string") return;
    try {
      const methods = this.platform
        .peer()
        .known(method)
        .filter(({ name }) => name === method);
      const called = target === "all" ? methods : methods.slice(0, 1);
      await Promise.all(called.map((each) => this.platform.peer().call(each, objectOf(args))));
    } catch {
      // The result of a click is not used.
    }
  }
}

/** The members that all libraries accept in events. */
function standard(settings: Json): Json {
  const names = ["badge", "body", "data", "dir", "icon", "image", "lang", "renotify", "requireInteraction", "silent"];
  return present(Object.fromEntries([...names, "tag", "timestamp", "vibrate"].map((name) => [name, settings[name]])));
}
