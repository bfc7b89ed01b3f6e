/** Notifications of apps: in the list of the page, as short messages, and by the browser if the user enabled that. */

import { UnstyledButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { AppNotification, ClientPlatform } from "../clients";
import { showByBrowser } from "./by-browser";
import { type Choice, type Notice, notices } from "./notifications";

type Clients = () => ClientPlatform | undefined;

/** Show a notification temporarily; a click is forwarded to its app. */
export function showToast({ id, title, body = "" }: AppNotification, clients: Clients, notifies: boolean): void {
  const click = () => {
    notifications.hide(shown);
    clients()?.clickNotification(id);
  };
  const shown = notifications.show({
    title,
    message: <UnstyledButton onClick={click}>{body || "Open"}</UnstyledButton>,
  });
  if (notifies) showByBrowser(title, body, click);
}

/** Show the notifications of apps in the list of the page. */
export function listNotifications(all: readonly AppNotification[], clients: Clients): void {
  notices.replaceOfApps(
    all.map((notification) => noticeOf(notification, clients)),
    () => {
      for (const { id } of all) clients()?.clearNotification(id);
    },
  );
}

function noticeOf(notification: AppNotification, clients: Clients): Omit<Notice, "isRead"> {
  const { id, title, body = "", timestamp, actions } = notification;
  const own = (Array.isArray(actions) ? actions : []) as { action?: unknown; title?: unknown }[];
  const choices: Choice[] = [
    { label: "Open", run: () => clients()?.clickNotification(id) },
    ...own.map(({ action, title: label }) => ({
      label: String(label),
      run: () => clients()?.clickNotification(id, String(action)),
    })),
    { label: "Dismiss", run: () => clients()?.clearNotification(id) },
  ];
  return { id, title, text: body, time: new Date(typeof timestamp === "number" ? timestamp : Date.now()), choices };
}
