/** The kinds of documents and records that batches change: their operations and their actions. */

import type { Resource } from "../../api/context";

export interface BulkAction {
  readonly action: string;
  /** Label of the button in the list. */
  readonly label: string;
  /**
   * Label with the documents, which replace `*`, such as `Add 3 users to groups`; by default, they follow the label.
   */
  readonly sentence?: string;
  /** The required arguments. */
  readonly argument?: "groups" | "apps" | "assignee";
  /** An argument that can be set, and its label. */
  readonly option?: { readonly name: "reviewReports"; readonly label: string };
  readonly isDangerous?: boolean;
}

const ENABLE: BulkAction = { action: "enable", label: "Enable" };
const DISABLE: BulkAction = { action: "disable", label: "Disable" };
const DELETE: BulkAction = { action: "delete", label: "Delete", isDangerous: true };
const SHARING: readonly BulkAction[] = [
  { action: "grant", label: "Grant to groups", sentence: "Grant * to groups", argument: "groups" },
  { action: "revoke", label: "Revoke from groups", sentence: "Revoke * from groups", argument: "groups" },
  ENABLE,
  DISABLE,
  DELETE,
];

const TRIAGE: readonly BulkAction[] = [
  { action: "investigate", label: "Investigate", sentence: 'Set the status of * to "Investigating"' },
  { action: "resolve", label: "Resolve" },
  { action: "ignore", label: "Ignore" },
  { action: "reopen", label: "Reopen" },
  { action: "assign", label: "Assign", argument: "assignee" },
  { action: "unassign", label: "Remove assignee", sentence: "Remove the assignee of *" },
];

const CRASH_TRIAGE: readonly BulkAction[] = TRIAGE.map((each) =>
  each.action === "resolve"
    ? { ...each, option: { name: "reviewReports", label: "Also mark their reports as reviewed" } }
    : each,
);

export const BATCHES = {
  users: {
    label: "Users",
    right: "USERS",
    one: "user",
    many: "users",
    preview: "previewUserBatch",
    start: "startUserBatch",
    read: "readUserBatch",
    targets: "listUserBatchTargets",
    resume: "resumeUserBatch",
    cancel: "cancelUserBatch",
    actions: [
      DISABLE,
      ENABLE,
      { action: "addToGroups", label: "Add to groups", sentence: "Add * to groups", argument: "groups" },
      { action: "removeFromGroups", label: "Remove from groups", sentence: "Remove * from groups", argument: "groups" },
      { action: "grantApps", label: "Grant apps", sentence: "Grant apps to *", argument: "apps" },
      { action: "revokeApps", label: "Revoke apps", sentence: "Revoke apps from *", argument: "apps" },
      DELETE,
    ],
  },
  groups: {
    label: "Groups",
    right: "GROUPS",
    one: "group",
    many: "groups",
    preview: "previewGroupBatch",
    start: "startGroupBatch",
    read: "readGroupBatch",
    targets: "listGroupBatchTargets",
    resume: "resumeGroupBatch",
    cancel: "cancelGroupBatch",
    actions: [DELETE],
  },
  apps: {
    label: "Applications",
    right: "APPS",
    one: "app",
    many: "apps",
    preview: "previewAppBatch",
    start: "startAppBatch",
    read: "readAppBatch",
    targets: "listAppBatchTargets",
    resume: "resumeAppBatch",
    cancel: "cancelAppBatch",
    actions: SHARING,
  },
  layouts: {
    label: "Layouts",
    right: "LAYOUTS",
    one: "layout",
    many: "layouts",
    preview: "previewLayoutBatch",
    start: "startLayoutBatch",
    read: "readLayoutBatch",
    targets: "listLayoutBatchTargets",
    resume: "resumeLayoutBatch",
    cancel: "cancelLayoutBatch",
    actions: SHARING,
  },
  preferences: {
    label: "Preferences",
    right: "PREFERENCES",
    one: "preference",
    many: "preferences",
    preview: "previewPreferenceBatch",
    start: "startPreferenceBatch",
    read: "readPreferenceBatch",
    targets: "listPreferenceBatchTargets",
    resume: "resumePreferenceBatch",
    cancel: "cancelPreferenceBatch",
    actions: [DELETE],
  },
  configs: {
    label: "System configuration",
    right: "SYSTEM_CONFIGS",
    one: "configuration file",
    many: "configuration files",
    preview: "previewConfigBatch",
    start: "startConfigBatch",
    read: "readConfigBatch",
    targets: "listConfigBatchTargets",
    resume: "resumeConfigBatch",
    cancel: "cancelConfigBatch",
    actions: [DELETE],
  },
  sessions: {
    label: "Sessions",
    right: "SESSIONS",
    one: "session",
    many: "sessions",
    preview: "previewSessionBatch",
    start: "startSessionBatch",
    read: "readSessionBatch",
    targets: "listSessionBatchTargets",
    resume: "resumeSessionBatch",
    cancel: "cancelSessionBatch",
    actions: [{ action: "end", label: "End", isDangerous: true }],
  },
  machines: {
    label: "Machines",
    right: "MACHINES",
    one: "machine",
    many: "machines",
    preview: "previewMachineBatch",
    start: "startMachineBatch",
    read: "readMachineBatch",
    targets: "listMachineBatchTargets",
    resume: "resumeMachineBatch",
    cancel: "cancelMachineBatch",
    actions: [DELETE],
  },
  commands: {
    label: "Commands",
    right: "COMMANDS",
    one: "command",
    many: "commands",
    preview: "previewCommandBatch",
    start: "startCommandBatch",
    read: "readCommandBatch",
    targets: "listCommandBatchTargets",
    resume: "resumeCommandBatch",
    cancel: "cancelCommandBatch",
    actions: [DELETE],
  },
  "crash-groups": {
    label: "Crashes",
    right: "CRASHES",
    one: "crash group",
    many: "crash groups",
    preview: "previewCrashGroupBatch",
    start: "startCrashGroupBatch",
    read: "readCrashGroupBatch",
    targets: "listCrashGroupBatchTargets",
    resume: "resumeCrashGroupBatch",
    cancel: "cancelCrashGroupBatch",
    actions: CRASH_TRIAGE,
  },
  crashes: {
    label: "Crashes",
    right: "CRASHES",
    one: "crash",
    many: "crashes",
    preview: "previewCrashBatch",
    start: "startCrashBatch",
    read: "readCrashBatch",
    targets: "listCrashBatchTargets",
    resume: "resumeCrashBatch",
    cancel: "cancelCrashBatch",
    actions: [DELETE],
  },
  feedback: {
    label: "Feedback",
    right: "FEEDBACKS",
    one: "feedback report",
    many: "feedback reports",
    preview: "previewFeedbackBatch",
    start: "startFeedbackBatch",
    read: "readFeedbackBatch",
    targets: "listFeedbackBatchTargets",
    resume: "resumeFeedbackBatch",
    cancel: "cancelFeedbackBatch",
    actions: [...TRIAGE, DELETE],
  },
  directories: {
    label: "Directory addresses",
    right: "APPS",
    one: "directory address",
    many: "directory addresses",
    preview: "previewDirectoryBatch",
    start: "startDirectoryBatch",
    read: "readDirectoryBatch",
    targets: "listDirectoryBatchTargets",
    resume: "resumeDirectoryBatch",
    cancel: "cancelDirectoryBatch",
    actions: [{ action: "revoke", label: "Revoke", isDangerous: true }],
  },
  tokens: {
    label: "API tokens of all users",
    list: "/tokens/-/all",
    right: "USERS",
    one: "API token",
    many: "API tokens",
    preview: "previewTokenBatch",
    start: "startTokenBatch",
    read: "readTokenBatch",
    targets: "listTokenBatchTargets",
    resume: "resumeTokenBatch",
    cancel: "cancelTokenBatch",
    actions: [{ action: "revoke", label: "Revoke", isDangerous: true }],
  },
} as const satisfies Record<string, { right: Resource; actions: readonly BulkAction[] } & Record<string, unknown>>;

/** Kinds whose IDs are meaningless to users, so that previews do not list them. */
export const WITHOUT_NAMES: ReadonlySet<BatchKind> = new Set<BatchKind>([
  "layouts",
  "preferences",
  "configs",
  "sessions",
  "commands",
  "crashes",
  "crash-groups",
  "feedback",
  "directories",
  "tokens",
]);

/** Kinds whose documents have no page of their own. */
export const WITHOUT_PAGES: ReadonlySet<BatchKind> = new Set<BatchKind>(["directories", "tokens"]);

/** Also the first part of its query keys. */
export type BatchKind = keyof typeof BATCHES;

/** The path of the list of a kind. */
export function listOf(kind: BatchKind): string {
  const facts = BATCHES[kind];
  return "list" in facts ? facts.list : `/${kind}`;
}

export function isBatchKind(name: string): name is BatchKind {
  return name in BATCHES;
}

export function actionOf(kind: BatchKind, name: string): BulkAction | undefined {
  const actions: readonly BulkAction[] = BATCHES[kind].actions;
  return actions.find((each) => each.action === name);
}

/** Return a number of documents as text, such as `1 user` or `1,200 users`. */
export function counted(kind: BatchKind, count: number): string {
  return count === 1 ? `1 ${BATCHES[kind].one}` : `${count.toLocaleString("en")} ${BATCHES[kind].many}`;
}

/** The label of an action, such as `Disable users`. */
export function titleOf(kind: BatchKind, action: BulkAction): string {
  return about(action, BATCHES[kind].many);
}

/** The label of an action with the number of documents, such as `Disable 3 users`. */
export function counting(kind: BatchKind, action: BulkAction, count: number): string {
  return about(action, counted(kind, count));
}

function about(action: BulkAction, documents: string): string {
  return (action.sentence ?? `${action.label} *`).replace("*", documents);
}
