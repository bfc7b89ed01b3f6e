/** The scopes of configuration files, lowest precedence first. */

import type { ConfigView } from "../../api/generated/client";

export const SCOPES = ["base", "version", "group", "user"] as const;
export type Scope = (typeof SCOPES)[number];

export interface Place {
  readonly scope: Scope;
  /** The version, group or user; empty for base. */
  readonly target: string;
}

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  base: "Everyone",
  version: "Versions",
  group: "Groups",
  user: "Users",
};

export function placeOf(config: Pick<ConfigView, "scope" | "version" | "group" | "user">): Place {
  const scope = SCOPES.find((each) => each === config.scope) ?? "base";
  return { scope, target: config.version ?? config.group ?? config.user ?? "" };
}

/** The member of a request that contains the scope. */
export function placeBody({ scope, target }: Place): { version?: string; group?: string; user?: string } {
  return scope === "base" ? {} : { [scope]: target };
}

export function placeText({ scope, target }: Place): string {
  return scope === "base" ? "everyone" : `${scope} ${target}`;
}

export interface Branch {
  readonly place: Place;
  readonly files: readonly ConfigView[];
}

/** The tree of scopes: for each scope its targets, and for each of them its files. */
export function branchesOf(configs: readonly ConfigView[]): Map<Scope, Branch[]> {
  const branches = new Map<Scope, Branch[]>(SCOPES.map((scope) => [scope, []]));
  for (const config of configs) {
    const place = placeOf(config);
    const list = branches.get(place.scope) ?? [];
    const at = list.findIndex((branch) => branch.place.target === place.target);
    const old = list[at];
    if (old) list[at] = { place, files: [...old.files, config] };
    else list.push({ place, files: [config] });
  }
  for (const list of branches.values()) list.sort(byTarget);
  return branches;
}

function byTarget(one: Branch, other: Branch): number {
  return one.place.target.localeCompare(other.place.target, "en", { numeric: true });
}
