/** The ways to make an app available to a user who does not have it, as far as the page can determine. */

import { may } from "../../api/context";
import type { Me, WhyNot } from "../../api/generated/client";
import { isPermission, powerMissing } from "./blocked";

export type WayName = "join" | "share" | "assign" | "enableUser" | "enableApp";

export interface Way {
  readonly name: WayName;
  readonly label: string;
  readonly description: string;
  /** The documents that change. */
  readonly kind: "users" | "apps";
  readonly action: string;
  /** Groups to choose from. */
  readonly groups?: readonly string[];
  /** Why the manager would reject it. */
  readonly blocked: string | null;
}

interface Situation {
  readonly me: Me;
  readonly whyNot: WhyNot;
  /** The effective groups of the user. */
  readonly groups: readonly string[];
}

export function waysFor({ me, whyNot, groups }: Situation): Way[] {
  const users = may(me, "USERS", "WRITE") ? null : "Requires the permission to change users.";
  const apps = may(me, "APPS", "WRITE") ? null : "Requires the permission to change apps.";
  const overUser = users ?? powerMissing(me, groups);
  switch (whyNot.because) {
    case "userDisabled":
      return [
        {
          name: "enableUser",
          label: "Enable the user",
          description: "The user can sign in again and receives all apps, layouts and settings.",
          kind: "users",
          action: "enable",
          blocked: overUser,
        },
      ];
    case "disabled":
      return [
        {
          name: "enableApp",
          label: "Enable the app",
          description: "The app becomes available to all users with access to it.",
          kind: "apps",
          action: "enable",
          blocked: apps,
        },
      ];
    case "notShared":
      return sharing(whyNot.groups ?? [], groups, me, overUser, apps);
    default:
      return [];
  }
}

function sharing(
  having: readonly string[],
  groups: readonly string[],
  me: Me,
  overUser: string | null,
  apps: string | null,
): Way[] {
  const own = groups.filter((name) => !isPermission(name));
  const open = having.filter((name) => powerMissing(me, [name]) === null);
  const ways: Way[] = [
    {
      name: "assign",
      label: "Assign the app to the user",
      description: "Only this user receives the app.",
      kind: "users",
      action: "grantApps",
      blocked: overUser,
    },
  ];
  if (own.length > 0)
    ways.unshift({
      name: "share",
      label: "Grant the app to a group of the user",
      description: "All members of the group receive the app.",
      kind: "apps",
      action: "grant",
      groups: own,
      blocked: apps,
    });
  if (having.length > 0)
    ways.unshift({
      name: "join",
      label: "Add the user to a group that has the app",
      description: "The user also receives the other apps, layouts and settings of the group.",
      kind: "users",
      action: "addToGroups",
      groups: open.length > 0 ? open : having,
      blocked: overUser ?? (open.length > 0 ? null : powerMissing(me, having)),
    });
  return ways;
}
