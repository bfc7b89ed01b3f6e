/** The kinds of documents that batches change: their operations and their actions. */

import type { Kind } from "../documents/kinds";

export interface BulkAction {
  readonly action: string;
  /** On the button of the list. */
  readonly label: string;
  /** With the documents, which replace `*`, such as `Add 3 users to groups`; without it, they follow the label. */
  readonly sentence?: string;
  /** What has to be chosen for it. */
  readonly argument?: "groups" | "apps";
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

export const BATCHES = {
  users: {
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
} as const satisfies Partial<Record<Kind, { actions: readonly BulkAction[] } & Record<string, unknown>>>;

export type BatchKind = keyof typeof BATCHES;

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

/** What an action does, such as `Disable users`. */
export function titleOf(kind: BatchKind, action: BulkAction): string {
  return about(action, BATCHES[kind].many);
}

/** What an action does to how many documents, such as `Disable 3 users`. */
export function counting(kind: BatchKind, action: BulkAction, count: number): string {
  return about(action, counted(kind, count));
}

function about(action: BulkAction, documents: string): string {
  return (action.sentence ?? `${action.label} *`).replace("*", documents);
}
