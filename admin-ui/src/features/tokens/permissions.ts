/** The permissions that an API token can have. */

import { mayEverything } from "../../api/context";
import type { Me } from "../../api/generated/client";

const PREFIX = "PLATFORM_MANAGER:";
export const ADMINISTRATOR = "PLATFORM_SERVER_ADMIN";

/** The name of a permission without the part that all of them share. */
export function shortPermission(name: string): string {
  return name === ADMINISTRATOR ? "Administrator" : name.replace(PREFIX, "");
}

/** The permissions of a user, as choices: a token cannot have others. */
export function permissionChoices(me: Me): { value: string; label: string }[] {
  const names = mayEverything(me) ? [ADMINISTRATOR, ...me.permissions] : me.permissions;
  return names.map((value) => ({ value, label: shortPermission(value) }));
}
