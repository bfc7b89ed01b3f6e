// Made by `make generate` from the manager's OpenAPI document; do not edit.

/** Some members of an app. */
export interface AppChange {
  definition?: Record<string, unknown>;
  public?: boolean;
  accessList?: string[];
  disabled?: boolean;
}

/** An app, whole; it is known by ``definition.name``. */
export interface AppEntry {
  definition: Record<string, unknown>;
  /** Everyone may see it. */
  public?: boolean;
  /** Groups that may see it. */
  accessList?: string[];
  /** Withheld from everyone. */
  disabled?: boolean;
}

/** Many apps at once: all of them are taken, or none. */
export interface AppImport {
  applications: Record<string, unknown>[];
  public?: boolean;
  accessList?: string[];
  /** Replace the definitions of apps that are there already. */
  overwrite?: boolean;
}

/** One page of apps. */
export interface AppList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: AppView[];
}

/** An app as answered. */
export interface AppView {
  /** Number of the change that made it what it is. */
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

/** What an app store answers. */
export interface Applications {
  applications: Record<string, unknown>[];
  /** Only in the FDC3 directory. */
  message?: string | null;
}

/** The revisions that a client has fetched and put to use, by the names that events have. */
export interface Applied {
  apps?: number | null;
  layouts?: number | null;
  prefs?: number | null;
  systemConfig?: number | null;
  commands?: number | null;
}

/** The apps, if they have changed. */
export interface AppsData {
  hasChanges: boolean;
  data: Record<string, unknown>[];
  info: InfoView;
}

/** For whom the files were merged. */
export interface Asked {
  user: string | null;
  group: string | null;
  version: string | null;
  file: string | null;
  path: string | null;
}

/** What an operation did to one thing. */
export interface AuditChange {
  kind: string;
  id: string;
  /** created, changed or deleted; of the whole server, exported or imported */
  action: string;
  diff: AuditEdit[];
  /** How many further edits are not shown. */
  omitted?: number | null;
  /** True when the contents are not shown because the caller may not read this kind. */
  withheld?: boolean | null;
  /** SHA-256 of what it made of a document, as the history keeps it. */
  digest?: string | null;
}

/** One step from what was to what is; secrets are masked, large values are told by their size. */
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
  /** Place in the chain. */
  number: number;
  /** The revision that the operation made; null when it changed no document. */
  revision: number | null;
  at: string;
  actor: string;
  /** Id of the HTTP operation, or the command, or the occasion. */
  operation: string;
  origin: AuditOrigin;
  /** How many things changed; the first hundred of them are shown. */
  changed: number;
  changes: AuditChange[];
  /** SHA-256 over the hash before it, a line feed, and the canonical text of the entry. */
  hash: string;
}

/** The first entry that is not what it was, or that tells of a document which is not. */
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

/** Where an operation was asked for. */
export interface AuditOrigin {
  /** Address of the caller; for commands the account and machine they ran on. */
  address: string;
  /** Id of the request, the same as in the log. */
  request: string;
  /** What the client calls itself. */
  agent: string;
}

/** What following the chain found. */
export interface AuditVerification {
  ok: boolean;
  /** How many entries are in order. */
  entries: number;
  /** Number and hash of the last one in order: keep it elsewhere, and send it next time. */
  head: string;
  fault: AuditFault | null;
}

/** The layout a desktop starts with. */
export interface ChangedDefault {
  before: LayoutName | null;
  after: LayoutName | null;
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
  /** The values are too large to be shown. */
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
}

/** A command as answered to administrators. */
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

/** What changed from one revision of a document to another. */
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
}

/** One file for one scope: a version, a group or a user; none of them means base. */
export interface ConfigDocument {
  file: string;
  contents: Record<string, unknown> | unknown[];
  version?: string | null;
  group?: string | null;
  user?: string | null;
}

/** A configuration file, and what it is made of. */
export interface ConfigGrant {
  file: string;
  given: boolean;
  /** The stored files that count, weakest first. */
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

/** One thing to say about a file, compared with the catalogue of settings. */
export interface ConfigProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The nearest right name or word, when there is one. */
  suggestion?: string | null;
}

/** A file as answered to administrators. */
export interface ConfigView {
  /** Number of the change that made it what it is. */
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
  /** What the catalogue of settings says of the contents; not in lists, nor when checks are off. */
  problems?: ConfigProblem[] | null;
}

/** The core of the platform. */
export interface Core {
  platform?: CorePlatform | null;
}

/** The library behind the platform. */
export interface CorePlatform {
  version?: string | null;
}

/** One page of crash reports. */
export interface CrashList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: CrashView[];
}

/** A crash report as answered. */
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
  /** Everything the reporter sent beside the dump. */
  fields: Record<string, string>;
  minidump: FileView | null;
}

/** Which state of a collection the client has: `info` of an earlier answer. */
export interface DataInfo {
  last?: number | null;
  checksum?: string | null;
}

/** The database behind the server. */
export interface DatabaseView {
  /** sqlite or postgresql */
  kind: string;
  /** The migration it is at; null while it does not answer. */
  migration: string | null;
  /** The migration that this version of the server wants. */
  newestMigration: string;
}

/** Choose the default layout; without name and type the choice is cleared. */
export interface DefaultChoice {
  name?: string | null;
  type?: string | null;
}

/** The layout that becomes the default; without an id the choice is cleared. */
export interface DefaultLayoutChoice {
  id?: string | null;
}

/** The default layout, and who chose it. */
export interface DefaultLayoutGrant {
  name: string;
  type: string;
  /** chosen (by the user) or flagged (for those who have chosen none) */
  because: string;
}

/** The default layout; empty when there is none. */
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

/** What is gone without a successor, because a stronger file put something else where its object was. */
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
  path: string;
  value: unknown;
  by: LayerView;
}

/** One step from one revision to another. */
export interface EditView {
  /** add, remove or replace */
  op: string;
  /** JSON Pointer to the member that differs. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** What a user gets; parts that the caller may not read are null. */
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

/** What went wrong. */
export interface ErrorBody {
  /** The status code again. */
  code: number;
  message: string;
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
  /** The nearest right name or word, when there is one. */
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

/** The one body of every refusal. */
export interface ErrorView {
  error: ErrorBody;
}

/** One value, who set it, and who else did. */
export interface ExplainedValue {
  file: string;
  path: string;
  /** What the merged file has; null where nobody sets it. */
  value: unknown;
  /** set: in force; default: nobody sets it, or it is set to null; ignored: clients do not use it. */
  status: string;
  /** The value or the default; null for what only a local file can set. */
  inForce: unknown;
  /** The default of the catalogue. */
  default: unknown;
  /** The file that set it; null where nobody does. */
  winner: LayerView | null;
  /** Weaker files that have it too, strongest first. */
  losers: LostValue[];
  /** Null for what the catalogue does not know. */
  setting: SettingView | null;
  problems: ConfigProblem[];
}

/** The configuration of a user, a group or a version, value by value. */
export interface Explanation {
  asked: Asked;
  groups: Membership[];
  /** The files that count, by name and weakest first. */
  layers: LayerView[];
  items: ExplainedValue[];
  total: number;
  /** What a stronger file has put something else in place of. */
  dropped: DroppedValue[];
  /** How many more were dropped; 0 unless there are thousands. */
  moreDropped: number;
  /** What the catalogue says of the merged files. */
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

/** The id under which feedback was kept. */
export interface FeedbackReceipt {
  id: string;
}

/** Feedback as answered. */
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
}

/** One file as clients get it. */
export interface FileContents {
  contents: Record<string, unknown> | unknown[];
}

/** One thing to say about a merged file. */
export interface FileProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The nearest right name or word, when there is one. */
  suggestion?: string | null;
  file: string;
}

/** A file that was sent along. */
export interface FileView {
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
}

/** The session that ends; without it, the session of the token. */
export interface Goodbye {
  session?: string | null;
}

/** An app, whether the user gets it, and why. */
export interface Grant {
  name: string;
  title: string;
  given: boolean;
  /** All that speaks for it, even when something is in the way. */
  reasons: ReasonView[];
  whyNot?: WhyNot | null;
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
}

/** A group, whole. */
export interface GroupDocument {
  /** May be sent back, but cannot change. */
  name?: string | null;
  /** Configuration of a higher priority wins. */
  priority?: number;
  /** Members of this group are also members of these. */
  expandsTo?: string[];
}

/** One page of groups. */
export interface GroupList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: GroupView[];
}

/** A group as answered. */
export interface GroupView {
  /** Number of the change that made it what it is. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  name: string;
  priority: number;
  expandsTo: string[];
  /** How many users were put into it directly. */
  members: number;
}

/** How the server is. */
export interface HealthView {
  /** ok, or unavailable while requests cannot be served */
  status: string;
  /** Each part that was asked, and what it answered. */
  checks: Record<string, string>;
}

/** What a platform sends when it starts. */
export interface Hello {
  /** What the client knows of its computer. */
  machine?: Record<string, unknown>;
  glue?: PlatformDetails | null;
  initialDataRequest?: InitialDataRequest | null;
  includeServerInfo?: boolean;
}

/** The collections that were wanted. */
export interface HelloData {
  applications?: AppsData | null;
  layouts?: LayoutsData | null;
}

/** The session that was opened. */
export interface HelloView {
  /** A JWT with the members session, user, iat and exp. */
  token: string;
  data: HelloData;
  serverInfo?: ServerInfoView | null;
}

/** What an import did. */
export interface ImportView {
  created: string[];
  replaced: string[];
}

/** What an import has brought, or would bring. */
export interface ImportedView {
  /** Whether everything was undone again. */
  dryRun: boolean;
  /** How many rows. */
  total: number;
  /** How many rows of each table. */
  rows: Record<string, number>;
  /** Users of this server that the export does not know; they stay. */
  keptUsers: string[];
}

/** Which state of a collection was answered; clients send it with the next poll. */
export interface InfoView {
  last: number;
  /** The ETag of the collection. */
  checksum: string;
}

/** What the client wants with the answer to hello. */
export interface InitialDataRequest {
  applications?: KindRequest | null;
  layouts?: KindRequest | null;
}

/** Whether a collection is wanted, and which state of it the client has. */
export interface KindRequest {
  include?: boolean;
  latestDataInfo?: DataInfo | null;
}

/** Which state of each collection the client has. */
export interface LatestDataInfo {
  applications?: DataInfo | null;
  layouts?: DataInfo | null;
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
}

/** Some members of a layout. */
export interface LayoutChange {
  definition?: Record<string, unknown>;
  owner?: string;
  public?: boolean;
  accessList?: string[];
  default?: boolean;
  disabled?: boolean;
}

/** A layout, whole. */
export interface LayoutEntry {
  definition: Record<string, unknown>;
  /** A user id, or * for a layout that belongs to all. */
  owner?: string;
  /** Everyone may see it. */
  public?: boolean;
  /** Groups that may see it. */
  accessList?: string[];
  /** The default for those who have chosen none. */
  default?: boolean;
  /** Withheld from everyone. */
  disabled?: boolean;
}

/** A layout, whether the user gets it, and why. */
export interface LayoutGrant {
  id: string;
  name: string;
  type: string;
  owner: string;
  given: boolean;
  reasons: ReasonView[];
  whyNot?: WhyNot | null;
}

/** One page of layouts. */
export interface LayoutGrants {
  items: LayoutGrant[];
  total: number;
}

/** Many layouts at once: all of them are taken, or none. */
export interface LayoutImport {
  layouts: Record<string, unknown>[];
  owner?: string;
  public?: boolean;
  accessList?: string[];
  overwrite?: boolean;
}

/** One page of layouts. */
export interface LayoutList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: LayoutView[];
}

/** A layout as people know it. */
export interface LayoutName {
  type: string;
  name: string;
}

/** The new name of a layout. */
export interface LayoutNewName {
  newName: string;
}

/** Remove a layout by name and type, or several by ids of the form ``name (type)``. */
export interface LayoutRemoval {
  name?: string | null;
  type?: string | null;
  ids?: string[] | null;
}

/** Rename a layout of the caller's own; the content sent is kept. */
export interface LayoutRename {
  layout: Record<string, unknown>;
  newName: string;
}

/** Create or replace a layout of the caller's own, by type and name. */
export interface LayoutSave {
  layout: Record<string, unknown>;
}

/** The same of layouts. */
export interface LayoutShift {
  gained: LayoutName[];
  lost: LayoutName[];
  changed: LayoutName[];
}

/** A layout as answered to administrators. */
export interface LayoutView {
  /** Number of the change that made it what it is. */
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

/** What a layout store answers. */
export interface Layouts {
  layouts: Record<string, unknown>[];
}

/** The layouts, if they have changed. */
export interface LayoutsData {
  hasChanges: boolean;
  data: UserLayoutView[];
  info: InfoView;
}

/** A file of the same name that does not count for the user. */
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
  /** Why not, in a sentence. */
  text: string;
}

/** What a weaker file has at the same place. */
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
  /** Where it stands: above the value in force when it was no object. */
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

/** A machine as answered. */
export interface MachineView {
  id: string;
  name: string;
  info: Record<string, unknown>;
  /** The user who described it first, and whose sessions alone update it. */
  owner: string | null;
  firstSeen: string;
  lastSeen: string;
}

/** The caller; the sign-in check. */
export interface Me {
  id: string;
  email: string | null;
  /** All groups, nested ones expanded. */
  groups: string[];
  /** Names of apps given to this user directly. */
  apps: string[];
  /** What the caller may do in the admin API. */
  permissions: string[];
}

/** A group that somebody is in, and how they come to be in it. */
export interface Membership {
  name: string;
  /** Configuration of a higher priority wins. */
  priority: number;
  /** From the group they were put into to this one; each expands to the next. */
  via: string[];
}

/** A command for one session or several. */
export interface NewCommand {
  session?: string | null;
  sessions?: string[] | null;
  command: string;
  params?: Record<string, unknown>;
}

/** The commands that were made, one for each session. */
export interface NewCommands {
  items: CommandView[];
  total: number;
}

/** For whom a directory address is created. */
export interface NewDirectory {
  /** The user whose apps it answers; either this or `group`. */
  user?: string | null;
  /** The group whose apps it answers; either this or `user`. */
  group?: string | null;
  /** What the address is used for. */
  description?: string;
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
  /** Configuration of a higher priority wins. */
  priority?: number;
  /** Members of this group are also members of these. */
  expandsTo?: string[];
}

/** A preference to be made. */
export interface NewPreference {
  user: string;
  app: string;
  data: unknown;
}

/** A user to be made. */
export interface NewUser {
  id: string;
  password?: string | null;
  email?: string | null;
  groups?: string[];
  /** Apps given to this user directly. */
  apps?: string[];
  /** Layouts given to this user directly. */
  layouts?: string[];
  disabled?: boolean;
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
  /** Neither ended nor silent for too long. */
  active: boolean;
  token: string;
  /** Seconds until the token has to be refreshed. */
  expiresIn: number;
}

/** The caller's own new password, with the current one as proof. */
export interface PasswordChange {
  /** The password until now. */
  current: string;
  /** The new password; the server's password policy applies. */
  new: string;
}

/** A command as the client gets it. */
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

/** What a platform tells of itself. */
export interface PlatformDetails {
  version?: string | null;
  build?: string | null;
  region?: string | null;
  env?: string | null;
  core?: Core | null;
}

/** The question whether something has changed. */
export interface Poll {
  latestDataInfo?: LatestDataInfo | null;
  applications?: KindRequest | null;
  layouts?: KindRequest | null;
}

/** What has changed. */
export interface PollView {
  applications: AppsData;
  layouts: LayoutsData;
}

/** One app's preferences; empty when there are none. */
export interface PreferenceAnswer {
  app?: string | null;
  data?: unknown;
  lastUpdate?: string | null;
  lastKnownUpdate?: string | null;
}

/** New data of a preference. */
export interface PreferenceChange {
  data?: unknown;
}

/** What an app keeps for a user. */
export interface PreferenceDocument {
  /** May be sent back, but cannot change. */
  user?: string | null;
  /** May be sent back, but cannot change. */
  app?: string | null;
  data: unknown;
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
}

/** Keep what one app wants kept; ``data`` may be a whole preferences object already. */
export interface PreferenceSave {
  app: string;
  data?: unknown;
}

/** A preference as answered to administrators. */
export interface PreferenceView {
  /** Number of the change that made it what it is. */
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

/** Writes to one kind of document, all of them or none. */
export interface PreviewRequest {
  changes: Proposal[];
  /** Versions of the platform; without them, those that have files of their own. */
  versions?: string[] | null;
  /** How many different outcomes at most. */
  limit?: number;
  offset?: number;
  /** How many users of each outcome are named at most. */
  names?: number;
  namesOffset?: number;
  /** The id of one outcome. */
  only?: string | null;
}

/** What the writes would do; nothing was written. */
export interface PreviewView {
  /** How many users there are. */
  users: number;
  /** For how many of them something changes. */
  affected: number;
  /** The outcomes that differ, the most frequent first. */
  items: PreviewedChange[];
  total: number;
  /** Users whose outcome is not listed because there are too many different ones. */
  unlisted: number;
  /** The versions that were compared; * stands for all others. */
  versions: string[];
  /** What the catalogue would say that it does not say now. */
  problems: TouchedProblem[];
  /** What it says now and would not any more. */
  solved: TouchedProblem[];
}

/** One outcome, and the users it is the same for; parts that the caller may not read are null. */
export interface PreviewedChange {
  id: string;
  count: number;
  /** Some of them by id; null for those who may not read users. */
  users: string[] | null;
  /** created, deleted, enabled or disabled */
  account: string | null;
  groups: Shift | null;
  apps: Shift | null;
  layouts: LayoutShift | null;
  defaultLayout: ChangedDefault | null;
  configs: ChangedValue[] | null;
  /** How many values of configuration are not listed. */
  moreValues: number;
}

/** One write that is not made: what would be sent, and to which document. */
export interface Proposal {
  /** POST, PUT, PATCH or DELETE. */
  action: "create" | "replace" | "change" | "delete";
  /** The id or name in the address; not for create. */
  key?: string | null;
  /** The body that the write would have; not for delete. */
  document?: Record<string, unknown> | null;
}

/** How much of one quota a user uses. */
export interface QuotaUseView {
  /** The setting without its prefix `quotas.`. */
  name: string;
  used: number;
  /** Null when there is no limit. */
  limit: number | null;
}

/** One reason to get something. */
export interface ReasonView {
  /** owner, public, list (given to the user directly) or group */
  because: string;
  /** The group of the access list. */
  group?: string | null;
  /** From the group the user was put into to that one. */
  via?: string[] | null;
  /** The same in a sentence. */
  text: string;
}

/** One page of receipts, and how many clients have applied what concerns them. */
export interface ReceiptList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: ReceiptView[];
  applied: number;
  pending: number;
}

/** How far one running client is with the changes of one kind. */
export interface ReceiptView {
  session: string;
  user: string;
  machine: string;
  lastSeen: string;
  /** The newest revision of this kind that concerns the client; 0 for none. */
  due: number;
  /** The revision that the client says it has applied. */
  revision: number | null;
  reported: string | null;
  /** Whether it has the revision asked about, or else all that concerns it. */
  applied: boolean;
}

/** What an administrator says of a report. */
export interface Review {
  reviewed?: boolean;
  comment?: string;
}

/** A document as it was from a revision on. */
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
  kind: string;
  id: string;
  /** The body, as it may be sent to replace the document. */
  document: Record<string, unknown> | null;
}

/** One page of revisions, newest first. */
export interface RevisionList {
  items: RevisionView[];
  total: number;
}

/** One revision of a document: who did what to it, and when. */
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
}

/** To where a document goes back. */
export interface RollBack {
  /** Number of a revision, or a time such as 2026-01-31T09:00:00Z. */
  revision: number | string;
}

/** To where all documents of a kind go back. */
export interface RollBackAll {
  /** Number of a revision, or a time such as 2026-01-31T09:00:00Z. */
  revision: number | string;
  /** Only tell what would change. */
  dryRun?: boolean;
}

/** What rolling back all documents of a kind did, or would do. */
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

/** This server. */
export interface ServerInfoView {
  version: string;
  capabilities: string[];
  /** Address of the central gateway, absolute or a path of this server, if there is one. */
  gatewayUrl?: string | null;
}

/** One running process. */
export interface ServerView {
  version: string;
  /** The machine, and the number of the process on it. */
  node: string;
  started: string;
  uptimeSeconds: number;
  /** Event streams that this process has open. */
  eventClients: number;
  database: DatabaseView;
  health: HealthView;
  settings: SettingInForce[];
}

/** A sign of life. */
export interface SessionHeartbeat {
  commands?: (string | Record<string, unknown>)[] | null;
  /** The newest revision of each kind that the client has applied. */
  applied?: Applied | null;
}

/** One page of sessions. */
export interface SessionList {
  /** How many there are, or as many as were counted when there are more. */
  total: number;
  /** True when the list is longer than the total: of users that are searched, or filtered in several ways, the first 1,000 are counted. */
  more?: boolean;
  items: SessionView[];
}

/** What a client tells when it starts. */
export interface SessionOpening {
  /** name, id, os, cpu, memory, displays: what the client knows of its computer */
  machine?: Record<string, unknown>;
  version?: string;
  env?: string;
  region?: string;
  product?: string;
  commands?: (string | Record<string, unknown>)[];
}

/** A client session as answered. */
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
  /** Neither ended nor silent for too long. */
  active: boolean;
}

/** One setting, as it counts now. */
export interface SettingInForce {
  /** Its place in the configuration object. */
  property: string;
  /** The environment variable of the same setting. */
  variable: string;
  /** The value as text; secrets are masked. */
  value: string;
  /** default, configuration object, variable, file or argument */
  origin: string;
  /** The variable or the argument it was read from, if it was one. */
  originName: string;
  /** Whether the value is never shown. */
  secret: boolean;
  /** What the setting does. */
  meaning: string;
}

/** What the catalogue says of a setting. */
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
  /** Clients take it out of what a server sends. */
  localOnly: boolean;
  /** A change counts while the platform runs. */
  reapplied: boolean;
}

/** What is gained, lost and still there but different, by name. */
export interface Shift {
  gained: string[];
  lost: string[];
  changed: string[];
}

/** How this server keeps the users of pages signed in. */
export interface SignInOptions {
  /** With a session cookie; otherwise pages use a token. */
  sessionCookie: boolean;
}

/** The user of a page who has just signed in. The token stands for the session cookie where a browser keeps none. It ends with the session, with the account and at sign-out. */
export interface SignedIn {
  user: Me;
  /** Only if asked for: `Authorization: Bearer`. */
  token?: string | null;
  /** Seconds until the token expires. */
  expiresIn?: number | null;
  /** Whether the token can be exchanged for a new one here; otherwise the user signs in again. */
  renewable?: boolean;
}

/** The token that is to be replaced. */
export interface TokenRefresh {
  token: string;
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

/** Something the catalogue says of merged files, and for how many users. */
export interface TouchedProblem {
  /** Where it is in the contents, such as notifications.toastExpiry. */
  path: string;
  /** error, warning or note */
  severity: string;
  message: string;
  /** The nearest right name or word, when there is one. */
  suggestion?: string | null;
  file: string;
  versions: string[];
  count: number;
  users: string[] | null;
}

/** How much of each quota a user uses. */
export interface UsageView {
  items: QuotaUseView[];
}

/** Some members of a user. */
export interface UserChange {
  /** May be sent back, but cannot change. */
  id?: string | null;
  password?: string | null;
  email?: string | null;
  groups?: string[];
  apps?: string[];
  layouts?: string[];
  disabled?: boolean;
}

/** A user, whole; the password stays as it is when none is sent. */
export interface UserDocument {
  /** May be sent back, but cannot change. */
  id?: string | null;
  password?: string | null;
  email?: string | null;
  groups?: string[];
  /** Apps given to this user directly. */
  apps?: string[];
  /** Layouts given to this user directly. */
  layouts?: string[];
  disabled?: boolean;
}

/** Create or replace a layout of the caller's own, by type and name. */
export interface UserLayoutSave {
  type: string;
  name: string;
  /** The layout as JSON text. */
  definition: string;
}

/** A layout as browser platforms read it. */
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

/** What one app stores for the caller. */
export interface UserPreferenceSave {
  app: string;
  data?: unknown;
  /** Keep the members of the stored object that are not sent. */
  merge?: boolean;
}

/** What one app stores for the caller. */
export interface UserPreferenceView {
  id: string;
  app: string;
  user: string;
  data: unknown;
  lastUpdate: string;
}

/** A user as answered; the password never is. */
export interface UserView {
  /** Number of the change that made it what it is. */
  revision: number;
  created: string;
  createdBy: string;
  modified: string;
  modifiedBy: string;
  id: string;
  email: string | null;
  groups: string[];
  apps: string[];
  layouts: string[];
  disabled: boolean;
}

/** The caller. */
export interface WhoAmI {
  id: string;
  email: string | null;
  /** All groups, nested ones expanded. */
  groups: string[];
  /** Names of apps given to this user directly. */
  apps: string[];
}

/** What is in the way. */
export interface WhyNot {
  /** userDisabled, disabled, notShared or hidden */
  because: string;
  /** Groups that would give it. */
  groups?: string[] | null;
  /** The id of the layout that is shown instead. */
  hiddenBy?: string | null;
  /** The same in a sentence. */
  text: string;
}

export interface Operations {
  /** Keep the client's answer to a command. */
  answerCommand: {
    path: { session_id: string; command_id: string };
    query: Record<never, never>;
    body: CommandResult;
    answer: undefined;
  };
  /** Change the members that are sent. */
  changeApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: AppChange;
    answer: AppView;
  };
  /** Change the contents of a file. */
  changeConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: ConfigChange;
    answer: ConfigView;
  };
  /** Change the members that are sent. */
  changeGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: GroupChange;
    answer: GroupView;
  };
  /** Change the members that are sent. */
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
  /** Change the members that are sent. */
  changeUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: UserChange;
    answer: UserView;
  };
  /** Forget what one app keeps; without `app`, what every app keeps. */
  clearPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreferenceRemoval | null;
    answer: undefined;
  };
  /** Remove what all apps store for the caller. */
  clearUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Close a session; its token ends with it. */
  closeSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  compareAppRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  compareConfigRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  compareGroupRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  compareLayoutRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  comparePreferenceRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Compare two revisions of a document; left alone, the newest with the one before it. */
  compareUserRevisions: {
    path: { document_id: string };
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: ComparisonView;
  };
  /** Keep a new app. */
  createApp: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AppEntry;
    answer: AppView;
  };
  /** Keep a new file for a scope; what the catalogue of settings says of it is answered as `problems`. */
  createConfig: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ConfigDocument;
    answer: ConfigView;
  };
  /** Create a directory address for a user or a group. Its path is a secret, and only answered here. */
  createDirectory: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewDirectory;
    answer: NewDirectoryView;
  };
  /** Make a group. */
  createGroup: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewGroup;
    answer: GroupView;
  };
  /** Keep a new layout for a user or for all. */
  createLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutEntry;
    answer: LayoutView;
  };
  /** Keep a new preference for a user. */
  createPreference: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewPreference;
    answer: PreferenceView;
  };
  /** Make a user. */
  createUser: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewUser;
    answer: UserView;
  };
  /** Delete an app. */
  deleteApp: {
    path: { app_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a command; one that was not fetched yet is thereby called back. */
  deleteCommand: {
    path: { command_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Delete a file. */
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
  /** Delete a group; users, apps and layouts lose it from their lists. */
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
  /** Forget a machine; it comes back when a client of it starts again. */
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
  /** Delete a user with their sessions, layouts, preferences and own configuration. */
  deleteUser: {
    path: { user_id: string };
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
  /** Tell for each value which scope it comes from, and what the others had. */
  explainConfig: {
    path: Record<never, never>;
    query: { user?: string | null; group?: string | null; version?: string | null; file?: string | null; path?: string | null; defaults?: boolean; limit?: number; offset?: number };
    body: undefined;
    answer: Explanation;
  };
  /** Download every entry in order, a line of JSON each. */
  exportAudit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Download everything: users with their password hashes, documents, history, audit, reports. The audit tells who did. A second export or import at the same time is refused. */
  exportServer: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Answer what the session has not answered yet, oldest first; asking is a sign of life too. */
  fetchCommands: {
    path: { session_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: PendingCommands;
  };
  /** Answer the preferences of every app. */
  getAllPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PreferenceAnswer[];
  };
  /** Answer the app definitions this user may see; also the address for a `rest` app store. */
  getApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Answer name and type of the default layout, or an empty object. */
  getDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Answer name and type of the default layout, or an empty object. */
  getDefaultLayoutAtDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Answer name and type of the default layout, or an empty object. */
  getDefaultLayoutAtLayoutsLayoutsDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: DefaultView;
  };
  /** Answer the same as an FDC3 2.2 app directory; without credentials, if the server allows it, the public apps. */
  getDirectory: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Answer one record of the FDC3 directory; `name@host` is taken too. */
  getDirectoryApp: {
    path: { app_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Answer the layouts this user may see. */
  getLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Layouts;
  };
  /** Answer the layouts this user may see. */
  getLayoutsAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Layouts;
  };
  /** Answer the same app definitions as `/apps`, as an array. */
  getPlatformApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>[];
  };
  /** Answer one app's preferences, or an empty object; `app` may also come in a JSON body, as may `apps`. */
  getPreferences: {
    path: Record<never, never>;
    query: { app?: string | null };
    body: undefined;
    answer: PreferenceAnswer | PreferenceAnswer[];
  };
  /** Answer the configuration files of this user, each merged over the scopes. */
  getSystemConfig: {
    path: Record<never, never>;
    query: { user?: string | null; group?: string | null; version?: string | null; configs?: string | null };
    body: undefined;
    answer: Record<string, FileContents>;
  };
  /** Answer the layout that the caller starts with; 204 if there is none. */
  getUserDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView;
  };
  /** Answer the layouts that the caller gets. */
  getUserLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView[];
  };
  /** Answer what one app stores for the caller. */
  getUserPreference: {
    path: { preference_app: string };
    query: { last?: string | null };
    body: undefined;
    answer: UserPreferenceView;
  };
  /** Answer what all apps store for the caller. */
  getUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserPreferenceView[];
  };
  /** Keep many apps at once, all or none. */
  importApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AppImport;
    answer: ImportView;
  };
  /** Keep many layouts at once, all or none. */
  importLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutImport;
    answer: ImportView;
  };
  /** Take over what another server of the same version has exported, all or nothing; the body is that file. Only a new server takes it: one without content of its own. The users that it has stay, with their groups. */
  importServer: {
    path: Record<never, never>;
    query: { dryRun?: boolean };
    body: undefined;
    answer: ImportedView;
  };
  /** List what was made of a document, newest first; of a deleted one too. */
  listAppRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List apps; filters: name, type, title, public, disabled, accessList. */
  listApps: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: AppList;
  };
  /** List what was done, newest first; filters: actor, operation, kind, id, revision, number. */
  listAudit: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; from?: string | null; to?: string | null };
    body: undefined;
    answer: AuditList;
  };
  /** List commands; filters: session, user, command, status. */
  listCommands: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: CommandList;
  };
  /** List what was made of a document, newest first; of a deleted one too. */
  listConfigRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List files; filters: file, scope, target, version, group, user. */
  listConfigs: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: ConfigList;
  };
  /** List reports; filters: user, product, version, platform, processType, reviewed, reviewedBy. */
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
  /** List feedback; filters: user, session, description, reviewed, reviewedBy. */
  listFeedback: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: FeedbackList;
  };
  /** List what was made of a document, newest first; of a deleted one too. */
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
  /** List what was made of a document, newest first; of a deleted one too. */
  listLayoutRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List layouts; filters: name, type, owner, public, default, disabled, accessList. */
  listLayouts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: LayoutList;
  };
  /** List machines; filters: id, name, user. */
  listMachines: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: MachineList;
  };
  /** List what was made of a document, newest first; of a deleted one too. */
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
  /** List which active sessions have applied the changes of a kind; filters: applied, session, user, machine, due. */
  listReceipts: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; kind?: "apps" | "layouts" | "prefs" | "systemConfig" | "commands"; revision?: number };
    body: undefined;
    answer: ReceiptList;
  };
  /** List sessions; filters: user, machine, version, env, region, product. */
  listSessions: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null; active?: boolean };
    body: undefined;
    answer: SessionList;
  };
  /** List what was made of a document, newest first; of a deleted one too. */
  listUserRevisions: {
    path: { document_id: string };
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: RevisionList;
  };
  /** List users; filters: id, email, disabled, group, app. */
  listUsers: {
    path: Record<never, never>;
    query: { limit?: number; offset?: number; sort?: string | null; q?: string | null };
    body: undefined;
    answer: UserList;
  };
  /** Hear of changes as they happen: apps, layouts, prefs, systemConfig, commands; ready and reset begin a stream. Each event carries the revision of the change in its data; its id is the revision up to which everything was told. After reset, whatever was fetched before has to be fetched again. */
  listenForEvents: {
    path: Record<never, never>;
    query: { session?: string | null; lastEventId?: string | null };
    body: undefined;
    answer: undefined;
  };
  /** Tell that the process runs. */
  live: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: HealthView;
  };
  /** End the session, on the server too. */
  logOut: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Answer this process's metrics for Prometheus. */
  metrics: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Open a session; the token in the answer serves for its further requests. */
  openSession: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SessionOpening;
    answer: OpenedSession;
  };
  /** End a session of the caller: the one that is named, or that of the token. */
  platformGoodbye: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Goodbye;
    answer: undefined;
  };
  /** Open a session of a browser platform; the answer has its token, and the apps and layouts that were asked for. */
  platformHello: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Hello;
    answer: HelloView;
  };
  /** Answer the apps and layouts that have changed since the states that the client names. */
  platformPoll: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Poll;
    answer: PollView;
  };
  /** Answer a new token of the session whose token is sent; the old one stays valid until it expires. */
  platformRefresh: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: TokenRefresh;
    answer: TokenRefreshView;
  };
  /** Answer the same; `user`, `group` and `version` may stand in the body, in `impersonation` or in `identifier`. A `user` of `*` asks for nobody in particular: for the files for all users and for the version. Without credentials only this is answered, and only for the files that the setting `configs.anonymous` names. */
  postSystemConfig: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Record<string, unknown> | null;
    answer: Record<string, FileContents>;
  };
  /** Preview changes of apps, such as who may see them,: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview changes of configuration files: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewConfigs: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview changes of groups, such as what they expand to,: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewGroups: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview changes of layouts, such as whom they are shared with,: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
  previewLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreviewRequest;
    answer: PreviewView;
  };
  /** Preview changes of users, such as the groups they are in,: what would change for which users, and which results have invalid settings. Nothing is written. With `Accept: application/x-ndjson` the response has the progress line by line, then the result. */
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
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
  readAppRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Download the file that came with a feedback. */
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
  /** Read a command with its answer. */
  readCommand: {
    path: { command_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CommandView;
  };
  /** Read a file. */
  readConfig: {
    path: { config_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: ConfigView;
  };
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
  readConfigRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a report. */
  readCrash: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: CrashView;
  };
  /** Tell what a user gets, each thing with its reason, and what not and why; `app=…` asks for one app alone. */
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
  /** Read a group. */
  readGroup: {
    path: { group_name: string };
    query: Record<never, never>;
    body: undefined;
    answer: GroupView;
  };
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
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
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
  readLayoutRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read a machine. */
  readMachine: {
    path: { machine_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: MachineView;
  };
  /** Tell who the caller is: the sign-in check. */
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
  /** Read how much of each quota the caller uses. */
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
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
  readPreferenceRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Tell what runs here, how it is, and which settings are in force, each with its origin. */
  readServer: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ServerView;
  };
  /** Answer the version of this server, which optional parts of the protocol it has, and where the gateway is. */
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
  /** Answer the apps of a directory address as an FDC3 2.2 app directory; the address is the credential. */
  readSharedDirectory: {
    path: { directory_key: string };
    query: Record<never, never>;
    body: undefined;
    answer: Applications;
  };
  /** Answer one record of the app directory at a directory address. */
  readSharedDirectoryApp: {
    path: { directory_key: string; app_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Tell pages, before anybody signs in, how the session is kept. */
  readSignInOptions: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: SignInOptions;
  };
  /** Read a user. */
  readUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: UserView;
  };
  /** Read what a document was at a revision, which may be that of another change, or at a time. */
  readUserRevision: {
    path: { document_id: string; revision: string };
    query: Record<never, never>;
    body: undefined;
    answer: RevisionDocument;
  };
  /** Read how much of each quota a user uses. */
  readUserUsage: {
    path: { user_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: UsageView;
  };
  /** Tell whether requests can be served: asks the database. */
  ready: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: HealthView;
  };
  /** Answer a fresh client token; the old one stays good until it expires, so that nobody is cut off. */
  refreshToken: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: TokenView;
  };
  /** Remove all layouts of the caller's own, and answer the shared ones that are left. */
  removeAllUserLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: UserLayoutView[];
  };
  /** Remove layouts of the caller's own: the body names one, or several as `name (type)`. */
  removeLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRemoval;
    answer: undefined;
  };
  /** Remove layouts of the caller's own: the body names one, or several as `name (type)`. */
  removeLayoutsAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRemoval;
    answer: undefined;
  };
  /** Remove a layout of the caller's own. */
  removeUserLayout: {
    path: { layout_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Remove what one app stores for the caller. */
  removeUserPreference: {
    path: { preference_app: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Rename a layout of the caller's own; the content sent is kept. */
  renameLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRename;
    answer: undefined;
  };
  /** Rename a layout of the caller's own; the content sent is kept. */
  renameLayoutAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutRename;
    answer: undefined;
  };
  /** Rename a layout of the caller's own. */
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
  /** Replace a file; it may move to another scope. */
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
  /** Replace a user; the password changes only when one is sent. */
  replaceUser: {
    path: { user_id: string };
    query: Record<never, never>;
    body: UserDocument;
    answer: UserView;
  };
  /** Mark a report as reviewed, comment on it. */
  reviewCrash: {
    path: { crash_id: string };
    query: Record<never, never>;
    body: Review;
    answer: CrashView;
  };
  /** Mark a feedback as reviewed, comment on it. */
  reviewFeedback: {
    path: { feedback_id: string };
    query: Record<never, never>;
    body: Review;
    answer: FeedbackView;
  };
  /** Revoke a directory address: nothing is answered there any more. */
  revokeDirectory: {
    path: { directory_id: string };
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllApps: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllConfigs: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllGroups: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make all documents of this kind what they were, at once; a dry run tells what would change. */
  rollBackAllUsers: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: RollBackAll;
    answer: RolledBackView;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackApp: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackConfig: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackGroup: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackLayout: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackPreference: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Make a document what it was at a revision or a time; a deleted one comes back. */
  rollBackUser: {
    path: { document_id: string };
    query: Record<never, never>;
    body: RollBack;
    answer: RevisionDocument;
  };
  /** Create or replace a layout of the caller's own, by type and name. */
  saveLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutSave;
    answer: undefined;
  };
  /** Create or replace a layout of the caller's own, by type and name. */
  saveLayoutAtLayoutsLayouts: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: LayoutSave;
    answer: undefined;
  };
  /** Keep what one app wants kept. */
  savePreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PreferenceSave;
    answer: Record<string, unknown>;
  };
  /** Create or replace a layout of the caller's own, by type and name. */
  saveUserLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: UserLayoutSave;
    answer: UserLayoutView;
  };
  /** Store what one app sends for the caller. */
  saveUserPreferences: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: UserPreferenceSave;
    answer: UserPreferenceView;
  };
  /** Send a command to one session or several, or to none when one of them cannot take it. */
  sendCommand: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: NewCommand;
    answer: NewCommands;
  };
  /** Keep a crash report: a multipart form as crash reporters send it, gzip or not; answers its id as text. */
  sendCrash: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: undefined;
  };
  /** Keep what the caller wrote: a multipart form with `description` and, if wanted, the file `attachment`. */
  sendFeedback: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: FeedbackReceipt;
  };
  /** Choose the default layout; without name and type the choice is cleared. */
  setDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Choose the default layout; without name and type the choice is cleared. */
  setDefaultLayoutAtDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Choose the default layout; without name and type the choice is cleared. */
  setDefaultLayoutAtLayoutsLayoutsDefault: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultChoice;
    answer: undefined;
  };
  /** Choose the layout that the caller starts with; without an id, clear the choice and answer 204. */
  setUserDefaultLayout: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DefaultLayoutChoice;
    answer: UserLayoutView;
  };
  /** Sign in the user of a page with user ID and password. The response sets the session cookie, if enabled. With `token=true` the answer also has a token for pages of which the browser keeps no cookie. It expires with the session. Where there are no session cookies, a page exchanges its token for a new one here before it expires. */
  signIn: {
    path: Record<never, never>;
    query: { token?: boolean };
    body: undefined;
    answer: SignedIn;
  };
  /** Give a sign of life. */
  touchSession: {
    path: { session_id: string };
    query: Record<never, never>;
    body: SessionHeartbeat | null;
    answer: SessionView;
  };
  /** Follow the chain of hashes, and tell the first entry that was altered, removed or moved. */
  verifyAudit: {
    path: Record<never, never>;
    query: { head?: string | null };
    body: undefined;
    answer: AuditVerification;
  };
  /** Answer who the caller is, in the form that libraries of browser platforms read. */
  whoAmI: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: WhoAmI;
  };
}

export const places: { readonly [Name in keyof Operations]: readonly [string, string] } = {
  answerCommand: ["POST", "/sessions/{session_id}/commands/{command_id}/result"],
  changeApp: ["PATCH", "/admin/apps/{app_name}"],
  changeConfig: ["PATCH", "/admin/configs/{config_id}"],
  changeGroup: ["PATCH", "/admin/groups/{group_name}"],
  changeLayout: ["PATCH", "/admin/layouts/{layout_id}"],
  changeOwnPassword: ["PUT", "/me/password"],
  changePreference: ["PATCH", "/admin/prefs/{preference_id}"],
  changeUser: ["PATCH", "/admin/users/{user_id}"],
  clearPreferences: ["DELETE", "/prefs"],
  clearUserPreferences: ["DELETE", "/user/prefs"],
  closeSession: ["DELETE", "/sessions/{session_id}"],
  compareAppRevisions: ["GET", "/admin/apps/{document_id}/revisions/compare"],
  compareConfigRevisions: ["GET", "/admin/configs/{document_id}/revisions/compare"],
  compareGroupRevisions: ["GET", "/admin/groups/{document_id}/revisions/compare"],
  compareLayoutRevisions: ["GET", "/admin/layouts/{document_id}/revisions/compare"],
  comparePreferenceRevisions: ["GET", "/admin/prefs/{document_id}/revisions/compare"],
  compareUserRevisions: ["GET", "/admin/users/{document_id}/revisions/compare"],
  createApp: ["POST", "/admin/apps"],
  createConfig: ["POST", "/admin/configs"],
  createDirectory: ["POST", "/admin/directories"],
  createGroup: ["POST", "/admin/groups"],
  createLayout: ["POST", "/admin/layouts"],
  createPreference: ["POST", "/admin/prefs"],
  createUser: ["POST", "/admin/users"],
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
  endSession: ["DELETE", "/admin/sessions/{session_id}"],
  explainConfig: ["GET", "/admin/configs/explain"],
  exportAudit: ["GET", "/admin/audit/export"],
  exportServer: ["GET", "/admin/export"],
  fetchCommands: ["GET", "/sessions/{session_id}/commands"],
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
  importApps: ["POST", "/admin/imports/apps"],
  importLayouts: ["POST", "/admin/imports/layouts"],
  importServer: ["POST", "/admin/import"],
  listAppRevisions: ["GET", "/admin/apps/{document_id}/revisions"],
  listApps: ["GET", "/admin/apps"],
  listAudit: ["GET", "/admin/audit"],
  listCommands: ["GET", "/admin/commands"],
  listConfigRevisions: ["GET", "/admin/configs/{document_id}/revisions"],
  listConfigs: ["GET", "/admin/configs"],
  listCrashes: ["GET", "/admin/crashes"],
  listDirectories: ["GET", "/admin/directories"],
  listFeedback: ["GET", "/admin/feedback"],
  listGroupRevisions: ["GET", "/admin/groups/{document_id}/revisions"],
  listGroups: ["GET", "/admin/groups"],
  listLayoutRevisions: ["GET", "/admin/layouts/{document_id}/revisions"],
  listLayouts: ["GET", "/admin/layouts"],
  listMachines: ["GET", "/admin/machines"],
  listPreferenceRevisions: ["GET", "/admin/prefs/{document_id}/revisions"],
  listPreferences: ["GET", "/admin/prefs"],
  listReceipts: ["GET", "/admin/sessions/receipts"],
  listSessions: ["GET", "/admin/sessions"],
  listUserRevisions: ["GET", "/admin/users/{document_id}/revisions"],
  listUsers: ["GET", "/admin/users"],
  listenForEvents: ["GET", "/events"],
  live: ["GET", "/health/live"],
  logOut: ["POST", "/logout"],
  metrics: ["GET", "/metrics"],
  openSession: ["POST", "/sessions"],
  platformGoodbye: ["POST", "/user/goodbye"],
  platformHello: ["POST", "/user/hello"],
  platformPoll: ["POST", "/user"],
  platformRefresh: ["POST", "/user/refresh"],
  postSystemConfig: ["POST", "/systemConfig/get"],
  previewApps: ["POST", "/admin/previews/apps"],
  previewConfigs: ["POST", "/admin/previews/configs"],
  previewGroups: ["POST", "/admin/previews/groups"],
  previewLayouts: ["POST", "/admin/previews/layouts"],
  previewUsers: ["POST", "/admin/previews/users"],
  readApp: ["GET", "/admin/apps/{app_name}"],
  readAppRevision: ["GET", "/admin/apps/{document_id}/revisions/{revision}"],
  readAttachment: ["GET", "/admin/feedback/{feedback_id}/attachment"],
  readAuditEntry: ["GET", "/admin/audit/{entry_number}"],
  readCommand: ["GET", "/admin/commands/{command_id}"],
  readConfig: ["GET", "/admin/configs/{config_id}"],
  readConfigRevision: ["GET", "/admin/configs/{document_id}/revisions/{revision}"],
  readCrash: ["GET", "/admin/crashes/{crash_id}"],
  readEffective: ["GET", "/admin/users/{user_id}/effective"],
  readFeedback: ["GET", "/admin/feedback/{feedback_id}"],
  readGroup: ["GET", "/admin/groups/{group_name}"],
  readGroupRevision: ["GET", "/admin/groups/{document_id}/revisions/{revision}"],
  readLayout: ["GET", "/admin/layouts/{layout_id}"],
  readLayoutRevision: ["GET", "/admin/layouts/{document_id}/revisions/{revision}"],
  readMachine: ["GET", "/admin/machines/{machine_id}"],
  readMe: ["GET", "/me"],
  readMinidump: ["GET", "/admin/crashes/{crash_id}/minidump"],
  readOwnUsage: ["GET", "/me/usage"],
  readPreference: ["GET", "/admin/prefs/{preference_id}"],
  readPreferenceRevision: ["GET", "/admin/prefs/{document_id}/revisions/{revision}"],
  readServer: ["GET", "/admin/server"],
  readServerInfo: ["GET", "/v2/server/info"],
  readSession: ["GET", "/admin/sessions/{session_id}"],
  readSharedDirectory: ["GET", "/directory/{directory_key}/v2/apps"],
  readSharedDirectoryApp: ["GET", "/directory/{directory_key}/v2/apps/{app_id}"],
  readSignInOptions: ["GET", "/signin/options"],
  readUser: ["GET", "/admin/users/{user_id}"],
  readUserRevision: ["GET", "/admin/users/{document_id}/revisions/{revision}"],
  readUserUsage: ["GET", "/admin/users/{user_id}/usage"],
  ready: ["GET", "/health/ready"],
  refreshToken: ["POST", "/token/refresh"],
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
  reviewCrash: ["PATCH", "/admin/crashes/{crash_id}"],
  reviewFeedback: ["PATCH", "/admin/feedback/{feedback_id}"],
  revokeDirectory: ["DELETE", "/admin/directories/{directory_id}"],
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
  touchSession: ["PATCH", "/sessions/{session_id}"],
  verifyAudit: ["GET", "/admin/audit/verify"],
  whoAmI: ["GET", "/whoami"],
};
