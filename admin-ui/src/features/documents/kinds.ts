/** The kinds of documents that have a history, and the operations of each. */

import type { Resource } from "../../api/context";

export const KINDS = {
  apps: {
    document: "app",
    label: "Applications",
    right: "APPS",
    revisions: "listAppRevisions",
    revision: "readAppRevision",
    rollBack: "rollBackApp",
    rollBackAll: "rollBackAllApps",
    preview: "previewApps",
    receipts: "apps",
  },
  layouts: {
    document: "layout",
    label: "Layouts",
    right: "LAYOUTS",
    revisions: "listLayoutRevisions",
    revision: "readLayoutRevision",
    rollBack: "rollBackLayout",
    rollBackAll: "rollBackAllLayouts",
    preview: "previewLayouts",
    receipts: "layouts",
  },
  preferences: {
    document: "preference",
    label: "Preferences",
    right: "PREFERENCES",
    revisions: "listPreferenceRevisions",
    revision: "readPreferenceRevision",
    rollBack: "rollBackPreference",
    rollBackAll: "rollBackAllPreferences",
    preview: null,
    receipts: "prefs",
  },
  configs: {
    document: "config",
    label: "System configuration",
    right: "SYSTEM_CONFIGS",
    revisions: "listConfigRevisions",
    revision: "readConfigRevision",
    rollBack: "rollBackConfig",
    rollBackAll: "rollBackAllConfigs",
    preview: "previewConfigs",
    receipts: "systemConfig",
  },
  users: {
    document: "user",
    label: "Users",
    right: "USERS",
    revisions: "listUserRevisions",
    revision: "readUserRevision",
    rollBack: "rollBackUser",
    rollBackAll: "rollBackAllUsers",
    preview: "previewUsers",
    receipts: null,
  },
  groups: {
    document: "group",
    label: "Groups",
    right: "GROUPS",
    revisions: "listGroupRevisions",
    revision: "readGroupRevision",
    rollBack: "rollBackGroup",
    rollBackAll: "rollBackAllGroups",
    preview: "previewGroups",
    receipts: null,
  },
} as const satisfies Record<string, { right: Resource } & Record<string, string | null>>;

/** Also the address of its list, and the first part of what its answers are kept under. */
export type Kind = keyof typeof KINDS;
/** Kinds whose changes can be tried out before they are made. */
export type PreviewedKind = { [K in Kind]: (typeof KINDS)[K]["preview"] extends null ? never : K }[Kind];
/** Kinds of which running desktops say what they have applied. */
export type ReceivedKind = { [K in Kind]: (typeof KINDS)[K]["receipts"] extends null ? never : K }[Kind];
