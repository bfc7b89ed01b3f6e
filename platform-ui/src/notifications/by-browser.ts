/** Notifications that the browser shows outside the page, while the page is not visible. */

export function showByBrowser(title: string, body: string, onClick?: () => void): void {
  if (document.visibilityState !== "hidden" || !("Notification" in window)) return;
  if (Notification.permission !== "granted") return;
  const shown = new Notification(title, { body, tag: "rostrum" });
  if (onClick) shown.onclick = onClick;
}
