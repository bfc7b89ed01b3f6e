/**
 * Detects whether a page refuses to be shown in a frame. Browsers do not report this for an `iframe`: a refused page
 * has the same events as any other. They report it for an `object`, because it has a fallback for content that cannot
 * be shown. So a page is loaded once more, invisibly, when a browser opens it for the first time.
 */

const KNOWN = "rostrum-frames";
const MOST_KNOWN = 1000;

export function isKnownToFrame(url: string): boolean {
  return known().includes(url);
}

/** Create the element that loads the page; it removes itself, and reports a page that cannot be shown. */
export function probeFrame(url: string, onRefused: () => void): HTMLObjectElement {
  const probe = document.createElement("object");
  probe.className = "frame-probe";
  probe.setAttribute("aria-hidden", "true");
  probe.tabIndex = -1;
  probe.type = "text/html";
  probe.data = url;
  probe.addEventListener("load", () => {
    probe.remove();
    remember(url);
  });
  probe.addEventListener("error", () => {
    probe.remove();
    onRefused();
  });
  return probe;
}

function known(): string[] {
  try {
    const list = JSON.parse(localStorage.getItem(KNOWN) ?? "[]") as unknown;
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function remember(url: string): void {
  try {
    localStorage.setItem(KNOWN, JSON.stringify([url, ...known()].slice(0, MOST_KNOWN)));
  } catch {
    // Without storage the page is loaded twice next time as well.
  }
}
