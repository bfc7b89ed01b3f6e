/** Apps in the format of the client libraries, from the records of the app directory. */

import { webApp } from "../apps/apps";
import type { Json } from "./peer";

export interface ClientIntent {
  readonly name: string;
  readonly displayName?: string;
  readonly contexts?: readonly string[];
  readonly resultType?: string;
}

export interface ClientApp {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly origin: string;
  readonly version?: string;
  readonly icon?: string;
  readonly caption?: string;
  readonly isHidden: boolean;
  readonly details: Json;
  readonly customProperties: Json;
  readonly intents: readonly ClientIntent[];
}

/** Read the apps that run in a browser. */
export function clientApps(records: readonly Json[]): ClientApp[] {
  return records.flatMap((record) => {
    const app = webApp(record);
    if (app === null) return [];
    const definition = objectOf(objectOf(record.hostManifests).rostrum);
    const version = textOf(record.version);
    return [
      {
        name: app.name,
        title: app.title,
        url: app.url,
        origin: app.origin,
        ...(version ? { version } : {}),
        ...(app.icon ? { icon: app.icon } : {}),
        ...(app.description ? { caption: app.description } : {}),
        isHidden: !app.isListed,
        details: { ...objectOf(definition.details), url: app.url },
        customProperties: objectOf(definition.customProperties),
        intents: intentsOf(record),
      },
    ];
  });
}

/** Data for the libraries at their start and when the directory changes. */
export function applicationData(app: ClientApp): Json {
  const { name, title, version, icon, caption, details, intents, isHidden, customProperties } = app;
  const userProperties = { ...customProperties, details, intents, hidden: isHidden };
  return present({ name, type: "window", title, version, icon, caption, userProperties });
}

/** The definition that `inMemory.export()` returns. */
export function definition(app: ClientApp): Json {
  const { name, title, version, icon, caption, details, intents, isHidden, customProperties } = app;
  return present({
    name,
    type: "window",
    title,
    version,
    icon,
    caption,
    details,
    intents,
    hidden: isHidden,
    customProperties,
  });
}

function intentsOf(record: Json): ClientIntent[] {
  const listensFor = objectOf(objectOf(objectOf(record.interop).intents).listensFor);
  return Object.entries(listensFor).map(([name, value]) => {
    const { displayName, contexts, resultType } = objectOf(value);
    return present({
      name,
      displayName: textOf(displayName) || undefined,
      contexts: Array.isArray(contexts) ? contexts.filter((each) => typeof each === "string") : undefined,
      resultType: textOf(resultType) || undefined,
    }) as unknown as ClientIntent;
  });
}

/** Remove members without a value: the libraries only accept missing members. */
export function present(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
