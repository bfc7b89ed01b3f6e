/** The kinds of documents with a history, and their operations. */

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

/** Also the path of its list, and the first part of its query keys. */
export type Kind = keyof typeof KINDS;
/** Kinds with previews of changes. */
export type PreviewedKind = { [K in Kind]: (typeof KINDS)[K]["preview"] extends null ? never : K }[Kind];
/** Kinds for which running desktops report applied revisions. */
export type ReceivedKind = { [K in Kind]: (typeof KINDS)[K]["receipts"] extends null ? never : K }[Kind];
