/** The apps that a browser can show, read from the records of the app directory. */

export type Place = "frame" | "window" | "tab";

export interface WebApp {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly origin: string;
  readonly icon: string | null;
  /** Where the definition requires the app to open. */
  readonly place: Place;
  /** Whether the launcher lists the app. */
  readonly isListed: boolean;
  readonly allowsMany: boolean;
  /** The size of its window, if it has one. */
  readonly width: number | null;
  readonly height: number | null;
  readonly sortOrder: number;
  /** The searchable text, in lower case. */
  readonly words: string;
}

type Json = Record<string, unknown>;

/** Read the web apps of a directory, in the order of the launcher. Programs need a desktop, so they are omitted. */
export function webApps(records: readonly Json[]): WebApp[] {
  return records
    .map(webApp)
    .filter((app) => app !== null)
    .sort((a, b) => a.sortOrder - b.sortOrder || a.title.localeCompare(b.title));
}

export function webApp(record: Json): WebApp | null {
  const name = textOf(record.appId);
  const address = addressOf(objectOf(record.details).url);
  const definition = objectOf(objectOf(record.hostManifests).rostrum);
  const type = textOf(definition.type).toLowerCase();
  // Pages that arrange other windows have nothing to show in a panel.
  if (record.type !== "web" || !name || !address || ["webgroup", "workspaces"].includes(type)) return null;
  const details = objectOf(definition.details);
  const title = textOf(record.title) || name;
  const description = textOf(record.description) || textOf(record.tooltip);
  const keywords = Array.isArray(definition.keywords) ? definition.keywords.map(textOf) : [];
  const icon = Array.isArray(record.icons) ? textOf(objectOf(record.icons[0]).src) : "";
  return {
    name,
    title,
    description,
    url: address.href,
    origin: address.origin,
    icon: icon || null,
    place: placeOf(details.openInBrowser ?? definition.openInBrowser),
    isListed: definition.hidden !== true && definition.disabled !== true,
    allowsMany: definition.allowMultiple !== false,
    width: numberOf(details.width),
    height: numberOf(details.height),
    sortOrder: numberOf(definition.sortOrder) ?? 1000,
    words: [title, name, description, ...keywords].join(" ").toLowerCase(),
  };
}

/** Find the apps that contain all words of a search; those whose title begins with the first word come first. */
export function found(apps: readonly WebApp[], search: string): WebApp[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const listed = apps.filter((app) => app.isListed && words.every((word) => app.words.includes(word)));
  const start = words[0];
  if (!start) return listed;
  const begins = (app: WebApp) => Number(!app.title.toLowerCase().startsWith(start));
  return listed.sort((a, b) => begins(a) - begins(b));
}

function placeOf(value: unknown): Place {
  return value === "window" || value === "tab" ? value : "frame";
}

function addressOf(value: unknown): URL | null {
  try {
    const address = new URL(textOf(value));
    return address.protocol === "https:" || address.protocol === "http:" ? address : null;
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
