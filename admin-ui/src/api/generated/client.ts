// Made by `make generate` from the manager's OpenAPI document; do not edit.

/** Both sides and their differences. Parts that the caller may not read are null. */
export interface AccessComparison {
  left: ComparedSide;
  right: ComparedSide;
  groups: ComparedItems;
  apps: ComparedItems | null;
  layouts: ComparedItems | null;
  configs: ComparedValues | null;
}

/** A user who sent reports of a crash group. */
export interface AffectedUser {
  user: string | null;
  count: number;
  lastSeen: string;
}

/** One page of API tokens. */
export interface ApiTokenList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: ApiTokenView[];
}

/** An API token, without its secret part. */
export interface ApiTokenView {
  id: string;
  /** The owner: the token never has more rights than this user. */
  user: string;
  name: string;
  permissions: string[];
  created: string;
  createdBy: string;
  expires: string;
  /** Time of a recent request with the token, exact to a minute. */
  lastUsed: string | null;
}

/** Some members of an app. */
export interface AppChange {
  definition?: Record<string, unknown>;
  public?: boolean;
  accessList?: string[];
  disabled?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  name?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A complete app, identified by ``definition.name``. */
export interface AppEntry {
  definition: Record<string, unknown>;
  /** Available to all users. */
  public?: boolean;
  /** Groups that may see it. */
  accessList?: string[];
  /** Not available to any user. */
  disabled?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  name?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Many apps at once: all of them are imported, or none. */
export interface AppImport {
  applications: Record<string, unknown>[];
  public?: boolean;
  accessList?: string[];
  /** Replace existing definitions. */
  overwrite?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of apps. */
export interface AppList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: AppView[];
}

/** An app in responses. */
export interface AppView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  name: string;
  definition: Record<string, unknown>;
  public: boolean;
  accessList: string[];
  disabled: boolean;
}

/** The response of an app store. */
export interface Applications {
  applications: Record<string, unknown>[];
  /** Only in the FDC3 directory. */
  message?: string | null;
}

/** The revisions that a client has applied, by the names of events. */
export interface Applied {
  apps?: number | null;
  layouts?: number | null;
  prefs?: number | null;
  systemConfig?: number | null;
  commands?: number | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The number of connected desktops that have applied all changes of a kind, and of those that have not. */
export interface AppliedCount {
  applied: number;
  pending: number;
}

/** The apps, if they have changed. */
export interface AppsData {
  hasChanges: boolean;
  data: Record<string, unknown>[];
  info: InfoView;
}

/** The user, group or version for which the files were merged. */
export interface Asked {
  user: string | null;
  group: string | null;
  version: string | null;
  file: string | null;
  path: string | null;
}

/** Numbers that need attention unless they are 0. */
export interface AttentionView {
  /** Commands that desktops have answered with a failure. */
  failedCommands: CountSince | null;
  /** Command runs that stopped because a limit was exceeded. */
  stoppedRuns: number | null;
  haltedRollouts: HaltedRollouts;
  /** Proposals of others that the caller can approve or reject. */
  proposals: number;
  /** Crash reports since the last change of an app, a layout, a configuration file or a group that the caller may read. */
  crashes: CountSince | null;
  outdated: OutdatedDesktops | null;
  /** API tokens of all users that expire soon. */
  expiringTokens: CountBetween | null;
}

/** The approval of a change by a second administrator. */
export interface AuditApproval {
  proposal: string;
  author: string;
  approver: string;
  comment: string;
}

/** The batch that a change is a part of, and the reason that its author gave. */
export interface AuditBatch {
  id: string;
  comment: string;
  ticket: string;
}

/** The change of one object by an operation. */
export interface AuditChange {
  kind: string;
  id: string;
  /** created, changed or deleted; exported or imported for all data of the server */
  action: string;
  diff: AuditEdit[];
  /** Number of further edits that are not shown. */
  omitted?: number | null;
  /** True when the contents are not shown because the caller may not read this kind. */
  withheld?: boolean | null;
  /** SHA-256 of what it made of a document, as the history keeps it. */
  digest?: string | null;
}

/** One changed value; secrets are masked, and large values are replaced by their size. */
export interface AuditEdit {
  /** add, remove or replace */
  op: string;
  /** JSON Pointer to the member that changed. */
  path: string;
  before?: unknown;
  after?: unknown;
  /** Bytes of a value that is too large to be shown. */
  beforeSize?: number | null;
  /** Bytes of a value that is too large to be shown. */
  afterSize?: number | null;
}

/** One entry of the audit. */
export interface AuditEntryView {
  /** Position in the chain. */
  number: number;
  /** The revision that the operation made; null when it changed no document. */
  revision: number | null;
  at: string;
  actor: string;
  /** Id of the HTTP operation, or the command, or the occasion. */
  operation: string;
  origin: AuditOrigin;
  /** Number of changed objects; the first hundred are shown. */
  changed: number;
  changes: AuditChange[];
  /** Only in entries of a batch. */
  batch?: AuditBatch | null;
  /** The reason for the change, if its author gave one. */
  comment?: string | null;
  /** The ticket of the change, if its author gave one. */
  ticket?: string | null;
  /** Only for changes that required approval. */
  approval?: AuditApproval | null;
  /** SHA-256 over the hash before it, a line feed, and the canonical text of the entry. */
  hash: string;
}

/** The first modified entry, or the first entry whose document was modified. */
export interface AuditFault {
  number: number;
  message: string;
}

/** One page of entries. */
export interface AuditList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: AuditEntryView[];
}

/** The origin of an operation. */
export interface AuditOrigin {
  /** Address of the caller; for commands the account and machine they ran on. */
  address: string;
  /** Id of the request, the same as in the log. */
  request: string;
  /** User agent of the client. */
  agent: string;
  /** Name and ID of the API token, if the request had one. */
  token?: string | null;
}

/** The result of verifying the chain. */
export interface AuditVerification {
  ok: boolean;
  /** The number of intact entries. */
  entries: number;
  /** Number and hash of the last intact entry; store it elsewhere, and send it later. */
  head: string;
  fault: AuditFault | null;
}

/** The arguments of an action. */
export interface BatchArguments {
  /** For addToGroups, removeFromGroups, grant and revoke. */
  groups?: string[];
  /** For grantApps and revokeApps. */
  apps?: string[];
  /** One user, for assign. */
  assignee?: string[];
  /** For resolve of crash groups: also mark their reports as reviewed. */
  reviewReports?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The filter of a list: the batch changes all documents that the list shows with this filter. */
export interface BatchFilter {
  /** The text to search for. */
  q?: string;
  /** The filters of the list, by the names of their parameters. */
  fields?: Record<string, unknown>;
  /** Documents that match and are not changed. */
  exclude?: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of batches. */
export interface BatchList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: BatchView[];
}

/** The effect of a batch; nothing was written. */
export interface BatchPreviewView {
  total: number;
  /** How many documents would change. */
  done: number;
  /** How many documents already have the requested state. */
  unchanged: number;
  /** How many documents would be refused. */
  refused: number;
  /** With more than one, other changes can happen between the transactions. */
  transactions: number;
  refusals: BatchRefusal[];
  /** The first documents; those that would be refused come first. */
  items: BatchTarget[];
}

/** A reason for refusals, and the number of documents it applies to. */
export interface BatchRefusal {
  message: string;
  count: number;
}

/** An action, and the documents to apply it to: either IDs or the filter of a list. */
export interface BatchRequest {
  /** Users: enable, disable, addToGroups, removeFromGroups, grantApps, revokeApps, delete. Apps and layouts: enable, disable, grant, revoke, delete. Sessions: end. Directory addresses: revoke. Crash groups: investigate, resolve, ignore, reopen, assign, unassign. Feedback: the same, and delete. Other kinds: delete. */
  action: string;
  arguments?: BatchArguments;
  /** The IDs or names of the documents. */
  ids?: string[] | null;
  filter?: BatchFilter | null;
  /** The number of documents that match the filter, as a preview returns it; required to start a batch with a filter. The batch is refused if another number matches now. */
  count?: number | null;
  /** The revisions that documents must have. A document with another revision is not changed. */
  revisions?: Record<string, unknown>;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The result for one document. */
export interface BatchTarget {
  id: string;
  result: "done" | "unchanged" | "refused" | "pending";
  /** Why the document was refused. */
  message: string | null;
}

/** One page of the report of a batch. */
export interface BatchTargetList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: BatchTarget[];
}

/** A batch and its progress. */
export interface BatchView {
  id: string;
  key: string;
  kind: string;
  action: string;
  arguments: Record<string, unknown>;
  comment: string;
  ticket: string;
  /** An interrupted batch continues when it is resumed, with the first document that was not changed. */
  status: "running" | "interrupted" | "done" | "cancelled";
  /** Why the batch could not continue. */
  problem: string | null;
  total: number;
  done: number;
  unchanged: number;
  refused: number;
  created: string;
  createdBy: string;
  /** The time of the last progress. */
  updated: string;
}

/** The settings of the server that concern changes by administrators. */
export interface ChangeRules {
  /** Kinds of documents whose changes require a comment. */
  commentRequired: string[];
  /** Kinds of documents whose changes may require approval. */
  approvalKinds: string[];
  /** Address of a ticket, with `{ticket}` for its number; may be empty. */
  ticketUrl: string;
}

/** The default layout. */
export interface ChangedDefault {
  before: LayoutName | null;
  after: LayoutName | null;
}

/** A document that has changed. */
export interface ChangedDocument {
  kind: string;
  id: string;
  /** The name of the document, if it still exists; otherwise its ID. */
  name: string;
  /** created, changed or deleted */
  action: string;
}

/** One value of a merged configuration file. */
export interface ChangedValue {
  file: string;
  path: string;
  /** For which versions of the platform; * stands for all others. */
  versions: string[];
  /** added, removed or changed */
  change: string;
  before: unknown;
  after: unknown;
  /** Whether the values are too large to be shown. */
  large: boolean;
}

/** One page of commands. */
export interface CommandList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: CommandView[];
}

/** A client's answer to a command. */
export interface CommandResult {
  status: "done" | "failed" | "unsupported";
  data?: unknown;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of command runs. */
export interface CommandRunList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: CommandRunSummary[];
}

/** The effect of a run if it started now; nothing was written. */
export interface CommandRunPreview {
  total: number;
  /** Connected desktops that would receive the command. */
  ready: number;
  offline: number;
  unsupported: number;
  refused: number;
  /** The number of desktops in each wave. */
  waves: number[];
  /** The first desktops; those with a problem come first. */
  items: PreviewedDesktop[];
}

/** A command, the desktops that receive it, and the waves in which they do. */
export interface CommandRunRequest {
  command: string;
  params?: Record<string, unknown>;
  target: RunTarget;
  /** How many of the desktops have received the command after each wave: numbers such as 5, or percentages such as 10%. If desktops remain after the last one, they are a further wave. */
  waves?: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A command run and its progress, as in a list. */
export interface CommandRunSummary {
  total: number;
  /** Desktops of waves that have not started. */
  pending: number;
  /** Desktops that have not answered yet. */
  sent: number;
  done: number;
  failed: number;
  /** Desktops that have not answered in time. */
  unanswered: number;
  /** Desktops that do not support the command. */
  unsupported: number;
  /** Desktops that were not connected when their wave started. */
  offline: number;
  /** Desktops that the author of the run must not send this command to. */
  refused: number;
  cancelled: number;
  id: string;
  command: string;
  status: "scheduled" | "running" | "paused" | "stopped" | "cancelled" | "done";
  /** Why the run has stopped. */
  reason: string | null;
  comment: string;
  ticket: string;
  /** The number of the wave that has started last; 0 before the first. */
  wave: number;
  waveCount: number;
  /** Desktops whose user has sent a crash report since they received the command. */
  crashed: number;
  startAt: string | null;
  expires: string | null;
  created: string;
  createdBy: string;
  started: string | null;
  finished: string | null;
  /** The time of the last progress. */
  updated: string;
}

/** A command run with its waves. */
export interface CommandRunView {
  total: number;
  /** Desktops of waves that have not started. */
  pending: number;
  /** Desktops that have not answered yet. */
  sent: number;
  done: number;
  failed: number;
  /** Desktops that have not answered in time. */
  unanswered: number;
  /** Desktops that do not support the command. */
  unsupported: number;
  /** Desktops that were not connected when their wave started. */
  offline: number;
  /** Desktops that the author of the run must not send this command to. */
  refused: number;
  cancelled: number;
  id: string;
  command: string;
  status: "scheduled" | "running" | "paused" | "stopped" | "cancelled" | "done";
  /** Why the run has stopped. */
  reason: string | null;
  comment: string;
  ticket: string;
  /** The number of the wave that has started last; 0 before the first. */
  wave: number;
  waveCount: number;
  /** Desktops whose user has sent a crash report since they received the command. */
  crashed: number;
  startAt: string | null;
  expires: string | null;
  created: string;
  createdBy: string;
  started: string | null;
  finished: string | null;
  /** The time of the last progress. */
  updated: string;
  key: string;
  params: Record<string, unknown>;
  target: Record<string, unknown>;
  pause: number;
  answerTimeout: number;
  maxFailures: string | null;
  maxCrashes: string | null;
  /** When the pause before the next wave ends. */
  nextWaveAt: string | null;
  waves: RunWave[];
}

/** A command in responses to administrators. */
export interface CommandView {
  id: string;
  session: string;
  user: string;
  command: string;
  params: Record<string, unknown>;
  status: "pending" | "delivered" | "done" | "failed" | "unsupported";
  data?: unknown;
  created: string;
  createdBy: string;
  delivered: string | null;
  finished: string | null;
}

/** An app, a layout or a group that only one side has. */
export interface ComparedItem {
  /** The name of the app or group, or the ID of the layout. */
  key: string;
  name: string;
  left: ComparedState;
  right: ComparedState;
}

/** The differences of one kind. */
export interface ComparedItems {
  /** The first 1,000 differences. */
  items: ComparedItem[];
  /** Number of differences. */
  total: number;
  /** Number of apps, layouts or groups that both sides have. */
  same: number;
}

/** One side of a comparison. */
export interface ComparedSide {
  id: string;
  /** The revision that is compared; null for the current state. */
  revision: number | null;
  /** Whether the user or group existed at that time. */
  exists: boolean;
  /** Whether the user was disabled; a disabled user receives nothing. */
  disabled: boolean;
}

/** Whether something is available on one side, with the reason. */
export interface ComparedState {
  given: boolean;
  /** The reason in words. */
  text: string;
}

/** A setting with different values. */
export interface ComparedValue {
  file: string;
  path: string;
  left: ComparedValueState;
  right: ComparedValueState;
}

/** The value of a setting on one side, with its origin. */
export interface ComparedValueState {
  /** Whether the value is set. */
  given: boolean;
  value?: unknown;
  /** ID of the configuration file that sets the value. */
  config: string | null;
  /** The origin of the value in words. */
  text: string;
}

/** The differences of the effective configuration. */
export interface ComparedValues {
  /** The first 1,000 differences. */
  items: ComparedValue[];
  /** Number of differences. */
  total: number;
  /** Number of equal values. */
  same: number;
}

/** The differences between two revisions of a document. */
export interface ComparisonView {
  kind: string;
  id: string;
  /** The older side; null when the document did not exist then. */
  before: RevisionView | null;
  /** The newer side; null when the document did not exist then. */
  after: RevisionView | null;
  /** The edits in order; none when both are the same. */
  diff: EditView[];
  /** How many more edits there are; 0 unless there are thousands. */
  omitted: number;
}

/** New contents of a file. */
export interface ConfigChange {
  contents?: Record<string, unknown> | unknown[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One file for one scope: a version, a group or a user; none of them means base. */
export interface ConfigDocument {
  file: string;
  contents: Record<string, unknown> | unknown[];
  version?: string | null;
  group?: string | null;
  user?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
  /** Set by the server; ignored in requests. */
  scope?: unknown;
}

/** A configuration file and its parts. */
export interface ConfigGrant {
  file: string;
  given: boolean;
  /** The applied files, lowest precedence first. */
  layers: LayerView[];
  /** Those of other groups and versions; other users' are not listed. */
  leftOut: LeftOut[];
}

/** One page of configuration files. */
export interface ConfigGrants {
  items: ConfigGrant[];
  total: number;
}

/** One page of files. */
export interface ConfigList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: ConfigView[];
}

/** A problem of a file, compared with the definitions of settings. */
export interface ConfigProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The most similar valid name or word, if any. */
  suggestion?: string | null;
}

/** The validation of contents that were not saved. */
export interface ConfigValidation {
  /** False if the server does not validate files. */
  checked: boolean;
  problems: ConfigProblem[];
}

/** A file in responses to administrators. */
export interface ConfigView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  file: string;
  /** base, version, group or user */
  scope: string;
  contents: Record<string, unknown> | unknown[];
  version?: string | null;
  group?: string | null;
  user?: string | null;
  /** Validation problems of the contents; omitted in lists, and if validation is disabled. */
  problems?: ConfigProblem[] | null;
}

/** The proof that the caller has just confirmed the own identity, for requests with the same session. */
export interface Confirmed {
  /** The value of the header `Confirmation`. */
  confirmation: string;
  /** Seconds until it expires. */
  expiresIn: number;
}

/** The core of the platform. */
export interface Core {
  platform?: CorePlatform | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The library behind the platform. */
export interface CorePlatform {
  version?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A number of events in a period. */
export interface CountBetween {
  count: number;
  since: string;
  until: string;
}

/** A number of events since a time. */
export interface CountSince {
  count: number;
  since: string;
}

/** A crash group with the users who are affected most. */
export interface CrashGroupDetail {
  id: string;
  product: string;
  app: string;
  version: string;
  signature: string;
  /** returned: a crash arrived after the group was resolved, in the same or a newer version. */
  status: "new" | "investigating" | "resolved" | "ignored" | "returned";
  assignee: string | null;
  firstSeen: string;
  lastSeen: string;
  /** The number of reports, in the period if the list has the filter received. */
  count: number;
  /** The number of users who sent these reports. */
  users: number;
  /** The number of machines that sent these reports. */
  machines: number;
  /** The reports of each of the last 14 days in UTC; the last one is today. */
  days: number[];
  /** When the status or the assignee last changed. */
  changed: string | null;
  changedBy: string | null;
  revision: number;
  /** The users with the most reports, at most 20. */
  affected: AffectedUser[];
  /** The number of reports that are not marked as reviewed. */
  unreviewed: number;
}

/** One page of crash groups. */
export interface CrashGroupList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: CrashGroupView[];
}

/** Crash reports with the same product, app, version and signature. */
export interface CrashGroupView {
  id: string;
  product: string;
  app: string;
  version: string;
  signature: string;
  /** returned: a crash arrived after the group was resolved, in the same or a newer version. */
  status: "new" | "investigating" | "resolved" | "ignored" | "returned";
  assignee: string | null;
  firstSeen: string;
  lastSeen: string;
  /** The number of reports, in the period if the list has the filter received. */
  count: number;
  /** The number of users who sent these reports. */
  users: number;
  /** The number of machines that sent these reports. */
  machines: number;
  /** The reports of each of the last 14 days in UTC; the last one is today. */
  days: number[];
  /** When the status or the assignee last changed. */
  changed: string | null;
  changedBy: string | null;
  revision: number;
}

/** One page of crash reports. */
export interface CrashList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: CrashView[];
}

/** A crash report in responses. */
export interface CrashView {
  id: string;
  received: string;
  reviewed: boolean;
  reviewedBy: string | null;
  comment: string;
  revision: number;
  user: string | null;
  product: string;
  version: string;
  platform: string;
  processType: string;
  /** All submitted fields except the dump. */
  fields: Record<string, string>;
  minidump: FileView | null;
  /** The app that crashed; empty if the report concerns the platform. */
  app: string;
  machine: string | null;
  /** The ID of the group of reports with the same app, version and signature. */
  group: string;
  signature: string;
  /** The summary of the minidump; null if there is no minidump. */
  dump: DumpView | null;
}

/** The crash reports of each day. */
export interface CrashesView {
  counts: number[];
  /** For each day, the number of revisions of apps, layouts, configuration files and groups. */
  changes: number[];
}

/** The figures of the dashboard. */
export interface DashboardView {
  /** The beginnings of the days; the last day continues until now. */
  days: string[];
  attention: AttentionView;
  /** The newest revisions, newest first. */
  changes: RecentChange[];
  versions: VersionsView | null;
  crashes: CrashesView | null;
}

/** The state of a collection on the client: `info` of an earlier response. */
export interface DataInfo {
  last?: number | null;
  checksum?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The database behind the server. */
export interface DatabaseView {
  /** sqlite or postgresql */
  kind: string;
  /** The migration of the database; null if the database does not respond. */
  migration: string | null;
  /** The migration that this version of the server requires. The database can be at a newer one that supports this version. */
  newestMigration: string;
}

/** Set the default layout. Without name and type, clear it. */
export interface DefaultChoice {
  name?: string | null;
  type?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The layout that becomes the default; without an id the choice is cleared. */
export interface DefaultLayoutChoice {
  id?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The default layout, and its origin. */
export interface DefaultLayoutGrant {
  name: string;
  type: string;
  /** chosen (by the user) or flagged (for those who have chosen none) */
  because: string;
}

/** The default layout; empty if none is set. */
export interface DefaultView {
  name?: string | null;
  type?: string | null;
}

/** One page of directory addresses. */
export interface DirectoryList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: DirectoryView[];
}

/** A directory address, without its secret part. */
export interface DirectoryView {
  id: string;
  user: string | null;
  group: string | null;
  description: string;
  created: string;
  createdBy: string;
}

/** A file that is not saved, and the user, group or version for which it is explained. */
export interface DraftQuestion {
  /** Replaces the stored file of the same name and scope, if there is one. */
  draft: ConfigDocument;
  user?: string | null;
  /** A group that counts instead of the user's groups. */
  group?: string | null;
  version?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A value that was removed because a file with a higher precedence replaced its parent object. */
export interface DroppedValue {
  id: string;
  file: string;
  /** base, version, group or user */
  scope: string;
  /** The version, group or user; empty for base. */
  target: string;
  revision: number;
  modified: string;
  modifiedBy: string;
  /** The version that the user receives, if the file is being rolled out in stages. */
  rollout?: UserRollout | null;
  path: string;
  value: unknown;
  by: LayerView;
}

/** The summary of a minidump. Function names are not included: they require the symbols of the program. */
export interface DumpView {
  /** Why the minidump cannot be read; empty if it was read. */
  problem: string;
  /** The signal or the exception, such as SIGSEGV. */
  reason: string;
  /** The address that could not be accessed, or the address of the exception. */
  address: string;
  /** The program or library whose code was running; empty if unknown. */
  module: string;
  moduleVersion: string;
  /** The place of the instruction in the module. */
  offset: string;
  system: string;
  threads: number;
  modules: number;
}

/** One step between two revisions. */
export interface EditView {
  /** add, remove or replace */
  op: string;
  /** JSON Pointer to the member that differs. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** A document that users would receive by the proposal, or a changed document that is being rolled out. */
export interface EffectDocument {
  kind: string;
  id: string;
  name: string;
  /** The content; null for changed documents, and if it is too large. */
  content: unknown;
  large: boolean;
  rollout: EffectRollout | null;
}

/** A roll-out that has not ended: some of the users would receive its new version. */
export interface EffectRollout {
  id: string;
  stage: number;
  stageCount: number;
  createdBy: string;
  /** The new version; null if it is too large. */
  candidate: unknown;
  large: boolean;
}

/** What the proposal would change for users, when it was made; parts that the caller may not read are omitted. */
export interface EffectView {
  /** The number of affected users. */
  users: number;
  /** The most frequent different results. */
  items: PreviewedChange[];
  /** Users whose result is not listed. */
  unlisted: number;
  documents: EffectDocument[];
  /** The number of documents that are not listed. */
  moreDocuments: number;
}

/** The effective access of a user; parts that the caller may not read are null. */
export interface EffectiveView {
  user: string;
  /** A disabled user gets nothing. */
  disabled: boolean;
  groups: Membership[];
  apps: Grants | null;
  layouts: LayoutGrants | null;
  defaultLayout: DefaultLayoutGrant | null;
  configs: ConfigGrants | null;
}

/** The error. */
export interface ErrorBody {
  /** The status code again. */
  code: number;
  message: string;
  /** confirmation_required: the caller must first confirm the own identity with `POST /me/confirm`. */
  reason?: "confirmation_required" | null;
  /** Every problem found, not only the first. */
  details?: ErrorDetail[] | null;
  /** The quota that was reached, for a refusal because of one. */
  quota?: ErrorQuota | null;
}

/** One problem of the request. */
export interface ErrorDetail {
  /** Where it is: a JSON path, or the name of a parameter. */
  path: string;
  message: string;
  /** The most similar valid name or word, if any. */
  suggestion?: string | null;
}

/** The quota that a request would exceed. */
export interface ErrorQuota {
  /** The setting without its prefix `quotas.`. */
  name: string;
  limit: number;
  /** How much is in use; the request was refused and adds nothing. */
  used: number;
}

/** The body of all errors. */
export interface ErrorView {
  error: ErrorBody;
}

/** A value, its origin, and overridden values. */
export interface ExplainedValue {
  file: string;
  path: string;
  /** Value in the merged file; null if it is not configured. */
  value: unknown;
  /** set: effective; default: not configured, or set to null; ignored: clients do not use it. */
  status: string;
  /** The value or the default; null if only a local file can set it. */
  inForce: unknown;
  /** The default value. */
  default: unknown;
  /** The file that sets the value; null if none does. */
  winner: LayerView | null;
  /** Files with lower precedence that also set it, highest first. */
  losers: LostValue[];
  /** Null for unknown settings. */
  setting: SettingView | null;
  problems: ConfigProblem[];
}

/** The configuration of a user, a group or a version, value by value. */
export interface Explanation {
  asked: Asked;
  groups: Membership[];
  /** The applied files, by name, lowest precedence first. */
  layers: LayerView[];
  items: ExplainedValue[];
  total: number;
  /** How many values follow those of this response; 0 if it contains the last one. */
  more: number;
  /** Values that were overridden by files with higher precedence. */
  dropped: DroppedValue[];
  /** How many more were dropped; 0 unless there are thousands. */
  moreDropped: number;
  /** Validation problems of the merged files. */
  problems: FileProblem[];
}

/** One page of feedback. */
export interface FeedbackList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: FeedbackView[];
}

/** The id of stored feedback. */
export interface FeedbackReceipt {
  id: string;
}

/** The assessment of feedback by an administrator: it is reviewed if its status is not new. */
export interface FeedbackReview {
  reviewed?: boolean;
  comment?: string;
  status?: "new" | "investigating" | "resolved" | "ignored";
  /** A user who can read feedback, or null for no user. */
  assignee?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Feedback in responses. */
export interface FeedbackView {
  id: string;
  received: string;
  reviewed: boolean;
  reviewedBy: string | null;
  comment: string;
  revision: number;
  user: string;
  session: string | null;
  description: string;
  attachment: FileView | null;
  status: "new" | "investigating" | "resolved" | "ignored";
  assignee: string | null;
}

/** A file in responses to clients. */
export interface FileContents {
  contents: Record<string, unknown> | unknown[];
}

/** A problem of a merged file. */
export interface FileProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The most similar valid name or word, if any. */
  suggestion?: string | null;
  file: string;
}

/** An attached file. */
export interface FileView {
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
}

/** The session that ends; without it, the session of the token. */
export interface Goodbye {
  session?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** An app, and whether and why the user has access. */
export interface Grant {
  name: string;
  title: string;
  given: boolean;
  /** All reasons for access, even if access is denied. */
  reasons: ReasonView[];
  whyNot?: WhyNot | null;
  /** The version that the user receives, if the app is being rolled out in stages. */
  rollout?: UserRollout | null;
}

/** One page of apps. */
export interface Grants {
  items: Grant[];
  total: number;
}

/** Some members of a group. */
export interface GroupChange {
  /** May be sent back, but cannot change. */
  name?: string | null;
  priority?: number;
  expandsTo?: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  members?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A complete group. */
export interface GroupDocument {
  /** May be sent back, but cannot change. */
  name?: string | null;
  /** Configuration with a higher priority wins. */
  priority?: number;
  /** Members of this group are also members of these. */
  expandsTo?: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  members?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of groups. */
export interface GroupList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: GroupView[];
}

/** A group in responses. */
export interface GroupView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  name: string;
  priority: number;
  expandsTo: string[];
  /** Number of direct members. */
  members: number;
}

/** The number of halted roll-outs of each kind. */
export interface HaltedRollouts {
  app: number | null;
  layout: number | null;
  config: number | null;
}

/** The health of the server. */
export interface HealthView {
  /** ok, or unavailable while requests cannot be served */
  status: string;
  /** The checked parts and their results. */
  checks: Record<string, string>;
}

/** The first request of a platform. */
export interface Hello {
  /** Data about the client's computer. */
  machine?: Record<string, unknown>;
  glue?: PlatformDetails | null;
  initialDataRequest?: InitialDataRequest | null;
  includeServerInfo?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The requested collections. */
export interface HelloData {
  applications?: AppsData | null;
  layouts?: LayoutsData | null;
}

/** The opened session. */
export interface HelloView {
  /** A JWT with the members session, user, iat and exp. */
  token: string;
  data: HelloData;
  serverInfo?: ServerInfoView | null;
}

/** What the caller of a session presents to confirm the own identity. */
export interface IdentityConfirmation {
  /** The caller's password. */
  password: string;
}

/** A value that a row changes. */
export interface ImportChange {
  column: string;
  /** Null for a new user. */
  before: unknown;
  after: unknown;
}

/** A problem of a row. */
export interface ImportProblem {
  /** The column that has the problem; empty if the problem concerns the complete row. */
  column: string;
  message: string;
}

/** A row of the file and its effect. */
export interface ImportRow {
  /** The line of the file on which the row begins; the header is line 1. */
  line: number;
  id: string;
  result: "new" | "changed" | "unchanged" | "invalid";
  problems: ImportProblem[];
  changes: ImportChange[];
}

/** The result of an import. */
export interface ImportView {
  created: string[];
  replaced: string[];
}

/** The result of an import, or its preview. */
export interface ImportedView {
  /** Whether all changes were undone. */
  dryRun: boolean;
  /** How many rows. */
  total: number;
  /** How many rows of each table. */
  rows: Record<string, number>;
  /** Users of this server that the export does not contain; they are kept. */
  keptUsers: string[];
}

/** The state of the returned collection; clients send it with the next poll. */
export interface InfoView {
  last: number;
  /** The ETag of the collection. */
  checksum: string;
}

/** The collections that the client requests with hello. */
export interface InitialDataRequest {
  applications?: KindRequest | null;
  layouts?: KindRequest | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Whether a collection is requested, and its state on the client. */
export interface KindRequest {
  include?: boolean;
  latestDataInfo?: DataInfo | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The state of each collection on the client. */
export interface LatestDataInfo {
  applications?: DataInfo | null;
  layouts?: DataInfo | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One stored file of a scope, and who changed it last. */
export interface LayerView {
  id: string;
  file: string;
  /** base, version, group or user */
  scope: string;
  /** The version, group or user; empty for base. */
  target: string;
  revision: number;
  modified: string;
  modifiedBy: string;
  /** The version that the user receives, if the file is being rolled out in stages. */
  rollout?: UserRollout | null;
}

/** Some members of a layout. */
export interface LayoutChange {
  definition?: Record<string, unknown>;
  owner?: string;
  public?: boolean;
  accessList?: string[];
  default?: boolean;
  disabled?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  name?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
  /** Set by the server; ignored in requests. */
  type?: unknown;
}

/** A complete layout. */
export interface LayoutEntry {
  definition: Record<string, unknown>;
  /** A user id, or * for a layout that belongs to all. */
  owner?: string;
  /** Available to all users. */
  public?: boolean;
  /** Groups that may see it. */
  accessList?: string[];
  /** The default for users without their own choice. */
  default?: boolean;
  /** Not available to any user. */
  disabled?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  name?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
  /** Set by the server; ignored in requests. */
  type?: unknown;
}

/** A layout, and whether and why the user has access. */
export interface LayoutGrant {
  id: string;
  name: string;
  type: string;
  owner: string;
  given: boolean;
  reasons: ReasonView[];
  whyNot?: WhyNot | null;
  /** The version that the user receives, if the layout is being rolled out in stages. */
  rollout?: UserRollout | null;
}

/** One page of layouts. */
export interface LayoutGrants {
  items: LayoutGrant[];
  total: number;
}

/** Many layouts at once: all of them are imported, or none. */
export interface LayoutImport {
  layouts: Record<string, unknown>[];
  owner?: string;
  public?: boolean;
  accessList?: string[];
  overwrite?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of layouts. */
export interface LayoutList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: LayoutView[];
}

/** The type and name of a layout. */
export interface LayoutName {
  type: string;
  name: string;
}

/** The new name of a layout. */
export interface LayoutNewName {
  newName: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Remove a layout by name and type, or several by ids of the form ``name (type)``. */
export interface LayoutRemoval {
  name?: string | null;
  type?: string | null;
  ids?: string[] | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Rename a personal layout of the caller, and save the content that is sent. */
export interface LayoutRename {
  layout: Record<string, unknown>;
  newName: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Create or replace a personal layout of the caller, by type and name. */
export interface LayoutSave {
  layout: Record<string, unknown>;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Added, removed and changed layouts. */
export interface LayoutShift {
  gained: LayoutName[];
  lost: LayoutName[];
  changed: LayoutName[];
}

/** A layout in responses to administrators. */
export interface LayoutView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  name: string;
  type: string;
  definition: Record<string, unknown>;
  owner: string;
  public: boolean;
  accessList: string[];
  default: boolean;
  disabled: boolean;
}

/** The response of a layout store. */
export interface Layouts {
  layouts: Record<string, unknown>[];
}

/** The layouts, if they have changed. */
export interface LayoutsData {
  hasChanges: boolean;
  data: UserLayoutView[];
  info: InfoView;
}

/** A file of the same name that does not apply to the user. */
export interface LeftOut {
  id: string;
  file: string;
  /** base, version, group or user */
  scope: string;
  /** The version, group or user; empty for base. */
  target: string;
  revision: number;
  modified: string;
  modifiedBy: string;
  /** The version that the user receives, if the file is being rolled out in stages. */
  rollout?: UserRollout | null;
  /** The reason as a sentence. */
  text: string;
}

/** The password that a user sets with a link. */
export interface LinkPassword {
  token: string;
  /** The new password; the server's password policy applies. */
  password: string;
  /** Whether the user's API tokens are revoked too. */
  revokeApiTokens?: boolean;
  /** Whether the user's command runs, unfetched commands, bulk changes and roll-outs are stopped. */
  stopPlannedWork?: boolean;
}

/** The overridden value of a file with a lower precedence. */
export interface LostValue {
  id: string;
  file: string;
  /** base, version, group or user */
  scope: string;
  /** The version, group or user; empty for base. */
  target: string;
  revision: number;
  modified: string;
  modifiedBy: string;
  /** The version that the user receives, if the file is being rolled out in stages. */
  rollout?: UserRollout | null;
  /** Path of the value; a parent path of the effective value if a parent was overridden. */
  path: string;
  value: unknown;
}

/** One page of machines. */
export interface MachineList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: MachineView[];
}

/** A machine in responses. */
export interface MachineView {
  id: string;
  name: string;
  info: Record<string, unknown>;
  /** The user who described it first, and whose sessions alone update it. */
  owner: string | null;
  firstSeen: string;
  lastSeen: string;
}

/** The caller, for checking a sign-in. */
export interface Me {
  id: string;
  /** Differs between accounts that have had the same ID one after another. */
  account?: string | null;
  /** The name that is shown next to the ID. */
  displayName?: string | null;
  email: string | null;
  /** All groups, nested ones expanded. */
  groups: string[];
  /** Names of apps assigned directly to this user. */
  apps: string[];
  /** Permissions of the caller in the admin API. */
  permissions: string[];
}

/** One page of the effective members of a group. */
export interface MemberList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: MemberView[];
}

/** An effective member of a group. */
export interface MemberView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  displayName: string | null;
  email: string | null;
  groups: string[];
  apps: string[];
  layouts: string[];
  disabled: boolean;
  /** When the user was disabled. Null if the user is not disabled, or if the time is unknown. */
  disabledSince: string | null;
  /** The last contact of a desktop, sign-in with a password or use of an API token, if it is still recorded. Lists of the members of a group do not contain it. */
  lastSeen?: string | null;
  /** Whether this is a service account, which cannot sign in with a password. */
  service: boolean;
  /** For each group of the user that leads to this group, the groups on the shortest way, the user's own group first. A direct member has a way of one group. At most ten, shortest first. */
  ways: string[][];
}

/** A group of a user, and how the user inherits it. */
export interface Membership {
  name: string;
  /** Configuration with a higher priority wins. */
  priority: number;
  /** The path from the user's direct group to this group; each group inherits from the next. */
  via: string[];
}

/** An API token of the caller that is to be created. */
export interface NewApiToken {
  /** The name of the token in lists and in the audit log; unique for each user. */
  name: string;
  /** Permissions of the token, such as `PLATFORM_MANAGER:APPS:READ`. It has each of them only while its owner has it too. Without permissions, it can read what its owner sees on a desktop. */
  permissions?: string[];
  /** Number of days after which the token expires, up to the setting `apiTokens.maxDays`. */
  expiresInDays: number;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  expires?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  lastUsed?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** An API token that was just created. */
export interface NewApiTokenView {
  id: string;
  /** The owner: the token never has more rights than this user. */
  user: string;
  name: string;
  permissions: string[];
  created: string;
  createdBy: string;
  expires: string;
  /** Time of a recent request with the token, exact to a minute. */
  lastUsed: string | null;
  /** The token. It is a secret, and only answered here. */
  token: string;
}

/** A batch to be started. */
export interface NewBatch {
  /** Users: enable, disable, addToGroups, removeFromGroups, grantApps, revokeApps, delete. Apps and layouts: enable, disable, grant, revoke, delete. Sessions: end. Directory addresses: revoke. Crash groups: investigate, resolve, ignore, reopen, assign, unassign. Feedback: the same, and delete. Other kinds: delete. */
  action: string;
  arguments?: BatchArguments;
  /** The IDs or names of the documents. */
  ids?: string[] | null;
  filter?: BatchFilter | null;
  /** The number of documents that match the filter, as a preview returns it; required to start a batch with a filter. The batch is refused if another number matches now. */
  count?: number | null;
  /** The revisions that documents must have. A document with another revision is not changed. */
  revisions?: Record<string, unknown>;
  /** Chosen by the client, for example a random ID. A repeated request with the same key returns the batch that the first request has started. */
  key: string;
  /** The reason for the change, for the audit. */
  comment?: string;
  /** The number of a ticket, for the audit log. */
  ticket?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A command for one session or several. */
export interface NewCommand {
  session?: string | null;
  sessions?: string[] | null;
  command: string;
  params?: Record<string, unknown>;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A command run to be started. */
export interface NewCommandRun {
  command: string;
  params?: Record<string, unknown>;
  target: RunTarget;
  /** How many of the desktops have received the command after each wave: numbers such as 5, or percentages such as 10%. If desktops remain after the last one, they are a further wave. */
  waves?: string[];
  /** Chosen by the client, for example a random ID. A repeated request with the same key returns the run that the first request has started. */
  key: string;
  /** Seconds between the end of a wave and the next wave. */
  pause?: number;
  /** Seconds in which a desktop must answer. A desktop without an answer counts as failed. */
  answerTimeout?: number;
  /** The run stops when more desktops than this have failed. A percentage refers to the desktops that have received the command. */
  maxFailures?: string | null;
  /** The run stops when more desktops than this have crashed: their users have sent a crash report since they received the command. */
  maxCrashes?: string | null;
  /** When the first wave starts; without it, at once. */
  startAt?: string | null;
  /** Until when the command is sent to offline desktops that connect again; without it, offline desktops do not receive the command. */
  expires?: string | null;
  /** The reason for the run, for the audit. */
  comment?: string;
  /** The number of a ticket, for the audit log. */
  ticket?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The created commands, one for each session. */
export interface NewCommands {
  items: CommandView[];
  total: number;
}

/** The user or group of a new directory address. */
export interface NewDirectory {
  /** The user whose apps it answers; either this or `group`. */
  user?: string | null;
  /** The group whose apps it answers; either this or `user`. */
  group?: string | null;
  /** Purpose of the address. */
  description?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A directory address that was just created. */
export interface NewDirectoryView {
  id: string;
  user: string | null;
  group: string | null;
  description: string;
  created: string;
  createdBy: string;
  /** The path of the app directory. It is a secret, and only answered here. */
  path: string;
}

/** A group to be made. */
export interface NewGroup {
  name: string;
  /** Configuration with a higher priority wins. */
  priority?: number;
  /** Members of this group are also members of these. */
  expandsTo?: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  members?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A note to be added; notes cannot be changed later. */
export interface NewNote {
  text: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The users who get a link. */
export interface NewPasswordLinks {
  users: string[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A preference to be made. */
export interface NewPreference {
  user: string;
  app: string;
  data: unknown;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A roll-out to be started. */
export interface NewRollout {
  /** The name of the app, or the ID of the document. */
  key: string;
  /** The stages in their order. After the last one, all users receive the new version. */
  stages: RolloutStage[];
  /** The new definition of the app or layout, or the new contents of the configuration file. */
  content: Record<string, unknown> | unknown[];
  /** The roll-out is halted when more desktops than this have not applied the new version in time. A percentage refers to the connected desktops that receive the new version. */
  maxFailures?: string | null;
  /** The roll-out is halted when more users than this have sent a crash report since the start of the stage. A percentage refers to the users who receive the new version. */
  maxCrashes?: string | null;
  /** Seconds in which a connected desktop must report the new version as applied. */
  applyTimeout?: number;
  /** The reason for the change, for the audit. */
  comment?: string;
  /** The number of a ticket, for the audit log. */
  ticket?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A view that is to be saved. */
export interface NewSavedView {
  /** The list that the view shows. */
  list: "apps" | "apps-rollouts" | "audit" | "commands" | "commands-runs" | "configs" | "configs-rollouts" | "crashes" | "directories" | "feedback" | "groups" | "layouts" | "layouts-rollouts" | "machines" | "preferences" | "proposals" | "sessions" | "tokens-all" | "tokens-own" | "users";
  /** The name of the view; unique for each user and list. */
  name: string;
  /** The query of the address of the list: filters, sorting, columns and density, such as `status=failed&sort=-created`. */
  search: string;
  /** Whether all users who may read the list can open the view. */
  shared?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  owner?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A user to be made. */
export interface NewUser {
  id: string;
  password?: string | null;
  /** The name that is shown next to the ID. */
  displayName?: string | null;
  email?: string | null;
  groups?: string[];
  /** Apps assigned directly to this user. */
  apps?: string[];
  /** Layouts assigned directly to this user. */
  layouts?: string[];
  disabled?: boolean;
  /** Whether this is a service account: it has no password, and only API tokens act for it. */
  service?: boolean;
  /** Whether a new password also revokes the user's API tokens. Default: if it is not the caller's own. */
  revokeApiTokens?: boolean | null;
  /** Whether a new password also stops what the user has planned: command runs, commands that no desktop has fetched, bulk changes and roll-outs. Default: if it is not the caller's own. */
  stopPlannedWork?: boolean | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  disabledSince?: unknown;
  /** Set by the server; ignored in requests. */
  lastSeen?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** An API token of the caller or of a service account that is to be created. */
export interface NewUserApiToken {
  /** The name of the token in lists and in the audit log; unique for each user. */
  name: string;
  /** Permissions of the token, such as `PLATFORM_MANAGER:APPS:READ`. It has each of them only while its owner has it too. Without permissions, it can read what its owner sees on a desktop. */
  permissions?: string[];
  /** Number of days after which the token expires, up to the setting `apiTokens.maxDays`. */
  expiresInDays: number;
  /** The owner: a service account, or the caller. */
  user: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  expires?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  lastUsed?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** An import to be started. */
export interface NewUserImport {
  /** The text of the file. The first row contains the names of columns: id (required), displayName, email, groups, apps and disabled. Fields are separated by commas, semicolons or tabs; groups and apps within a field by semicolons. Other columns are ignored. At most 20,000 rows. */
  csv: string;
  /** The columns to import. Null for all columns of the file. */
  columns?: ("displayName" | "email" | "groups" | "apps" | "disabled")[] | null;
  /** Whether the groups and apps of a row replace those of the user, or are added to them. */
  lists?: "replace" | "add";
  /** Chosen by the client, for example a random ID. A repeated request with the same key returns the batch that the first request has started. */
  key: string;
  /** Skip invalid rows and import the others. Otherwise, nothing is imported if a row is invalid. */
  skipInvalid?: boolean;
  /** The number of new and changed users that the preview returned. The import is refused if it would change another number of users now. */
  count?: number | null;
  /** The reason for the change, for the audit log. */
  comment?: string;
  /** The number of a ticket, for the audit log. */
  ticket?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Notes, oldest first. */
export interface NoteList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: NoteView[];
}

/** A note about a crash group or feedback. */
export interface NoteView {
  id: string;
  text: string;
  created: string;
  createdBy: string;
}

/** A link that a user has opened. */
export interface OpenedLink {
  token: string;
}

/** The user of a valid link. */
export interface OpenedLinkView {
  user: string;
  displayName: string | null;
  expires: string;
}

/** A session that was just opened, with the token for its further requests. */
export interface OpenedSession {
  id: string;
  user: string;
  machine: string;
  version: string;
  env: string;
  region: string;
  product: string;
  commands: unknown[];
  started: string;
  lastSeen: string;
  ended: string | null;
  /** Whether it has not ended and sends heartbeats. */
  active: boolean;
  token: string;
  /** Seconds until the token must be refreshed. */
  expiresIn: number;
}

/** The connected desktops, by the kind of the changes that they should have applied. */
export interface OutdatedDesktops {
  apps: AppliedCount;
  layouts: AppliedCount;
  systemConfig: AppliedCount;
}

/** A client session of the caller that has not ended. */
export interface OwnDesktop {
  id: string;
  machine: string;
  version: string;
  product: string;
  started: string;
  lastSeen: string;
  /** Whether the request belongs to this session. */
  current: boolean;
}

/** Where the caller is signed in, as far as the server records it. Sessions of pages are not recorded one by one. */
export interface OwnSessions {
  desktops: OwnDesktop[];
  signIns: OwnSignIn[];
}

/** A network from which the caller has signed in with a password within the last 30 days. */
export interface OwnSignIn {
  address: string;
  /** The last sign-in from there, exact to an hour. */
  lastSeen: string;
  /** Whether the request comes from there. */
  current: boolean;
}

/** The caller's own new password, with the current one as proof. */
export interface PasswordChange {
  /** The current password. */
  current: string;
  /** The new password; the server's password policy applies. */
  new: string;
  /** Whether the caller's API tokens are revoked too. */
  revokeApiTokens?: boolean;
  /** Whether the caller's command runs, unfetched commands, bulk changes and roll-outs are stopped. */
  stopPlannedWork?: boolean;
}

/** The links of all users of a request, in their order. */
export interface PasswordLinkList {
  items: PasswordLinkView[];
}

/** The link of one user. Only this response contains it: the server stores a hash. */
export interface PasswordLinkView {
  user: string;
  result: "created" | "refused";
  /** Why no link was created. */
  message: string | null;
  /** The secret part: the address is that of the admin UI, followed by `/set-password#` and the token. */
  token: string | null;
  expires: string | null;
}

/** A command for the client. */
export interface PendingCommand {
  id: string;
  command: string;
  params: Record<string, unknown>;
  created: string;
}

/** The commands a session has not answered yet, oldest first. */
export interface PendingCommands {
  commands: PendingCommand[];
}

/** Data that a platform sends about itself. */
export interface PlatformDetails {
  version?: string | null;
  build?: string | null;
  region?: string | null;
  env?: string | null;
  core?: Core | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A request for changes. */
export interface Poll {
  latestDataInfo?: LatestDataInfo | null;
  applications?: KindRequest | null;
  layouts?: KindRequest | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The changes. */
export interface PollView {
  applications: AppsData;
  layouts: LayoutsData;
}

/** A change before the first crash of a group. */
export interface PrecedingChange {
  /** The number of the audit entry. */
  number: number;
  revision: number | null;
  at: string;
  actor: string;
  operation: string;
  kind: string;
  id: string;
  /** The name of the document for people. */
  name: string;
  comment: string | null;
  ticket: string | null;
}

/** The changes before the first crash of a group, newest first. */
export interface PrecedingChanges {
  since: string;
  /** When the first session with the version of the group began, if this was in the same period. */
  versionFirstUsed: string | null;
  items: PrecedingChange[];
  /** Whether there are more changes than are listed. */
  more: boolean;
}

/** The preferences of one app; empty if there are none. */
export interface PreferenceAnswer {
  app?: string | null;
  data?: unknown;
  lastUpdate?: string | null;
  lastKnownUpdate?: string | null;
}

/** New data of a preference. */
export interface PreferenceChange {
  data?: unknown;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Data that an app stores for a user. */
export interface PreferenceDocument {
  /** May be sent back, but cannot change. */
  user?: string | null;
  /** May be sent back, but cannot change. */
  app?: string | null;
  data: unknown;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of preferences. */
export interface PreferenceList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: PreferenceView[];
}

/** Clear one app's preferences, or all of them. */
export interface PreferenceRemoval {
  app?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Store the data of one app; ``data`` may already be a complete preferences object. */
export interface PreferenceSave {
  app: string;
  data?: unknown;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A preference in responses to administrators. */
export interface PreferenceView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  user: string;
  app: string;
  data: unknown;
}

/** Writes to one kind of document, performed together. */
export interface PreviewRequest {
  changes: Proposal[];
  /** Versions of the platform; without them, those that have files of their own. */
  versions?: string[] | null;
  /** Maximum number of different results. */
  limit?: number;
  offset?: number;
  /** Maximum number of named users for each result. */
  names?: number;
  namesOffset?: number;
  /** The id of one result. */
  only?: string | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The effect of the writes; nothing was written. */
export interface PreviewView {
  /** The total number of users. */
  users: number;
  /** The number of affected users. */
  affected: number;
  /** The different results, the most frequent first. */
  items: PreviewedChange[];
  total: number;
  /** Users whose result is not listed because there are too many. */
  unlisted: number;
  /** The versions that were compared; * stands for all others. */
  versions: string[];
  /** Validation problems that the change would introduce. */
  problems: TouchedProblem[];
  /** Validation problems that the change would resolve. */
  solved: TouchedProblem[];
}

/** One result, and the users who share it; parts that the caller may not read are null. */
export interface PreviewedChange {
  id: string;
  count: number;
  /** Some of them by id; null for those who may not read users. */
  users: string[] | null;
  /** created, deleted, enabled, disabled, or (in proposals) new to the groups */
  account: string | null;
  groups: Shift | null;
  apps: Shift | null;
  layouts: LayoutShift | null;
  defaultLayout: ChangedDefault | null;
  configs: ChangedValue[] | null;
  /** The number of configuration values that are not listed. */
  moreValues: number;
}

/** A desktop that a run would include. */
export interface PreviewedDesktop {
  user: string;
  machine: string;
  session: string | null;
  state: "ready" | "offline" | "unsupported" | "refused";
  message: string | null;
}

/** The users of a stage, as they are now. */
export interface PreviewedStage {
  number: number;
  /** Users who receive the new version after the stage has started. */
  users: number;
  /** Users of the stage who are not in an earlier one. */
  new: number;
}

/** A proposed write to a document, which is not performed. */
export interface Proposal {
  /** POST, PUT, PATCH or DELETE. */
  action: "create" | "replace" | "change" | "delete";
  /** The id or name in the address; not for create. */
  key?: string | null;
  /** The body that the write would have; not for delete. */
  document?: Record<string, unknown> | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A proposal with the first hundred changes, and its effect on users. */
export interface ProposalDetails {
  id: string;
  /** pending, approved or rejected */
  status: string;
  /** Id of the operation that the author has called. */
  operation: string;
  comment: string;
  ticket: string;
  /** The number of documents that the proposal changes. */
  changed: number;
  created: string;
  createdBy: string;
  decided: string | null;
  decidedBy: string | null;
  /** The comment of the administrator who decided. */
  decision: string;
  /** The revision that the approval created. */
  revision: number | null;
  changes: ProposedChangeView[];
  /** Null for proposals that were made before effects were recorded. */
  effect: EffectView | null;
}

/** One page of proposals. */
export interface ProposalList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: ProposalView[];
}

/** A change that waits for approval, or was approved or rejected. */
export interface ProposalView {
  id: string;
  /** pending, approved or rejected */
  status: string;
  /** Id of the operation that the author has called. */
  operation: string;
  comment: string;
  ticket: string;
  /** The number of documents that the proposal changes. */
  changed: number;
  created: string;
  createdBy: string;
  decided: string | null;
  decidedBy: string | null;
  /** The comment of the administrator who decided. */
  decision: string;
  /** The revision that the approval created. */
  revision: number | null;
}

/** The proposed change of one document. */
export interface ProposedChangeView {
  kind: string;
  id: string;
  /** created, changed or deleted; exported or imported for all data of the server */
  action: string;
  diff: AuditEdit[];
  /** Number of further edits that are not shown. */
  omitted?: number | null;
  /** True when the contents are not shown because the caller may not read this kind. */
  withheld?: boolean | null;
  /** SHA-256 of what it made of a document, as the history keeps it. */
  digest?: string | null;
  /** The revision that the change is based on; null for a new document. */
  baseRevision: number | null;
  /** Whether the document has changed since; the proposal cannot be approved then. */
  outdated: boolean;
}

/** The response to a change that requires approval: nothing was changed yet. */
export interface ProposedView {
  proposal: ProposalView;
}

/** The use of one quota by a user. */
export interface QuotaUseView {
  /** The setting without its prefix `quotas.`. */
  name: string;
  used: number;
  /** Null when there is no limit. */
  limit: number | null;
}

/** A reason for access. */
export interface ReasonView {
  /** owner, public, list (given to the user directly) or group */
  because: string;
  /** The group of the access list. */
  group?: string | null;
  /** The path from the user's direct group to this group. */
  via?: string[] | null;
  /** The reason as a sentence. */
  text: string;
}

/** One page of receipts, and the number of clients that have applied all relevant changes. */
export interface ReceiptList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: ReceiptView[];
  applied: number;
  pending: number;
}

/** The progress of a running client with changes of one kind. */
export interface ReceiptView {
  session: string;
  user: string;
  machine: string;
  lastSeen: string;
  /** The newest revision of this kind that concerns the client; 0 for none. */
  due: number;
  /** The revision that the client reports as applied. */
  revision: number | null;
  reported: string | null;
  /** Whether it has applied the requested revision, or all relevant changes. */
  applied: boolean;
}

/** A revision: changes that an administrator has made at once. */
export interface RecentChange {
  revision: number;
  at: string;
  actor: string;
  /** Id of the operation; the audit has an entry for the same revision. */
  operation: string;
  comment: string;
  ticket: string;
  /** Number of documents that the caller may read. */
  changed: number;
  /** The first of the documents. */
  document: ChangedDocument;
}

/** The assessment of a report by an administrator. */
export interface Review {
  reviewed?: boolean;
  comment?: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A document at a revision. */
export interface RevisionDocument {
  revision: number;
  /** The revision before it; null when the document did not exist before. */
  previous: number | null;
  /** created, changed or deleted */
  action: string;
  at: string;
  actor: string;
  /** Id of the operation; the audit has an entry for the same revision. */
  operation: string;
  /** The reason that the author gave; may be empty. */
  comment: string;
  /** The ticket that the author gave; may be empty. */
  ticket: string;
  kind: string;
  id: string;
  /** The batch that the change was a part of. */
  batch: string | null;
  /** The body, as it may be sent to replace the document. */
  document: Record<string, unknown> | null;
}

/** One page of revisions, newest first. */
export interface RevisionList {
  items: RevisionView[];
  total: number;
}

/** One revision of a document: author, action and time. */
export interface RevisionView {
  revision: number;
  /** The revision before it; null when the document did not exist before. */
  previous: number | null;
  /** created, changed or deleted */
  action: string;
  at: string;
  actor: string;
  /** Id of the operation; the audit has an entry for the same revision. */
  operation: string;
  /** The reason that the author gave; may be empty. */
  comment: string;
  /** The ticket that the author gave; may be empty. */
  ticket: string;
}

/** The target revision of a rollback. */
export interface RollBack {
  /** Number of a revision, or a time such as 2026-01-31T09:00:00Z. */
  revision: number | string;
}

/** The target revision of a rollback of all documents of a kind. */
export interface RollBackAll {
  /** Number of a revision, or a time such as 2026-01-31T09:00:00Z. */
  revision: number | string;
  /** Only report the changes that would be made. */
  dryRun?: boolean;
}

/** The result of rolling back all documents of a kind, or its preview. */
export interface RolledBackView {
  /** The revision it goes back to. */
  to: number;
  /** The revision that this made; null for a dry run. */
  revision: number | null;
  /** The newest revision of the kind before; may be sent as If-Match. */
  newest: number;
  /** How many documents changed; the first hundred of them are shown. */
  changed: number;
  changes: AuditChange[];
}

/** One page of roll-outs. */
export interface RolloutList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: RolloutSummary[];
}

/** The document and the stages. */
export interface RolloutPlan {
  /** The name of the app, or the ID of the document. */
  key: string;
  /** The stages in their order. After the last one, all users receive the new version. */
  stages: RolloutStage[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Who would receive the new version; nothing was written. */
export interface RolloutPreview {
  /** Users who receive the document. */
  users: number;
  stages: PreviewedStage[];
}

/** What became of the new version since the start of the stage, or since the roll-out was resumed. */
export interface RolloutProgress {
  /** Users who receive the new version. */
  users: number;
  /** Connected desktops that received the new version while they were connected. */
  desktops: number;
  /** Desktops that have reported the new version as applied. */
  applied: number;
  /** Desktops that still have time to do so. */
  pending: number;
  /** Desktops that have not done so in time. */
  failed: number;
  /** Users who receive the new version and have sent a crash report. */
  crashed: number;
}

/** The users who receive the new version in a stage, in addition to those of earlier stages. */
export interface RolloutStage {
  /** A percentage of all users. */
  percent?: number;
  /** The effective members of these groups, direct or inherited. */
  groups?: string[];
  /** Seconds until the next stage starts, or the roll-out finishes after the last stage. Null: an administrator starts the next stage. */
  duration?: number | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A roll-out, as in a list. */
export interface RolloutSummary {
  id: string;
  key: string;
  /** The name of the document. */
  name: string;
  status: "running" | "halted" | "finished" | "withdrawn";
  /** Why the roll-out was halted or withdrawn. */
  reason: string | null;
  /** The number of the stage that has started last. */
  stage: number;
  stages: StageView[];
  /** When the next stage starts, or the roll-out finishes. */
  nextAt: string | null;
  comment: string;
  ticket: string;
  created: string;
  createdBy: string;
  finished: string | null;
  updated: string;
}

/** A roll-out with its progress. */
export interface RolloutView {
  id: string;
  key: string;
  /** The name of the document. */
  name: string;
  status: "running" | "halted" | "finished" | "withdrawn";
  /** Why the roll-out was halted or withdrawn. */
  reason: string | null;
  /** The number of the stage that has started last. */
  stage: number;
  stages: StageView[];
  /** When the next stage starts, or the roll-out finishes. */
  nextAt: string | null;
  comment: string;
  ticket: string;
  created: string;
  createdBy: string;
  finished: string | null;
  updated: string;
  /** Crashes and desktops that fail count from this time on. */
  since: string;
  maxFailures: string | null;
  maxCrashes: string | null;
  applyTimeout: number;
  /** The new content. */
  candidate: unknown;
  progress: RolloutProgress;
}

/** The filter of the list of sessions. */
export interface RunFilter {
  /** The text to search for. */
  q?: string;
  /** The filters of the list of sessions: user, machine, version, env, region, product. */
  fields?: Record<string, unknown>;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The desktops that receive the command. With groups or users and a filter, both must apply. */
export interface RunTarget {
  /** The effective members of these groups, direct or inherited. */
  groups?: string[];
  /** These users as well. */
  users?: string[];
  /** Desktops whose session matches. An empty filter matches all desktops. */
  filter?: RunFilter | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of the desktops of a run. */
export interface RunTargetList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: RunTargetView[];
}

/** The result of one desktop of a run. */
export interface RunTargetView {
  number: number;
  wave: number;
  user: string;
  /** Empty for the next desktop on which the user signs in. */
  machine: string;
  session: string | null;
  /** The ID of the command that was sent. */
  command: string | null;
  state: "pending" | "sent" | "done" | "failed" | "unanswered" | "unsupported" | "offline" | "refused" | "cancelled";
  message: string | null;
  sent: string | null;
  finished: string | null;
}

/** A wave and its progress. */
export interface RunWave {
  total: number;
  /** Desktops of waves that have not started. */
  pending: number;
  /** Desktops that have not answered yet. */
  sent: number;
  done: number;
  failed: number;
  /** Desktops that have not answered in time. */
  unanswered: number;
  /** Desktops that do not support the command. */
  unsupported: number;
  /** Desktops that were not connected when their wave started. */
  offline: number;
  /** Desktops that the author of the run must not send this command to. */
  refused: number;
  cancelled: number;
  number: number;
  started: string | null;
  finished: string | null;
}

/** A change of a saved view. */
export interface SavedViewChange {
  /** The new name. */
  name?: string;
  /** The new query of the address. */
  search?: string;
  /** Whether all users who may read the list can open the view. */
  shared?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  id?: unknown;
  /** Set by the server; ignored in requests. */
  list?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  owner?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of saved views. */
export interface SavedViewList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: SavedViewView[];
}

/** A saved view. */
export interface SavedViewView {
  id: string;
  list: string;
  name: string;
  owner: string;
  shared: boolean;
  search: string;
  created: string;
  modified: string;
}

/** This server. */
export interface ServerInfoView {
  version: string;
  capabilities: string[];
  /** Address of the caller's central gateway, absolute or a path of this server. */
  gatewayUrl?: string | null;
}

/** One running process. */
export interface ServerView {
  version: string;
  /** Host name and process ID, separated by a colon. */
  node: string;
  started: string;
  uptimeSeconds: number;
  /** Event streams that this process has open. */
  eventClients: number;
  database: DatabaseView;
  health: HealthView;
  settings: SettingInForce[];
}

/** A heartbeat. */
export interface SessionHeartbeat {
  commands?: (string | Record<string, unknown>)[] | null;
  /** The newest revision of each kind that the client has applied. */
  applied?: Applied | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** One page of sessions. */
export interface SessionList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: SessionView[];
}

/** Data that a client sends when it starts. */
export interface SessionOpening {
  /** name, id, os, cpu, memory, displays: what the client knows of its computer */
  machine?: Record<string, unknown>;
  version?: string;
  env?: string;
  region?: string;
  product?: string;
  commands?: (string | Record<string, unknown>)[];
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A client session in responses. */
export interface SessionView {
  id: string;
  user: string;
  machine: string;
  version: string;
  env: string;
  region: string;
  product: string;
  commands: unknown[];
  started: string;
  lastSeen: string;
  ended: string | null;
  /** Whether it has not ended and sends heartbeats. */
  active: boolean;
}

/** A setting and its effective value. */
export interface SettingInForce {
  /** Path of the setting in the configuration file, such as `token.secret`. */
  property: string;
  /** Environment variable of the setting. */
  variable: string;
  /** The value as text; secrets are masked. */
  value: string;
  /** The value with its unit, such as `3600 s (1 hour)`; secrets are masked. */
  display: string;
  /** Source of the value: `default`, `configuration file`, `configuration object` (set by the program that started the server), `variable`, `file named by` or `argument`. */
  origin: string;
  /** Name of the environment variable or argument that set the value, or empty. */
  originName: string;
  /** Whether the value is never shown. */
  secret: boolean;
  /** Description of the setting. */
  meaning: string;
}

/** The definition of a setting. */
export interface SettingView {
  path: string;
  type: string;
  text: string;
  enum: string[];
  minimum: number | null;
  maximum: number | null;
  unit: string | null;
  since: string | null;
  stream: string | null;
  mode: string | null;
  /** Clients ignore values from a server. */
  localOnly: boolean;
  /** A change takes effect while the platform runs. */
  reapplied: boolean;
}

/** Added, removed and changed items, by name. */
export interface Shift {
  gained: string[];
  lost: string[];
  changed: string[];
}

/** How this server keeps users of pages signed in. */
export interface SignInOptions {
  /** With a session cookie; otherwise pages use a token. */
  sessionCookie: boolean;
}

/** What ends besides all sessions. */
export interface SignOutEverywhere {
  /** Whether the caller's API tokens are revoked too. */
  apiTokens?: boolean;
  /** Whether the caller's command runs, unfetched commands, bulk changes and roll-outs are stopped. */
  plannedWork?: boolean;
}

/** The user of a page who has just signed in. The token replaces the session cookie if the browser stores none. It ends with the session, with the account and at sign-out. */
export interface SignedIn {
  user: Me;
  /** Only on request: `Authorization: Bearer`. */
  token?: string | null;
  /** Seconds until the token expires. */
  expiresIn?: number | null;
  /** Whether the token can be exchanged for a new one here; otherwise the user signs in again. */
  renewable?: boolean;
}

/** The sessions of a user that were ended. */
export interface SignedOutView {
  user: string;
  /** Client sessions that were open. Sessions of pages end too, without a number. */
  desktops: number;
  /** API tokens that were revoked. */
  apiTokens: number;
  /** Command runs, unfetched commands, bulk changes and roll-outs that ended. */
  plannedWork: number;
}

/** A stage of a roll-out. */
export interface StageView {
  number: number;
  percent: number;
  groups: string[];
  duration: number | null;
  started: string | null;
}

/** The token that is to be replaced. */
export interface TokenRefresh {
  token: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A new token of the same session. */
export interface TokenRefreshView {
  token: string;
}

/** A fresh client token. */
export interface TokenView {
  token: string;
  expiresIn: number;
}

/** A validation problem of merged files, and the number of affected users. */
export interface TouchedProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The most similar valid name or word, if any. */
  suggestion?: string | null;
  file: string;
  versions: string[];
  count: number;
  users: string[] | null;
}

/** The state of a group of crash reports. */
export interface Triage {
  status?: "new" | "investigating" | "resolved" | "ignored";
  /** A user who can read crash reports, or null for no user. */
  assignee?: string | null;
  /** Whether the reports of the group are marked as reviewed too, if the group is resolved. At most 10,000 reports are marked, the newest first. */
  reviewReports?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The use of all quotas by a user. */
export interface UsageView {
  items: QuotaUseView[];
}

/** Some members of a user. */
export interface UserChange {
  /** May be sent back, but cannot change. */
  id?: string | null;
  password?: string | null;
  displayName?: string | null;
  email?: string | null;
  groups?: string[];
  apps?: string[];
  layouts?: string[];
  disabled?: boolean;
  /** May be sent back, but cannot change. */
  service?: boolean | null;
  /** Whether a new password also revokes the user's API tokens. Default: if it is not the caller's own. */
  revokeApiTokens?: boolean | null;
  /** Whether a new password also stops what the user has planned: command runs, commands that no desktop has fetched, bulk changes and roll-outs. Default: if it is not the caller's own. */
  stopPlannedWork?: boolean | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  disabledSince?: unknown;
  /** Set by the server; ignored in requests. */
  lastSeen?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A complete user. The password is not changed if none is sent. */
export interface UserDocument {
  /** May be sent back, but cannot change. */
  id?: string | null;
  password?: string | null;
  /** The name that is shown next to the ID. */
  displayName?: string | null;
  email?: string | null;
  groups?: string[];
  /** Apps assigned directly to this user. */
  apps?: string[];
  /** Layouts assigned directly to this user. */
  layouts?: string[];
  disabled?: boolean;
  /** May be sent back, but cannot change. */
  service?: boolean | null;
  /** Whether a new password also revokes the user's API tokens. Default: if it is not the caller's own. */
  revokeApiTokens?: boolean | null;
  /** Whether a new password also stops what the user has planned: command runs, commands that no desktop has fetched, bulk changes and roll-outs. Default: if it is not the caller's own. */
  stopPlannedWork?: boolean | null;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  disabledSince?: unknown;
  /** Set by the server; ignored in requests. */
  lastSeen?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** The effect of an import; nothing was written. */
export interface UserImportPreview {
  /** The number of rows. */
  total: number;
  new: number;
  changed: number;
  unchanged: number;
  invalid: number;
  /** The number of transactions in which users are written. Other changes can happen between them. */
  transactions: number;
  /** The columns that are imported. */
  columns: string[];
  /** The titles of columns that are not imported. */
  ignored: string[];
  /** All invalid rows. */
  problems: ImportRow[];
  /** The first rows that create or change users. */
  items: ImportRow[];
}

/** A CSV file with users, and the options of the import. */
export interface UserImportRequest {
  /** The text of the file. The first row contains the names of columns: id (required), displayName, email, groups, apps and disabled. Fields are separated by commas, semicolons or tabs; groups and apps within a field by semicolons. Other columns are ignored. At most 20,000 rows. */
  csv: string;
  /** The columns to import. Null for all columns of the file. */
  columns?: ("displayName" | "email" | "groups" | "apps" | "disabled")[] | null;
  /** Whether the groups and apps of a row replace those of the user, or are added to them. */
  lists?: "replace" | "add";
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Create or replace a personal layout of the caller, by type and name. */
export interface UserLayoutSave {
  type: string;
  name: string;
  /** The layout as JSON text. */
  definition: string;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** A layout in the format of browser platforms. */
export interface UserLayoutView {
  id: string;
  name: string;
  type: string;
  /** The layout as JSON text. */
  definition: string;
  /** The user who owns it; left out if it belongs to all. */
  owner?: string | null;
  default: boolean;
}

/** One page of users. */
export interface UserList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: UserView[];
}

/** Data that one app stores for the caller. */
export interface UserPreferenceSave {
  app: string;
  data?: unknown;
  /** Keep the members of the stored object that are not sent. */
  merge?: boolean;
  /** Set by the server; ignored in requests. */
  created?: unknown;
  /** Set by the server; ignored in requests. */
  createdBy?: unknown;
  /** Set by the server; ignored in requests. */
  modified?: unknown;
  /** Set by the server; ignored in requests. */
  modifiedBy?: unknown;
  /** Set by the server; ignored in requests. */
  problems?: unknown;
  /** Set by the server; ignored in requests. */
  revision?: unknown;
}

/** Data that one app stores for the caller. */
export interface UserPreferenceView {
  id: string;
  app: string;
  user: string;
  data: unknown;
  lastUpdate: string;
}

/** Which version of a document a user receives, because of a roll-out. */
export interface UserRollout {
  id: string;
  /** Whether the user receives the new version. */
  isCandidate: boolean;
  stage: number;
  stageCount: number;
  status: "running" | "halted" | "finished" | "withdrawn";
  /** The same in a sentence. */
  text: string;
}

/** What ends besides all sessions of a user. */
export interface UserSignOut {
  /** Whether the user's API tokens are revoked too. */
  apiTokens?: boolean;
  /** Whether the user's command runs, unfetched commands, bulk changes and roll-outs are stopped. */
  plannedWork?: boolean;
}

/** A user in responses, which never contain the password. */
export interface UserView {
  /** Number of the last change. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  displayName: string | null;
  email: string | null;
  groups: string[];
  apps: string[];
  layouts: string[];
  disabled: boolean;
  /** When the user was disabled. Null if the user is not disabled, or if the time is unknown. */
  disabledSince: string | null;
  /** The last contact of a desktop, sign-in with a password or use of an API token, if it is still recorded. Lists of the members of a group do not contain it. */
  lastSeen?: string | null;
  /** Whether this is a service account, which cannot sign in with a password. */
  service: boolean;
}

/** The sessions that were started on each day with each version of the desktop. */
export interface VersionsView {
  /** The most frequent versions, most frequent first. */
  names: string[];
  /** For each day, the number of sessions with each version. */
  counts: number[][];
  /** For each day, the number of sessions with other versions. */
  others: number[];
}

/** The caller. */
export interface WhoAmI {
  id: string;
  email: string | null;
  /** All groups, nested ones expanded. */
  groups: string[];
  /** Names of apps assigned directly to this user. */
  apps: string[];
}

/** A reason for missing access. */
export interface WhyNot {
  /** userDisabled, disabled, notShared or hidden */
  because: string;
  /** Groups that would grant access. */
  groups?: string[] | null;
  /** The id of the layout that is shown instead. */
  hiddenBy?: string | null;
  /** The reason as a sentence. */
  text: string;
}

export interface Operations {
  /** Add a note to a crash group. Notes cannot be changed or deleted. */
  addCrashGroupNote: {
    path: { group_id: string };
    query: Record<never, never>;
    body: NewNote;
    answer: NoteView;
  };
  /** Add a note to a feedback. Notes cannot be changed; they are deleted with the feedback. */
  addFeedbackNote: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: NewNote;
    answer: NoteView;
  };
  /** Start the next stage of a roll-out of apps now; a halted one continues. */
  advanceAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Start the next stage of a roll-out of configuration files now; a halted one continues. */
  advanceConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Start the next stage of a roll-out of layouts now; a halted one continues. */
  advanceLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Save the result of a command. */
  answerCommand: {
    path: { session_id: string; command_id: string };
    query: Record<never, never>;
    body: CommandResult;
    answer: undefined;
  };
  /** Approve a proposal of another administrator. All its documents are changed in one transaction. */
  approveProposal: {
    path: { proposal_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: ProposalView;
  };
  /** End a batch of apps. Documents that were changed stay changed. */
  cancelAppBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of commands. Documents that were changed stay changed. */
  cancelCommandBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a command run. Commands that desktops have not fetched yet are withdrawn. */
  cancelCommandRun: {
    path: { run_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandRunView;
  };
  /** End a batch of configuration files. Documents that were changed stay changed. */
  cancelConfigBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of crashes. Documents that were changed stay changed. */
  cancelCrashBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of crash groups. Documents that were changed stay changed. */
  cancelCrashGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of directory addresses. Documents that were changed stay changed. */
  cancelDirectoryBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of feedback reports. Documents that were changed stay changed. */
  cancelFeedbackBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of groups. Documents that were changed stay changed. */
  cancelGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of layouts. Documents that were changed stay changed. */
  cancelLayoutBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of machines. Documents that were changed stay changed. */
  cancelMachineBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of preferences. Documents that were changed stay changed. */
  cancelPreferenceBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of sessions. Documents that were changed stay changed. */
  cancelSessionBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of API tokens. Documents that were changed stay changed. */
  cancelTokenBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** End a batch of users. Documents that were changed stay changed. */
  cancelUserBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Change the properties that are sent. */
  changeApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: AppChange;
    answer: AppView;
  };
  /** Change the contents of a configuration file. */
  changeConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: ConfigChange;
    answer: ConfigView;
  };
  /** Set the status or the assignee of a crash group. A resolved group can mark its reports as reviewed. */
  changeCrashGroup: {
    path: { group_id: string };
    query: Record<never, never>;
    body: Triage;
    answer: CrashGroupDetail;
  };
  /** Change the properties that are sent. */
  changeGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: GroupChange;
    answer: GroupView;
  };
  /** Change the properties that are sent. */
  changeLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: LayoutChange;
    answer: LayoutView;
  };
  /** Change the caller's own password; all other sessions of the user end. A wrong current password is answered with 403, and with 429 after too many of them. */
  changeOwnPassword: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PasswordChange;
    answer: undefined;
  };
  /** Change the data of a preference. */
  changePreference: {
    path: { preference_id: string };
    query: Record<never, never>;
    body: PreferenceChange;
    answer: PreferenceView;
  };
  /** Change the properties that are sent. */
  changeUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: UserChange;
    answer: UserView;
  };
  /** Rename, replace, share or unshare a view. Only full administrators can change shared views of other users. */
  changeView: {
    path: { view_id: string };
    query: Record<never, never>;
    body: SavedViewChange;
    answer: SavedViewView;
  };
  /** Delete the preferences of one app; without `app`, of all apps. */
  clearPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreferenceRemoval | null;
    answer: undefined;
  };
  /** Delete the caller's preferences of all apps. */
  clearUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Close a session of the caller and revoke its token. */
  closeSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  compareAppRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  compareConfigRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  compareGroupRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare the apps, layouts and settings that members of two groups receive through the groups. With `at` or `withAt`, compare earlier states. Without `with`, compare two states of the same group. */
  compareGroups: {
    path: { group_name: string };
    query: { with?: string | null; at?: string | null; withAt?: string | null; version?: string | null };
    body: undefined;
    answer: AccessComparison;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  compareLayoutRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  comparePreferenceRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document. Default: the newest revision and its predecessor. */
  compareUserRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare the groups, apps, layouts and settings of two users, with the reason for each difference. With `at` or `withAt`, compare earlier states. Without `with`, compare two states of the same user. */
  compareUsers: {
    path: { user_id: string };
    query: { with?: string | null; at?: string | null; withAt?: string | null; version?: string | null };
    body: undefined;
    answer: AccessComparison;
  };
  /** Confirm the identity of the caller of a session, before a change that creates credentials or gives rights. The response contains a text that the caller sends in the header `Confirmation` of later requests with the same session. A wrong password is answered with 403, and with 429 after too many of them. */
  confirmIdentity: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: IdentityConfirmation;
    answer: Confirmed;
  };
  /** Continue a command run that was paused or has stopped. Earlier failures and crashes no longer count. */
  continueCommandRun: {
    path: { run_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandRunView;
  };
  /** Create an app. */
  createApp: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AppEntry;
    answer: AppView;
  };
  /** Create a configuration file in a scope. Validation problems are returned as `problems`. */
  createConfig: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ConfigDocument;
    answer: ConfigView;
  };
  /** Create a directory address for a user or a group. Its path is a secret that only this response contains. */
  createDirectory: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewDirectory;
    answer: NewDirectoryView;
  };
  /** Create a group. */
  createGroup: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewGroup;
    answer: GroupView;
  };
  /** Create a layout for one user or for all users. */
  createLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutEntry;
    answer: LayoutView;
  };
  /** Create an API token for the caller. The token is a secret that only this response contains. Cannot be called with an API token. */
  createOwnToken: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewApiToken;
    answer: NewApiTokenView;
  };
  /** Create links with which users set their password, and which end with their use. Only this response has them. A new link replaces the earlier link of the user. A new password and disabling the user end the link. Requires the permissions of each user. Cannot be called with an API token. */
  createPasswordLinks: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewPasswordLinks;
    answer: PasswordLinkList;
  };
  /** Create a preference for a user. */
  createPreference: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewPreference;
    answer: PreferenceView;
  };
  /** Create an API token for a service account. The token is a secret that only this response contains. Requires the permissions of the service account. Cannot be called with an API token. */
  createToken: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewUserApiToken;
    answer: NewApiTokenView;
  };
  /** Create a user. */
  createUser: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewUser;
    answer: UserView;
  };
  /** Save a view of a list for the caller, or for all users who may read the list. */
  createView: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewSavedView;
    answer: SavedViewView;
  };
  /** Delete an app. */
  deleteApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a command. A command that was not fetched yet is cancelled. */
  deleteCommand: {
    path: { command_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a configuration file. */
  deleteConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a report and its dump. */
  deleteCrash: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a feedback and its file. */
  deleteFeedback: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a group, and remove it from all users, apps and layouts. */
  deleteGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a layout. */
  deleteLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a machine. It is listed again when one of its clients starts. */
  deleteMachine: {
    path: { machine_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a preference. */
  deletePreference: {
    path: { preference_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a user with the user's layouts, preferences, configuration files and tokens, and end all sessions. */
  deleteUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a view. Only full administrators can delete shared views of other users. */
  deleteView: {
    path: { view_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** End a session: its client has to sign in again. */
  endSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Return the origin of each value, and the overridden values. */
  explainConfig: {
    path: Record<never, never>;
    query: { user?: string | null; group?: string | null; version?: string | null; file?: string | null; path?: string | null; defaults?: boolean; limit?: number; offset?: number };
    body: undefined;
    answer: Explanation;
  };
  /** Return the origin of each value of one file as if the draft were saved. Nothing is saved. */
  explainConfigDraft: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number };
    body: DraftQuestion;
    answer: Explanation;
  };
  /** Download all entries in order, one JSON object per line. */
  exportAudit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Export all data: users with their password hashes, documents, history, audit log and reports. The audit log records the export. Only one export or import can run at a time. */
  exportServer: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Return the pending commands of the session, oldest first. The request also marks the session as active. */
  fetchCommands: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: PendingCommands;
  };
  /** Finish a roll-out of apps: the new version is saved, for all users. */
  finishAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Finish a roll-out of configuration files: the new version is saved, for all users. */
  finishConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Finish a roll-out of layouts: the new version is saved, for all users. */
  finishLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Return the preferences of all apps. */
  getAllPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PreferenceAnswer[];
  };
  /** Return the app definitions that are available to the caller. Use this address for `rest` app stores. */
  getApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Return the name and type of the default layout, or an empty object. */
  getDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Return the name and type of the default layout, or an empty object. */
  getDefaultLayoutAtDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Return the name and type of the default layout, or an empty object. */
  getDefaultLayoutAtLayoutsLayoutsDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Return the apps as an FDC3 2.2 app directory. Without credentials: the public apps, if the server allows it. */
  getDirectory: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Return one record of the FDC3 app directory. `name@host` is also accepted. */
  getDirectoryApp: {
    path: { app_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Return the layouts that are available to the caller. */
  getLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Layouts;
  };
  /** Return the layouts that are available to the caller. */
  getLayoutsAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Layouts;
  };
  /** Return the same app definitions as `/apps`, as an array. */
  getPlatformApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>[];
  };
  /** Return the preferences of one app, or an empty object. `app` and `apps` can also be sent in a JSON body. */
  getPreferences: {
    path: Record<never, never>;
    query: { app?: string | null };
    body: undefined;
    answer: PreferenceAnswer | PreferenceAnswer[];
  };
  /** Return the configuration files of the caller, each merged from all scopes. */
  getSystemConfig: {
    path: Record<never, never>;
    query: { user?: string | null; group?: string | null; version?: string | null; configs?: string | null };
    body: undefined;
    answer: Record<string, FileContents>;
  };
  /** Return the default layout of the caller; 204 if the caller has none. */
  getUserDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView;
  };
  /** Return the layouts that are available to the caller. */
  getUserLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView[];
  };
  /** Return the caller's preferences of one app. */
  getUserPreference: {
    path: { preference_app: string };
    query: { last?: string | null };
    body: undefined;
    answer: UserPreferenceView;
  };
  /** Return the caller's preferences of all apps. */
  getUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserPreferenceView[];
  };
  /** Halt a roll-out of apps: no further stage starts, and users who have the new version keep it. */
  haltAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Halt a roll-out of configuration files: no further stage starts, and users who have the new version keep it. */
  haltConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Halt a roll-out of layouts: no further stage starts, and users who have the new version keep it. */
  haltLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Import several apps. If one is invalid, none is imported. */
  importApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AppImport;
    answer: ImportView;
  };
  /** Import several layouts. If one is invalid, none is imported. */
  importLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutImport;
    answer: ImportView;
  };
  /** Import an export of another server of the same version; the body is the file. If it fails, nothing is changed. Only a server without documents accepts an import. Its existing users and their groups are kept. */
  importServer: {
    path: Record<never, never>;
    query: { dryRun?: boolean };
    body: undefined;
    answer: ImportedView;
  };
  /** List the documents of a batch of apps, each with its result; filter: result. */
  listAppBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of apps, newest first; filters: id, action, createdBy, ticket. */
  listAppBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listAppRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List roll-outs of apps, newest first; filters: key, name, status, createdBy, ticket, comment. */
  listAppRollouts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RolloutList;
  };
  /** List apps; filters: name, type, title, public, disabled, accessList. */
  listApps: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: AppList;
  };
  /** List audit entries, newest first. Filters: actor, operation, kind, id, revision, number, batch, comment and ticket. */
  listAudit: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; from?: string | null; to?: string | null };
    body: undefined;
    answer: AuditList;
  };
  /** List the documents of a batch of commands, each with its result; filter: result. */
  listCommandBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of commands, newest first; filters: id, action, createdBy, ticket. */
  listCommandBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the desktops of a command run; filters: state, wave, user, machine, session. */
  listCommandRunTargets: {
    path: { run_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RunTargetList;
  };
  /** List command runs, newest first; filters: command, status, createdBy, ticket, comment. */
  listCommandRuns: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: CommandRunList;
  };
  /** List commands; filters: session, user, command, status. */
  listCommands: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: CommandList;
  };
  /** List the documents of a batch of configuration files, each with its result; filter: result. */
  listConfigBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of configuration files, newest first; filters: id, action, createdBy, ticket. */
  listConfigBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listConfigRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List roll-outs of configuration files, newest first; filters: key, name, status, createdBy, ticket, comment. */
  listConfigRollouts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RolloutList;
  };
  /** List configuration files; filters: id, file, scope, target, version, group, user. */
  listConfigs: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: ConfigList;
  };
  /** List the documents of a batch of crashes, each with its result; filter: result. */
  listCrashBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of crashes, newest first; filters: id, action, createdBy, ticket. */
  listCrashBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the documents of a batch of crash groups, each with its result; filter: result. */
  listCrashGroupBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of crash groups, newest first; filters: id, action, createdBy, ticket. */
  listCrashGroupBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the notes about a crash group, oldest first. */
  listCrashGroupNotes: {
    path: { group_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: NoteList;
  };
  /** List groups of crash reports with the same product, app, version and signature. Filters: received (the period of the reports that are counted), status (open selects new, investigating and returned), assignee, product, app, version, signature, firstSeen, lastSeen. */
  listCrashGroups: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: CrashGroupList;
  };
  /** List reports; filters: group, user, product, app, version, platform, processType, reviewed, reviewedBy. */
  listCrashes: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: CrashList;
  };
  /** List directory addresses, without their secret parts; filters: user, group, description. */
  listDirectories: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: DirectoryList;
  };
  /** List the documents of a batch of directory addresses, each with its result; filter: result. */
  listDirectoryBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of directory addresses, newest first; filters: id, action, createdBy, ticket. */
  listDirectoryBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List feedback; filters: user, session, description, reviewed, reviewedBy, status, assignee. */
  listFeedback: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: FeedbackList;
  };
  /** List the documents of a batch of feedback reports, each with its result; filter: result. */
  listFeedbackBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of feedback reports, newest first; filters: id, action, createdBy, ticket. */
  listFeedbackBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the notes about a feedback, oldest first. */
  listFeedbackNotes: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: NoteList;
  };
  /** List the documents of a batch of groups, each with its result; filter: result. */
  listGroupBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of groups, newest first; filters: id, action, createdBy, ticket. */
  listGroupBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the direct and inherited members of a group, with the groups through which each is a member. Filters: as for users, without memberOf. */
  listGroupMembers: {
    path: { group_name: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: MemberList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listGroupRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List groups; filters: name, priority, expandsTo. */
  listGroups: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: GroupList;
  };
  /** List the documents of a batch of layouts, each with its result; filter: result. */
  listLayoutBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of layouts, newest first; filters: id, action, createdBy, ticket. */
  listLayoutBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listLayoutRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List roll-outs of layouts, newest first; filters: key, name, status, createdBy, ticket, comment. */
  listLayoutRollouts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RolloutList;
  };
  /** List layouts; filters: name, type, owner, public, default, disabled, accessList. */
  listLayouts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: LayoutList;
  };
  /** List the documents of a batch of machines, each with its result; filter: result. */
  listMachineBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of machines, newest first; filters: id, action, createdBy, ticket. */
  listMachineBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List machines; filters: id, name, user. */
  listMachines: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: MachineList;
  };
  /** List the API tokens of the caller, without their secret parts; filter: name. */
  listOwnTokens: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: ApiTokenList;
  };
  /** List the documents of a batch of preferences, each with its result; filter: result. */
  listPreferenceBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of preferences, newest first; filters: id, action, createdBy, ticket. */
  listPreferenceBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listPreferenceRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List preferences; filters: user, app. */
  listPreferences: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: PreferenceList;
  };
  /** List the proposals that the caller may read, newest first. Filters: status, createdBy, decidedBy, ticket; `decision=mine` for those that the caller can approve or reject. */
  listProposals: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: ProposalList;
  };
  /** List the active sessions, with the newest changes of a kind that each has to apply and has applied. Filters: applied, session, user, machine, lastSeen, reported, `due` (the revision that the session has to apply). */
  listReceipts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; kind?: "apps" | "layouts" | "prefs" | "systemConfig" | "commands"; revision?: number };
    body: undefined;
    answer: ReceiptList;
  };
  /** List the documents of a batch of sessions, each with its result; filter: result. */
  listSessionBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of sessions, newest first; filters: id, action, createdBy, ticket. */
  listSessionBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List sessions; filters: id, user, machine, version, env, region, product, started, lastSeen, ended, outdated. The filter `outdated` is `apps`, `layouts`, `prefs` or `systemConfig`. It selects sessions that have not reported the newest revision of this kind as applied. */
  listSessions: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; active?: boolean };
    body: undefined;
    answer: SessionList;
  };
  /** List the documents of a batch of API tokens, each with its result; filter: result. */
  listTokenBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of API tokens, newest first; filters: id, action, createdBy, ticket. */
  listTokenBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the API tokens of all users, without their secret parts; filters: user, name. */
  listTokens: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: ApiTokenList;
  };
  /** List the documents of a batch of users, each with its result; filter: result. */
  listUserBatchTargets: {
    path: { batch_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchTargetList;
  };
  /** List batches of users, newest first; filters: id, action, createdBy, ticket. */
  listUserBatches: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: BatchList;
  };
  /** List the revisions of a document, newest first. Includes deleted documents. */
  listUserRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List users; filters: id, displayName, email, disabled, disabledSince, service, group, memberOf, app. */
  listUsers: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: UserList;
  };
  /** List the views of the caller and shared views. Views of lists that the caller may not read are left out. Filters: list, name, owner, shared. */
  listViews: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: SavedViewList;
  };
  /** Subscribe to changes: apps, layouts, prefs, systemConfig, commands. A new stream begins with `ready`. A stream with the ID of an earlier event begins with the changes since, or with `reset` if they are unknown; the client must then fetch all documents again. The data of an event contains the revision of the change. The ID of an event is the revision up to which all changes were sent. */
  listenForEvents: {
    path: Record<never, never>;
    query: { session?: string | null; lastEventId?: string | null };
    body: undefined;
    answer: undefined;
  };
  /** Report that the process is running. */
  live: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: HealthView;
  };
  /** Sign out: end the session. */
  logOut: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Return the metrics of this process for Prometheus. */
  metrics: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Return the user of a link. An invalid link is answered with 403, and with 429 after too many attempts. */
  openPasswordLink: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OpenedLink;
    answer: OpenedLinkView;
  };
  /** Open a session. Use the returned token for further requests. */
  openSession: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SessionOpening;
    answer: OpenedSession;
  };
  /** Pause a command run: nothing more is sent until it is continued. */
  pauseCommandRun: {
    path: { run_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandRunView;
  };
  /** End a session of the caller: the given session, or the session of the token. */
  platformGoodbye: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Goodbye;
    answer: undefined;
  };
  /** Open a session of a browser platform. Returns its token, and the requested apps and layouts. */
  platformHello: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Hello;
    answer: HelloView;
  };
  /** Return the apps and layouts that have changed since the given states. */
  platformPoll: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Poll;
    answer: PollView;
  };
  /** Return a new token for the session of the token. The old token stays valid until it expires. */
  platformRefresh: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: TokenRefresh;
    answer: TokenRefreshView;
  };
  /** Return the configuration files of the caller, each merged from all scopes. `user`, `group` and `version` can be members of the body, or of its members `impersonation` and `identifier`. With the `user` `*`, only files of the base scope and of the version are merged. Requests without credentials are answered in this way, but only for the files that the setting `configs.anonymous` names. */
  postSystemConfig: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Record<string, unknown> | null;
    answer: Record<string, FileContents>;
  };
  /** Preview a batch of apps: which documents would change or be refused. Nothing is written. */
  previewAppBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a roll-out of apps: how many users each stage reaches. Nothing is written. */
  previewAppRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RolloutPlan;
    answer: RolloutPreview;
  };
  /** Preview changes of apps: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview a batch of commands: which documents would change or be refused. Nothing is written. */
  previewCommandBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a command run: how many desktops it selects now, and which cannot receive the command. */
  previewCommandRun: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: CommandRunRequest;
    answer: CommandRunPreview;
  };
  /** Preview a batch of configuration files: which documents would change or be refused. Nothing is written. */
  previewConfigBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a roll-out of configuration files: how many users each stage reaches. Nothing is written. */
  previewConfigRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RolloutPlan;
    answer: RolloutPreview;
  };
  /** Preview changes of configuration files: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewConfigs: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview a batch of crashes: which documents would change or be refused. Nothing is written. */
  previewCrashBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of crash groups: which documents would change or be refused. Nothing is written. */
  previewCrashGroupBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of directory addresses: which documents would change or be refused. Nothing is written. */
  previewDirectoryBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of feedback reports: which documents would change or be refused. Nothing is written. */
  previewFeedbackBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of groups: which documents would change or be refused. Nothing is written. */
  previewGroupBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview changes of groups: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewGroups: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview a batch of layouts: which documents would change or be refused. Nothing is written. */
  previewLayoutBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a roll-out of layouts: how many users each stage reaches. Nothing is written. */
  previewLayoutRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RolloutPlan;
    answer: RolloutPreview;
  };
  /** Preview changes of layouts: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview a batch of machines: which documents would change or be refused. Nothing is written. */
  previewMachineBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of preferences: which documents would change or be refused. Nothing is written. */
  previewPreferenceBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of sessions: which documents would change or be refused. Nothing is written. */
  previewSessionBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of API tokens: which documents would change or be refused. Nothing is written. */
  previewTokenBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview a batch of users: which documents would change or be refused. Nothing is written. */
  previewUserBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: BatchRequest;
    answer: BatchPreviewView;
  };
  /** Preview an import of users from CSV: which rows are new, changed, unchanged or invalid. Nothing is written. */
  previewUserImport: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: UserImportRequest;
    answer: UserImportPreview;
  };
  /** Preview changes of users: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewUsers: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Read an app. */
  readApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: AppView;
  };
  /** Read the progress of a batch of apps. */
  readAppBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readAppRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a roll-out of apps with its progress. */
  readAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Download the attachment of a feedback. */
  readAttachment: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Read one entry. */
  readAuditEntry: {
    path: { entry_number: string };
    query: Record<never, never>;
    body: undefined;
    answer: AuditEntryView;
  };
  /** Return which changes require a comment, and the address of tickets. */
  readChangeRules: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ChangeRules;
  };
  /** Read a command with its result. */
  readCommand: {
    path: { command_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandView;
  };
  /** Read the progress of a batch of commands. */
  readCommandBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a command run with the progress of its waves. */
  readCommandRun: {
    path: { run_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandRunView;
  };
  /** Read a configuration file. */
  readConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: ConfigView;
  };
  /** Read the progress of a batch of configuration files. */
  readConfigBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readConfigRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a roll-out of configuration files with its progress. */
  readConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Read a report. */
  readCrash: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CrashView;
  };
  /** Read the progress of a batch of crashes. */
  readCrashBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a crash group. */
  readCrashGroup: {
    path: { group_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CrashGroupDetail;
  };
  /** Read the progress of a batch of crash groups. */
  readCrashGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read the changes in the 24 hours before the first crash of a group, newest first. The list contains changes of the app, and changes of configuration files, layouts and groups that concern one of the 20 users with the most reports. Only kinds that the caller may read are included. */
  readCrashGroupChanges: {
    path: { group_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: PrecedingChanges;
  };
  /** Read what needs attention, the newest changes, and sessions and crashes by day. Parts that the caller may not read are null. */
  readDashboard: {
    path: Record<never, never>;
    query: { days?: string | null };
    body: undefined;
    answer: DashboardView;
  };
  /** Read the progress of a batch of directory addresses. */
  readDirectoryBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Return the apps, layouts and settings of a user, with the reason for each item. `app=…` selects one app. */
  readEffective: {
    path: { user_id: string };
    query: { kind?: "apps" | "layouts" | "configs" | null; app?: string | null; layout?: string | null; file?: string | null; given?: boolean | null; version?: string | null; q?: string | null; sort?: "name" | "-name" | "given" | "-given" | null; limit?: number; offset?: number };
    body: undefined;
    answer: EffectiveView;
  };
  /** Read a feedback. */
  readFeedback: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: FeedbackView;
  };
  /** Read the progress of a batch of feedback reports. */
  readFeedbackBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a group. */
  readGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: GroupView;
  };
  /** Read the progress of a batch of groups. */
  readGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readGroupRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a layout. */
  readLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: LayoutView;
  };
  /** Read the progress of a batch of layouts. */
  readLayoutBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readLayoutRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a roll-out of layouts with its progress. */
  readLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Read a machine. */
  readMachine: {
    path: { machine_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: MachineView;
  };
  /** Read the progress of a batch of machines. */
  readMachineBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Return the caller's identity. Used to check credentials. */
  readMe: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Me;
  };
  /** Download the dump of a report. */
  readMinidump: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Return the caller's desktops and the networks of recent sign-ins. */
  readOwnSessions: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OwnSessions;
  };
  /** Return the quota usage of the caller. */
  readOwnUsage: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UsageView;
  };
  /** Read a preference. */
  readPreference: {
    path: { preference_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: PreferenceView;
  };
  /** Read the progress of a batch of preferences. */
  readPreferenceBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readPreferenceRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a proposal with its differences. */
  readProposal: {
    path: { proposal_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: ProposalDetails;
  };
  /** Return the version, the health and the effective settings of the server, with their origins. */
  readServer: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ServerView;
  };
  /** Return the version of this server, the supported optional parts of the protocol, and the caller's gateway. */
  readServerInfo: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ServerInfoView;
  };
  /** Read a session. */
  readSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: SessionView;
  };
  /** Read the progress of a batch of sessions. */
  readSessionBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Return the apps of a directory address as an FDC3 2.2 app directory. The address is the credential. */
  readSharedDirectory: {
    path: { directory_key: string };
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Return one record of the app directory of a directory address. */
  readSharedDirectoryApp: {
    path: { directory_key: string; app_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Return the session settings that pages need before the user signs in. */
  readSignInOptions: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: SignInOptions;
  };
  /** Read the progress of a batch of API tokens. */
  readTokenBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a user. */
  readUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: UserView;
  };
  /** Read the progress of a batch of users. */
  readUserBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Read a document as of a revision or a time. The revision can belong to a change of another document. */
  readUserRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Return the quota usage of a user. */
  readUserUsage: {
    path: { user_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: UsageView;
  };
  /** Read a saved view. */
  readView: {
    path: { view_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: SavedViewView;
  };
  /** Report whether requests can be served. Checks the database. */
  ready: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: HealthView;
  };
  /** Return a new client token. The old token stays valid until it expires. */
  refreshToken: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: TokenView;
  };
  /** Reject a proposal, or withdraw an own one. Nothing is changed. */
  rejectProposal: {
    path: { proposal_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: ProposalView;
  };
  /** Delete all personal layouts of the caller, and return the remaining shared layouts. */
  removeAllUserLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView[];
  };
  /** Delete personal layouts of the caller: the body contains one name, or several as `name (type)`. */
  removeLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRemoval;
    answer: undefined;
  };
  /** Delete personal layouts of the caller: the body contains one name, or several as `name (type)`. */
  removeLayoutsAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRemoval;
    answer: undefined;
  };
  /** Delete a personal layout of the caller. */
  removeUserLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete the caller's preferences of one app. */
  removeUserPreference: {
    path: { preference_app: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Rename a personal layout of the caller, and save the content that is sent. */
  renameLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRename;
    answer: undefined;
  };
  /** Rename a personal layout of the caller, and save the content that is sent. */
  renameLayoutAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRename;
    answer: undefined;
  };
  /** Rename a personal layout of the caller. */
  renameUserLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: LayoutNewName;
    answer: UserLayoutView;
  };
  /** Replace an app. */
  replaceApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: AppEntry;
    answer: AppView;
  };
  /** Replace a configuration file; it may move to another scope. */
  replaceConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: ConfigDocument;
    answer: ConfigView;
  };
  /** Replace a group. */
  replaceGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: GroupDocument;
    answer: GroupView;
  };
  /** Replace a layout. */
  replaceLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: LayoutEntry;
    answer: LayoutView;
  };
  /** Replace the data of a preference. */
  replacePreference: {
    path: { preference_id: string };
    query: Record<never, never>;
    body: PreferenceDocument;
    answer: PreferenceView;
  };
  /** Replace a user. The password is changed only if one is sent. */
  replaceUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: UserDocument;
    answer: UserView;
  };
  /** Continue an interrupted batch of apps after the last document that was changed. */
  resumeAppBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Resume a halted roll-out of apps. Earlier crashes and failures no longer count. */
  resumeAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Continue an interrupted batch of commands after the last document that was changed. */
  resumeCommandBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of configuration files after the last document that was changed. */
  resumeConfigBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Resume a halted roll-out of configuration files. Earlier crashes and failures no longer count. */
  resumeConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Continue an interrupted batch of crashes after the last document that was changed. */
  resumeCrashBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of crash groups after the last document that was changed. */
  resumeCrashGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of directory addresses after the last document that was changed. */
  resumeDirectoryBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of feedback reports after the last document that was changed. */
  resumeFeedbackBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of groups after the last document that was changed. */
  resumeGroupBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of layouts after the last document that was changed. */
  resumeLayoutBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Resume a halted roll-out of layouts. Earlier crashes and failures no longer count. */
  resumeLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Continue an interrupted batch of machines after the last document that was changed. */
  resumeMachineBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of preferences after the last document that was changed. */
  resumePreferenceBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of sessions after the last document that was changed. */
  resumeSessionBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of API tokens after the last document that was changed. */
  resumeTokenBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Continue an interrupted batch of users after the last document that was changed. */
  resumeUserBatch: {
    path: { batch_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: BatchView;
  };
  /** Mark a report as reviewed, comment on it. */
  reviewCrash: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: Review;
    answer: CrashView;
  };
  /** Set the status or the assignee of a feedback, mark it as reviewed, comment on it. A feedback is reviewed if its status is not new. */
  reviewFeedback: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: FeedbackReview;
    answer: FeedbackView;
  };
  /** Revoke a directory address. It no longer provides apps. */
  revokeDirectory: {
    path: { directory_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Revoke an API token of the caller. Requests with it are refused from now on. Cannot be called with an API token. */
  revokeOwnToken: {
    path: { token_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Revoke an API token of any user. Requests with it are refused from now on. */
  revokeToken: {
    path: { token_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllConfigs: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllGroups: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore all documents of this kind to a revision or a time. A dry run only returns the changes. */
  rollBackAllUsers: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackApp: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackConfig: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackGroup: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackLayout: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackPreference: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Restore a document to a revision or a time. Deleted documents are created again. */
  rollBackUser: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Create or replace a personal layout of the caller, by type and name. */
  saveLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutSave;
    answer: undefined;
  };
  /** Create or replace a personal layout of the caller, by type and name. */
  saveLayoutAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutSave;
    answer: undefined;
  };
  /** Save the preferences of one app. */
  savePreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreferenceSave;
    answer: Record<string, unknown>;
  };
  /** Create or replace a personal layout of the caller, by type and name. */
  saveUserLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: UserLayoutSave;
    answer: UserLayoutView;
  };
  /** Save the caller's preferences of one app. */
  saveUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: UserPreferenceSave;
    answer: UserPreferenceView;
  };
  /** Send a command to one or more sessions. If one session does not support the command, it is sent to none. */
  sendCommand: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewCommand;
    answer: NewCommands;
  };
  /** Save a crash report, sent as a multipart form, optionally with gzip. Returns the report ID as text. */
  sendCrash: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Save feedback: a multipart form with `description` and, optionally, the file `attachment`. */
  sendFeedback: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: FeedbackReceipt;
  };
  /** Set the default layout. Without name and type, clear it. */
  setDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Set the default layout. Without name and type, clear it. */
  setDefaultLayoutAtDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Set the default layout. Without name and type, clear it. */
  setDefaultLayoutAtLayoutsLayoutsDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Set the default layout of the caller. Without an ID, clear it and return 204. */
  setUserDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultLayoutChoice;
    answer: UserLayoutView;
  };
  /** Sign in the user of a page with user ID and password. The response sets the session cookie, if enabled. With `token=true`, the response also contains a token for pages whose browser stores no cookie. It expires with the session. If session cookies are disabled, a page exchanges its token for a new one here before it expires. */
  signIn: {
    path: Record<never, never>;
    query: { token?: boolean };
    body: undefined;
    answer: SignedIn;
  };
  /** End all sessions of the caller: pages, desktops and the session of this request. The password stays valid. */
  signOutEverywhere: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SignOutEverywhere;
    answer: undefined;
  };
  /** End all sessions of a user: pages and desktops. The password stays valid. Requires the permissions of the user. */
  signOutUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: UserSignOut;
    answer: SignedOutView;
  };
  /** Apply an action to many apps. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startAppBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Roll a new version of one of the apps out in stages. The users of a stage receive the new version, all others the saved one. The next stages start by themselves, unless a limit is exceeded. */
  startAppRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewRollout;
    answer: RolloutView;
  };
  /** Apply an action to many commands. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startCommandBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Send a command to many desktops in waves, at once or at a later time. The desktops are selected when the run starts, and the waves are sent in the background. A repeated request with the same key starts nothing. */
  startCommandRun: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewCommandRun;
    answer: CommandRunView;
  };
  /** Apply an action to many configuration files. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startConfigBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Roll a new version of one of the configuration files out in stages. The users of a stage receive the new version, all others the saved one. The next stages start by themselves, unless a limit is exceeded. */
  startConfigRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewRollout;
    answer: RolloutView;
  };
  /** Apply an action to many crashes. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startCrashBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many crash groups. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startCrashGroupBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many directory addresses. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startDirectoryBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many feedback reports. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startFeedbackBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many groups. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startGroupBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many layouts. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startLayoutBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Roll a new version of one of the layouts out in stages. The users of a stage receive the new version, all others the saved one. The next stages start by themselves, unless a limit is exceeded. */
  startLayoutRollout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewRollout;
    answer: RolloutView;
  };
  /** Apply an action to many machines. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startMachineBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many preferences. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startPreferenceBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many sessions. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startSessionBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many API tokens. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startTokenBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Apply an action to many users. Few documents are changed in one transaction before the response; more are changed in the background, in several transactions. A repeated request with the same key starts nothing. */
  startUserBatch: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewBatch;
    answer: BatchView;
  };
  /** Create and change users from CSV. Users who are not in the file are not changed. The response is a batch of users: its progress and its report have the addresses of other batches. A user who was changed by someone else since the request is not changed. New users have no password. */
  startUserImport: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewUserImport;
    answer: BatchView;
  };
  /** Report that a session of the caller is active, and optionally its commands and the changes it has applied. */
  touchSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: SessionHeartbeat | null;
    answer: SessionView;
  };
  /** Set the password of the user of a link. The link is then used up, and all sessions of the user end. The user's API tokens are revoked and the user's planned work is stopped, unless the request keeps them. */
  usePasswordLink: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LinkPassword;
    answer: undefined;
  };
  /** Validate the contents of a configuration file without saving them. */
  validateConfig: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ConfigDocument;
    answer: ConfigValidation;
  };
  /** Verify the hash chain, and return the first entry that was modified, removed or moved. */
  verifyAudit: {
    path: Record<never, never>;
    query: { head?: string | null };
    body: undefined;
    answer: AuditVerification;
  };
  /** Return the caller's identity in the format of browser platform libraries. */
  whoAmI: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: WhoAmI;
  };
  /** Withdraw a roll-out of apps: the new version is discarded, and all users receive the saved one. */
  withdrawAppRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Withdraw a roll-out of configuration files: the new version is discarded, and all users receive the saved one. */
  withdrawConfigRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
  /** Withdraw a roll-out of layouts: the new version is discarded, and all users receive the saved one. */
  withdrawLayoutRollout: {
    path: { rollout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: RolloutView;
  };
}

export const places: { readonly [Name in keyof Operations]: readonly [string, string] } = {
  addCrashGroupNote: ["POST", "/admin/crash-groups/{group_id}/notes"],
  addFeedbackNote: ["POST", "/admin/feedback/{feedback_id}/notes"],
  advanceAppRollout: ["POST", "/admin/rollouts/apps/{rollout_id}/advance"],
  advanceConfigRollout: ["POST", "/admin/rollouts/configs/{rollout_id}/advance"],
  advanceLayoutRollout: ["POST", "/admin/rollouts/layouts/{rollout_id}/advance"],
  answerCommand: ["POST", "/sessions/{session_id}/commands/{command_id}/result"],
  approveProposal: ["POST", "/admin/proposals/{proposal_id}/approve"],
  cancelAppBatch: ["POST", "/admin/batches/apps/{batch_id}/cancel"],
  cancelCommandBatch: ["POST", "/admin/batches/commands/{batch_id}/cancel"],
  cancelCommandRun: ["POST", "/admin/commands/runs/{run_id}/cancel"],
  cancelConfigBatch: ["POST", "/admin/batches/configs/{batch_id}/cancel"],
  cancelCrashBatch: ["POST", "/admin/batches/crashes/{batch_id}/cancel"],
  cancelCrashGroupBatch: ["POST", "/admin/batches/crash-groups/{batch_id}/cancel"],
  cancelDirectoryBatch: ["POST", "/admin/batches/directories/{batch_id}/cancel"],
  cancelFeedbackBatch: ["POST", "/admin/batches/feedback/{batch_id}/cancel"],
  cancelGroupBatch: ["POST", "/admin/batches/groups/{batch_id}/cancel"],
  cancelLayoutBatch: ["POST", "/admin/batches/layouts/{batch_id}/cancel"],
  cancelMachineBatch: ["POST", "/admin/batches/machines/{batch_id}/cancel"],
  cancelPreferenceBatch: ["POST", "/admin/batches/prefs/{batch_id}/cancel"],
  cancelSessionBatch: ["POST", "/admin/batches/sessions/{batch_id}/cancel"],
  cancelTokenBatch: ["POST", "/admin/batches/tokens/{batch_id}/cancel"],
  cancelUserBatch: ["POST", "/admin/batches/users/{batch_id}/cancel"],
  changeApp: ["PATCH", "/admin/apps/{app_name}"],
  changeConfig: ["PATCH", "/admin/configs/{config_id}"],
  changeCrashGroup: ["PATCH", "/admin/crash-groups/{group_id}"],
  changeGroup: ["PATCH", "/admin/groups/{group_name}"],
  changeLayout: ["PATCH", "/admin/layouts/{layout_id}"],
  changeOwnPassword: ["PUT", "/me/password"],
  changePreference: ["PATCH", "/admin/prefs/{preference_id}"],
  changeUser: ["PATCH", "/admin/users/{user_id}"],
  changeView: ["PATCH", "/admin/views/{view_id}"],
  clearPreferences: ["DELETE", "/prefs"],
  clearUserPreferences: ["DELETE", "/user/prefs"],
  closeSession: ["DELETE", "/sessions/{session_id}"],
  compareAppRevisions: ["GET", "/admin/apps/{document_id}/revisions/compare"],
  compareConfigRevisions: ["GET", "/admin/configs/{document_id}/revisions/compare"],
  compareGroupRevisions: ["GET", "/admin/groups/{document_id}/revisions/compare"],
  compareGroups: ["GET", "/admin/groups/{group_name}/compare"],
  compareLayoutRevisions: ["GET", "/admin/layouts/{document_id}/revisions/compare"],
  comparePreferenceRevisions: ["GET", "/admin/prefs/{document_id}/revisions/compare"],
  compareUserRevisions: ["GET", "/admin/users/{document_id}/revisions/compare"],
  compareUsers: ["GET", "/admin/users/{user_id}/compare"],
  confirmIdentity: ["POST", "/me/confirm"],
  continueCommandRun: ["POST", "/admin/commands/runs/{run_id}/continue"],
  createApp: ["POST", "/admin/apps"],
  createConfig: ["POST", "/admin/configs"],
  createDirectory: ["POST", "/admin/directories"],
  createGroup: ["POST", "/admin/groups"],
  createLayout: ["POST", "/admin/layouts"],
  createOwnToken: ["POST", "/me/tokens"],
  createPasswordLinks: ["POST", "/admin/password-links"],
  createPreference: ["POST", "/admin/prefs"],
  createToken: ["POST", "/admin/tokens"],
  createUser: ["POST", "/admin/users"],
  createView: ["POST", "/admin/views"],
  deleteApp: ["DELETE", "/admin/apps/{app_name}"],
  deleteCommand: ["DELETE", "/admin/commands/{command_id}"],
  deleteConfig: ["DELETE", "/admin/configs/{config_id}"],
  deleteCrash: ["DELETE", "/admin/crashes/{crash_id}"],
  deleteFeedback: ["DELETE", "/admin/feedback/{feedback_id}"],
  deleteGroup: ["DELETE", "/admin/groups/{group_name}"],
  deleteLayout: ["DELETE", "/admin/layouts/{layout_id}"],
  deleteMachine: ["DELETE", "/admin/machines/{machine_id}"],
  deletePreference: ["DELETE", "/admin/prefs/{preference_id}"],
  deleteUser: ["DELETE", "/admin/users/{user_id}"],
  deleteView: ["DELETE", "/admin/views/{view_id}"],
  endSession: ["DELETE", "/admin/sessions/{session_id}"],
  explainConfig: ["GET", "/admin/configs/explain"],
  explainConfigDraft: ["POST", "/admin/configs/explain"],
  exportAudit: ["GET", "/admin/audit/export"],
  exportServer: ["GET", "/admin/export"],
  fetchCommands: ["GET", "/sessions/{session_id}/commands"],
  finishAppRollout: ["POST", "/admin/rollouts/apps/{rollout_id}/finish"],
  finishConfigRollout: ["POST", "/admin/rollouts/configs/{rollout_id}/finish"],
  finishLayoutRollout: ["POST", "/admin/rollouts/layouts/{rollout_id}/finish"],
  getAllPreferences: ["GET", "/prefs/all"],
  getApps: ["GET", "/apps"],
  getDefaultLayout: ["GET", "/layouts/default"],
  getDefaultLayoutAtDefault: ["GET", "/default"],
  getDefaultLayoutAtLayoutsLayoutsDefault: ["GET", "/layouts/layouts/default"],
  getDirectory: ["GET", "/v2/apps"],
  getDirectoryApp: ["GET", "/v2/apps/{app_id}"],
  getLayouts: ["GET", "/layouts"],
  getLayoutsAtLayoutsLayouts: ["GET", "/layouts/layouts"],
  getPlatformApps: ["GET", "/user/apps"],
  getPreferences: ["GET", "/prefs"],
  getSystemConfig: ["GET", "/systemConfig/get"],
  getUserDefaultLayout: ["GET", "/user/layouts/default"],
  getUserLayouts: ["GET", "/user/layouts"],
  getUserPreference: ["GET", "/user/prefs/{preference_app}"],
  getUserPreferences: ["GET", "/user/prefs"],
  haltAppRollout: ["POST", "/admin/rollouts/apps/{rollout_id}/halt"],
  haltConfigRollout: ["POST", "/admin/rollouts/configs/{rollout_id}/halt"],
  haltLayoutRollout: ["POST", "/admin/rollouts/layouts/{rollout_id}/halt"],
  importApps: ["POST", "/admin/imports/apps"],
  importLayouts: ["POST", "/admin/imports/layouts"],
  importServer: ["POST", "/admin/import"],
  listAppBatchTargets: ["GET", "/admin/batches/apps/{batch_id}/targets"],
  listAppBatches: ["GET", "/admin/batches/apps"],
  listAppRevisions: ["GET", "/admin/apps/{document_id}/revisions"],
  listAppRollouts: ["GET", "/admin/rollouts/apps"],
  listApps: ["GET", "/admin/apps"],
  listAudit: ["GET", "/admin/audit"],
  listCommandBatchTargets: ["GET", "/admin/batches/commands/{batch_id}/targets"],
  listCommandBatches: ["GET", "/admin/batches/commands"],
  listCommandRunTargets: ["GET", "/admin/commands/runs/{run_id}/targets"],
  listCommandRuns: ["GET", "/admin/commands/runs"],
  listCommands: ["GET", "/admin/commands"],
  listConfigBatchTargets: ["GET", "/admin/batches/configs/{batch_id}/targets"],
  listConfigBatches: ["GET", "/admin/batches/configs"],
  listConfigRevisions: ["GET", "/admin/configs/{document_id}/revisions"],
  listConfigRollouts: ["GET", "/admin/rollouts/configs"],
  listConfigs: ["GET", "/admin/configs"],
  listCrashBatchTargets: ["GET", "/admin/batches/crashes/{batch_id}/targets"],
  listCrashBatches: ["GET", "/admin/batches/crashes"],
  listCrashGroupBatchTargets: ["GET", "/admin/batches/crash-groups/{batch_id}/targets"],
  listCrashGroupBatches: ["GET", "/admin/batches/crash-groups"],
  listCrashGroupNotes: ["GET", "/admin/crash-groups/{group_id}/notes"],
  listCrashGroups: ["GET", "/admin/crash-groups"],
  listCrashes: ["GET", "/admin/crashes"],
  listDirectories: ["GET", "/admin/directories"],
  listDirectoryBatchTargets: ["GET", "/admin/batches/directories/{batch_id}/targets"],
  listDirectoryBatches: ["GET", "/admin/batches/directories"],
  listFeedback: ["GET", "/admin/feedback"],
  listFeedbackBatchTargets: ["GET", "/admin/batches/feedback/{batch_id}/targets"],
  listFeedbackBatches: ["GET", "/admin/batches/feedback"],
  listFeedbackNotes: ["GET", "/admin/feedback/{feedback_id}/notes"],
  listGroupBatchTargets: ["GET", "/admin/batches/groups/{batch_id}/targets"],
  listGroupBatches: ["GET", "/admin/batches/groups"],
  listGroupMembers: ["GET", "/admin/groups/{group_name}/members"],
  listGroupRevisions: ["GET", "/admin/groups/{document_id}/revisions"],
  listGroups: ["GET", "/admin/groups"],
  listLayoutBatchTargets: ["GET", "/admin/batches/layouts/{batch_id}/targets"],
  listLayoutBatches: ["GET", "/admin/batches/layouts"],
  listLayoutRevisions: ["GET", "/admin/layouts/{document_id}/revisions"],
  listLayoutRollouts: ["GET", "/admin/rollouts/layouts"],
  listLayouts: ["GET", "/admin/layouts"],
  listMachineBatchTargets: ["GET", "/admin/batches/machines/{batch_id}/targets"],
  listMachineBatches: ["GET", "/admin/batches/machines"],
  listMachines: ["GET", "/admin/machines"],
  listOwnTokens: ["GET", "/me/tokens"],
  listPreferenceBatchTargets: ["GET", "/admin/batches/prefs/{batch_id}/targets"],
  listPreferenceBatches: ["GET", "/admin/batches/prefs"],
  listPreferenceRevisions: ["GET", "/admin/prefs/{document_id}/revisions"],
  listPreferences: ["GET", "/admin/prefs"],
  listProposals: ["GET", "/admin/proposals"],
  listReceipts: ["GET", "/admin/sessions/receipts"],
  listSessionBatchTargets: ["GET", "/admin/batches/sessions/{batch_id}/targets"],
  listSessionBatches: ["GET", "/admin/batches/sessions"],
  listSessions: ["GET", "/admin/sessions"],
  listTokenBatchTargets: ["GET", "/admin/batches/tokens/{batch_id}/targets"],
  listTokenBatches: ["GET", "/admin/batches/tokens"],
  listTokens: ["GET", "/admin/tokens"],
  listUserBatchTargets: ["GET", "/admin/batches/users/{batch_id}/targets"],
  listUserBatches: ["GET", "/admin/batches/users"],
  listUserRevisions: ["GET", "/admin/users/{document_id}/revisions"],
  listUsers: ["GET", "/admin/users"],
  listViews: ["GET", "/admin/views"],
  listenForEvents: ["GET", "/events"],
  live: ["GET", "/health/live"],
  logOut: ["POST", "/logout"],
  metrics: ["GET", "/metrics"],
  openPasswordLink: ["POST", "/password-links/open"],
  openSession: ["POST", "/sessions"],
  pauseCommandRun: ["POST", "/admin/commands/runs/{run_id}/pause"],
  platformGoodbye: ["POST", "/user/goodbye"],
  platformHello: ["POST", "/user/hello"],
  platformPoll: ["POST", "/user"],
  platformRefresh: ["POST", "/user/refresh"],
  postSystemConfig: ["POST", "/systemConfig/get"],
  previewAppBatch: ["POST", "/admin/batches/apps/preview"],
  previewAppRollout: ["POST", "/admin/rollouts/apps/preview"],
  previewApps: ["POST", "/admin/previews/apps"],
  previewCommandBatch: ["POST", "/admin/batches/commands/preview"],
  previewCommandRun: ["POST", "/admin/commands/runs/preview"],
  previewConfigBatch: ["POST", "/admin/batches/configs/preview"],
  previewConfigRollout: ["POST", "/admin/rollouts/configs/preview"],
  previewConfigs: ["POST", "/admin/previews/configs"],
  previewCrashBatch: ["POST", "/admin/batches/crashes/preview"],
  previewCrashGroupBatch: ["POST", "/admin/batches/crash-groups/preview"],
  previewDirectoryBatch: ["POST", "/admin/batches/directories/preview"],
  previewFeedbackBatch: ["POST", "/admin/batches/feedback/preview"],
  previewGroupBatch: ["POST", "/admin/batches/groups/preview"],
  previewGroups: ["POST", "/admin/previews/groups"],
  previewLayoutBatch: ["POST", "/admin/batches/layouts/preview"],
  previewLayoutRollout: ["POST", "/admin/rollouts/layouts/preview"],
  previewLayouts: ["POST", "/admin/previews/layouts"],
  previewMachineBatch: ["POST", "/admin/batches/machines/preview"],
  previewPreferenceBatch: ["POST", "/admin/batches/prefs/preview"],
  previewSessionBatch: ["POST", "/admin/batches/sessions/preview"],
  previewTokenBatch: ["POST", "/admin/batches/tokens/preview"],
  previewUserBatch: ["POST", "/admin/batches/users/preview"],
  previewUserImport: ["POST", "/admin/batches/users/import/preview"],
  previewUsers: ["POST", "/admin/previews/users"],
  readApp: ["GET", "/admin/apps/{app_name}"],
  readAppBatch: ["GET", "/admin/batches/apps/{batch_id}"],
  readAppRevision: ["GET", "/admin/apps/{document_id}/revisions/{revision}"],
  readAppRollout: ["GET", "/admin/rollouts/apps/{rollout_id}"],
  readAttachment: ["GET", "/admin/feedback/{feedback_id}/attachment"],
  readAuditEntry: ["GET", "/admin/audit/{entry_number}"],
  readChangeRules: ["GET", "/admin/change-rules"],
  readCommand: ["GET", "/admin/commands/{command_id}"],
  readCommandBatch: ["GET", "/admin/batches/commands/{batch_id}"],
  readCommandRun: ["GET", "/admin/commands/runs/{run_id}"],
  readConfig: ["GET", "/admin/configs/{config_id}"],
  readConfigBatch: ["GET", "/admin/batches/configs/{batch_id}"],
  readConfigRevision: ["GET", "/admin/configs/{document_id}/revisions/{revision}"],
  readConfigRollout: ["GET", "/admin/rollouts/configs/{rollout_id}"],
  readCrash: ["GET", "/admin/crashes/{crash_id}"],
  readCrashBatch: ["GET", "/admin/batches/crashes/{batch_id}"],
  readCrashGroup: ["GET", "/admin/crash-groups/{group_id}"],
  readCrashGroupBatch: ["GET", "/admin/batches/crash-groups/{batch_id}"],
  readCrashGroupChanges: ["GET", "/admin/crash-groups/{group_id}/changes"],
  readDashboard: ["GET", "/admin/dashboard"],
  readDirectoryBatch: ["GET", "/admin/batches/directories/{batch_id}"],
  readEffective: ["GET", "/admin/users/{user_id}/effective"],
  readFeedback: ["GET", "/admin/feedback/{feedback_id}"],
  readFeedbackBatch: ["GET", "/admin/batches/feedback/{batch_id}"],
  readGroup: ["GET", "/admin/groups/{group_name}"],
  readGroupBatch: ["GET", "/admin/batches/groups/{batch_id}"],
  readGroupRevision: ["GET", "/admin/groups/{document_id}/revisions/{revision}"],
  readLayout: ["GET", "/admin/layouts/{layout_id}"],
  readLayoutBatch: ["GET", "/admin/batches/layouts/{batch_id}"],
  readLayoutRevision: ["GET", "/admin/layouts/{document_id}/revisions/{revision}"],
  readLayoutRollout: ["GET", "/admin/rollouts/layouts/{rollout_id}"],
  readMachine: ["GET", "/admin/machines/{machine_id}"],
  readMachineBatch: ["GET", "/admin/batches/machines/{batch_id}"],
  readMe: ["GET", "/me"],
  readMinidump: ["GET", "/admin/crashes/{crash_id}/minidump"],
  readOwnSessions: ["GET", "/me/sessions"],
  readOwnUsage: ["GET", "/me/usage"],
  readPreference: ["GET", "/admin/prefs/{preference_id}"],
  readPreferenceBatch: ["GET", "/admin/batches/prefs/{batch_id}"],
  readPreferenceRevision: ["GET", "/admin/prefs/{document_id}/revisions/{revision}"],
  readProposal: ["GET", "/admin/proposals/{proposal_id}"],
  readServer: ["GET", "/admin/server"],
  readServerInfo: ["GET", "/v2/server/info"],
  readSession: ["GET", "/admin/sessions/{session_id}"],
  readSessionBatch: ["GET", "/admin/batches/sessions/{batch_id}"],
  readSharedDirectory: ["GET", "/directory/{directory_key}/v2/apps"],
  readSharedDirectoryApp: ["GET", "/directory/{directory_key}/v2/apps/{app_id}"],
  readSignInOptions: ["GET", "/signin/options"],
  readTokenBatch: ["GET", "/admin/batches/tokens/{batch_id}"],
  readUser: ["GET", "/admin/users/{user_id}"],
  readUserBatch: ["GET", "/admin/batches/users/{batch_id}"],
  readUserRevision: ["GET", "/admin/users/{document_id}/revisions/{revision}"],
  readUserUsage: ["GET", "/admin/users/{user_id}/usage"],
  readView: ["GET", "/admin/views/{view_id}"],
  ready: ["GET", "/health/ready"],
  refreshToken: ["POST", "/token/refresh"],
  rejectProposal: ["POST", "/admin/proposals/{proposal_id}/reject"],
  removeAllUserLayouts: ["DELETE", "/user/layouts"],
  removeLayouts: ["DELETE", "/layouts"],
  removeLayoutsAtLayoutsLayouts: ["DELETE", "/layouts/layouts"],
  removeUserLayout: ["DELETE", "/user/layouts/{layout_id}"],
  removeUserPreference: ["DELETE", "/user/prefs/{preference_app}"],
  renameLayout: ["PUT", "/layouts"],
  renameLayoutAtLayoutsLayouts: ["PUT", "/layouts/layouts"],
  renameUserLayout: ["POST", "/user/layouts/{layout_id}/rename"],
  replaceApp: ["PUT", "/admin/apps/{app_name}"],
  replaceConfig: ["PUT", "/admin/configs/{config_id}"],
  replaceGroup: ["PUT", "/admin/groups/{group_name}"],
  replaceLayout: ["PUT", "/admin/layouts/{layout_id}"],
  replacePreference: ["PUT", "/admin/prefs/{preference_id}"],
  replaceUser: ["PUT", "/admin/users/{user_id}"],
  resumeAppBatch: ["POST", "/admin/batches/apps/{batch_id}/resume"],
  resumeAppRollout: ["POST", "/admin/rollouts/apps/{rollout_id}/resume"],
  resumeCommandBatch: ["POST", "/admin/batches/commands/{batch_id}/resume"],
  resumeConfigBatch: ["POST", "/admin/batches/configs/{batch_id}/resume"],
  resumeConfigRollout: ["POST", "/admin/rollouts/configs/{rollout_id}/resume"],
  resumeCrashBatch: ["POST", "/admin/batches/crashes/{batch_id}/resume"],
  resumeCrashGroupBatch: ["POST", "/admin/batches/crash-groups/{batch_id}/resume"],
  resumeDirectoryBatch: ["POST", "/admin/batches/directories/{batch_id}/resume"],
  resumeFeedbackBatch: ["POST", "/admin/batches/feedback/{batch_id}/resume"],
  resumeGroupBatch: ["POST", "/admin/batches/groups/{batch_id}/resume"],
  resumeLayoutBatch: ["POST", "/admin/batches/layouts/{batch_id}/resume"],
  resumeLayoutRollout: ["POST", "/admin/rollouts/layouts/{rollout_id}/resume"],
  resumeMachineBatch: ["POST", "/admin/batches/machines/{batch_id}/resume"],
  resumePreferenceBatch: ["POST", "/admin/batches/prefs/{batch_id}/resume"],
  resumeSessionBatch: ["POST", "/admin/batches/sessions/{batch_id}/resume"],
  resumeTokenBatch: ["POST", "/admin/batches/tokens/{batch_id}/resume"],
  resumeUserBatch: ["POST", "/admin/batches/users/{batch_id}/resume"],
  reviewCrash: ["PATCH", "/admin/crashes/{crash_id}"],
  reviewFeedback: ["PATCH", "/admin/feedback/{feedback_id}"],
  revokeDirectory: ["DELETE", "/admin/directories/{directory_id}"],
  revokeOwnToken: ["DELETE", "/me/tokens/{token_id}"],
  revokeToken: ["DELETE", "/admin/tokens/{token_id}"],
  rollBackAllApps: ["POST", "/admin/history/apps/rollback"],
  rollBackAllConfigs: ["POST", "/admin/history/configs/rollback"],
  rollBackAllGroups: ["POST", "/admin/history/groups/rollback"],
  rollBackAllLayouts: ["POST", "/admin/history/layouts/rollback"],
  rollBackAllPreferences: ["POST", "/admin/history/prefs/rollback"],
  rollBackAllUsers: ["POST", "/admin/history/users/rollback"],
  rollBackApp: ["POST", "/admin/apps/{document_id}/rollback"],
  rollBackConfig: ["POST", "/admin/configs/{document_id}/rollback"],
  rollBackGroup: ["POST", "/admin/groups/{document_id}/rollback"],
  rollBackLayout: ["POST", "/admin/layouts/{document_id}/rollback"],
  rollBackPreference: ["POST", "/admin/prefs/{document_id}/rollback"],
  rollBackUser: ["POST", "/admin/users/{document_id}/rollback"],
  saveLayout: ["POST", "/layouts"],
  saveLayoutAtLayoutsLayouts: ["POST", "/layouts/layouts"],
  savePreferences: ["POST", "/prefs"],
  saveUserLayout: ["POST", "/user/layouts"],
  saveUserPreferences: ["POST", "/user/prefs"],
  sendCommand: ["POST", "/admin/commands"],
  sendCrash: ["POST", "/crashes"],
  sendFeedback: ["POST", "/feedback"],
  setDefaultLayout: ["POST", "/layouts/default"],
  setDefaultLayoutAtDefault: ["POST", "/default"],
  setDefaultLayoutAtLayoutsLayoutsDefault: ["POST", "/layouts/layouts/default"],
  setUserDefaultLayout: ["POST", "/user/layouts/default"],
  signIn: ["GET", "/signin"],
  signOutEverywhere: ["POST", "/me/sign-out-everywhere"],
  signOutUser: ["POST", "/admin/users/{user_id}/sign-out"],
  startAppBatch: ["POST", "/admin/batches/apps"],
  startAppRollout: ["POST", "/admin/rollouts/apps"],
  startCommandBatch: ["POST", "/admin/batches/commands"],
  startCommandRun: ["POST", "/admin/commands/runs"],
  startConfigBatch: ["POST", "/admin/batches/configs"],
  startConfigRollout: ["POST", "/admin/rollouts/configs"],
  startCrashBatch: ["POST", "/admin/batches/crashes"],
  startCrashGroupBatch: ["POST", "/admin/batches/crash-groups"],
  startDirectoryBatch: ["POST", "/admin/batches/directories"],
  startFeedbackBatch: ["POST", "/admin/batches/feedback"],
  startGroupBatch: ["POST", "/admin/batches/groups"],
  startLayoutBatch: ["POST", "/admin/batches/layouts"],
  startLayoutRollout: ["POST", "/admin/rollouts/layouts"],
  startMachineBatch: ["POST", "/admin/batches/machines"],
  startPreferenceBatch: ["POST", "/admin/batches/prefs"],
  startSessionBatch: ["POST", "/admin/batches/sessions"],
  startTokenBatch: ["POST", "/admin/batches/tokens"],
  startUserBatch: ["POST", "/admin/batches/users"],
  startUserImport: ["POST", "/admin/batches/users/import"],
  touchSession: ["PATCH", "/sessions/{session_id}"],
  usePasswordLink: ["POST", "/password-links/use"],
  validateConfig: ["POST", "/admin/configs/validate"],
  verifyAudit: ["GET", "/admin/audit/verify"],
  whoAmI: ["GET", "/whoami"],
  withdrawAppRollout: ["POST", "/admin/rollouts/apps/{rollout_id}/withdraw"],
  withdrawConfigRollout: ["POST", "/admin/rollouts/configs/{rollout_id}/withdraw"],
  withdrawLayoutRollout: ["POST", "/admin/rollouts/layouts/{rollout_id}/withdraw"],
};
