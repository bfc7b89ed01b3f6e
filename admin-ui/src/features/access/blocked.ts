/** Why the manager would reject a change or deletion of a user or a group, as far as the page can determine. */

import { mayEverything } from "../../api/context";
import type { Me } from "../../api/generated/client";

const ADMIN_GROUP = "PLATFORM_SERVER_ADMIN";
const PERMISSION_PREFIX = "PLATFORM_MANAGER:";

/**
 * Users with permissions can be deleted only by users who have the same permissions; nobody can delete their own
 * account.
 */
export function userDeletionBlocked(me: Me, user: string, groups: readonly string[]): string | null {
  if (user === me.id) return "You cannot delete your own account. Ask another administrator.";
  return powerMissing(me, groups);
}

export function groupDeletionBlocked(
  me: Me,
  group: string,
  inherited: readonly string[],
  files: number,
): string | null {
  if (group === ADMIN_GROUP) return "The administrator group cannot be deleted.";
  if (isPermission(group) && !mayEverything(me))
    return "Only administrators can delete a group that grants permissions.";
  if (files > 0) return `Configuration files (${files.toLocaleString()}) belong to this group. Delete the files first.`;
  return powerMissing(me, inherited);
}

/** The permissions of these groups that the caller lacks, in a sentence. */
export function powerMissing(me: Me, groups: readonly string[]): string | null {
  if (mayEverything(me)) return null;
  const missing = groups.filter(
    (name) => name === ADMIN_GROUP || (isPermission(name) && !me.permissions.includes(name)),
  );
  return missing.length > 0 ? `Requires permissions that you do not have: ${missing.join(", ")}.` : null;
}

/** Whether a group grants a permission of the manager. */
export function isPermission(group: string): boolean {
  return group.startsWith(PERMISSION_PREFIX);
}
