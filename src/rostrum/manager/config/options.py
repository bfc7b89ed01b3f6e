"""All options of the manager, each declared once."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from rostrum.base.passwords import DEFAULT_MIN_LENGTH, PasswordPolicy
from rostrum.manager.config.cors import CorsOptions
from rostrum.manager.config.option import option, option_infos
from rostrum.manager.config.rules import breaches
from rostrum.manager.config.values import (
    ApiUrl,
    BasePath,
    BucketAddress,
    CaseFolded,
    Days,
    DocumentKindName,
    FileName,
    Flag,
    GatewayUrl,
    Host,
    IdentifierName,
    Network,
    OnlyBasic,
    PageBase,
    ReadableFile,
    StoreAddress,
    TicketUrl,
    TokenSecret,
    UserEntries,
    Whole,
    WritableFolder,
    split_user,
)

MIB = 1024 * 1024
TIB = MIB * MIB
CENTURY_SECONDS = 36_525 * 86_400
"""The maximum time span: a longer one, added to a date, would exceed the range of dates."""

CENTURY_DAYS = 36_525


class ManagerConfig(BaseModel):
    """The effective settings of the manager."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    host: Host = option(
        "127.0.0.1",
        "IP address or host name on which the server listens. `0.0.0.0` means all IPv4 addresses of the machine.",
        env="API_HOST",
        prop="host",
    )
    port: Whole = option(
        4356,
        "TCP port on which the server listens. If 0, the server selects a free port.",
        env="API_PORT",
        prop="port",
        ge=0,
        le=65535,
    )
    base: BasePath = option(
        "api",
        "Path prefix of the HTTP API. For example, with `api`, the API is served at `/api`. With `/`, the API has no "
        "prefix.",
        env="API_BASE",
        prop="base",
    )
    store: StoreAddress = option(
        "sqlite:///rostrum.db",
        "Connection URL of the database: `sqlite:///relative/path.db`, `sqlite:////absolute/path.db` or "
        "`postgresql://user:password@host/database`. A relative path starts at the folder of the configuration file. "
        "Without a configuration file, it starts at the folder in which the server is started.",
        env="API_STORE",
        prop="store",
        repr=False,
    )
    auth_method: Annotated[Literal["basic"], OnlyBasic] = option(
        ...,
        "Method by which the server authenticates users. The only supported value is `basic` (user ID and password).",
        env="API_AUTH_METHOD",
        prop="auth_method",
        example="basic",
    )
    auth_exclusive_users: tuple[IdentifierName, ...] = option(
        (),
        "IDs of users that the server adds to the admin group `PLATFORM_SERVER_ADMIN` at start-up. If a user does not "
        "exist, the server logs a warning and continues.",
        env="API_AUTH_EXCLUSIVE_USERS",
        prop="auth_exclusive_users",
        example=["admin"],
    )
    predefined_users: UserEntries = option(
        (),
        "Users in the form `user-id:password`. At start-up, the server creates these users and adds them to the admin "
        "group `PLATFORM_SERVER_ADMIN`. If a user already exists, the server adds the user to the group and does not "
        "change the password.",
        env="API_AUTH_METHOD_BASIC_USERS",
        prop="auth_basic.predefinedUsers",
        secret=True,
        example=["user-id:password"],
    )
    session_lifetime: Whole = option(
        3600,
        "Time after which a session cookie expires and the user must sign in again. The setting has no effect if "
        "`auth_basic.useSessionCookie` is `false`.",
        env="API_AUTH_METHOD_BASIC_SESSION_LIFETIME",
        prop="auth_basic.sessionLifetime",
        unit="seconds",
        since="2.1",
        ge=1,
        le=CENTURY_SECONDS,
    )
    use_session_cookie: Flag = option(
        default=True,
        text="If `true`, a signed session cookie keeps users of the admin UI and of browser platforms "
        "(web pages that show apps) signed in. In "
        'this case, the setting `cors` must contain `"credentials": true` and at least one `origin`.',
        env="API_AUTH_METHOD_BASIC_USE_SESSION_COOKIE",
        prop="auth_basic.useSessionCookie",
        since="2.1",
    )
    password_min_length: Whole = option(
        DEFAULT_MIN_LENGTH,
        "Minimum length of new passwords. Users in `auth_basic.predefinedUsers` with shorter passwords are still "
        "created, but the server logs a warning.",
        env="API_AUTH_METHOD_BASIC_PASSWORD_MIN_LENGTH",
        prop="auth_basic.passwordMinLength",
        unit="characters",
        ge=1,
        le=128,
    )
    password_refuse_common: Flag = option(
        default=True,
        text="If `true`, users cannot set a password that is one of the 1,000 most common passwords.",
        env="API_AUTH_METHOD_BASIC_PASSWORD_REFUSE_COMMON",
        prop="auth_basic.passwordRefuseCommon",
    )
    cors: CorsOptions | None = option(
        None,
        "Object that determines which web pages of other origins can send requests to the server (cross-origin "
        "resource sharing). `origin` lists the origins of these pages, each with scheme, host and port. `credentials` "
        "allows the pages to send the session cookie. The setting is required if `auth_basic.useSessionCookie` is "
        "`true`.",
        env="API_CORS_OPTIONS",
        prop="cors",
        example={"credentials": True, "origin": "http://127.0.0.1:4356"},
    )
    token_secret: TokenSecret = option(
        ...,
        "Secret key with which the server signs session cookies and tokens. It must be at least 32 bytes long.",
        env="API_TOKEN_SECRET",
        prop="token.secret",
        secret=True,
        # Shorter than a valid secret, so that the example cannot be used unchanged.
        example="<32 random bytes or more>",
    )
    token_expires_in: Whole = option(
        2_592_000,
        "Lifetime of the tokens that clients, such as Rostrum desktops, receive when they sign in.",
        env="API_TOKEN_EXPIRES_IN",
        prop="token.expiresIn",
        unit="seconds",
        ge=1,
        le=CENTURY_SECONDS,
    )
    api_tokens_max_days: Days = option(
        365,
        "Maximum lifetime of API tokens, which users and administrators create for programs. New tokens must expire "
        "within this number of days; existing tokens keep their expiry date.",
        env="API_TOKENS_MAX_DAYS",
        prop="apiTokens.maxDays",
        unit="days",
        ge=1,
        le=CENTURY_DAYS,
    )
    password_links_hours: Whole = option(
        72,
        "Lifetime of the links that administrators create for users to set a first password.",
        env="API_PASSWORD_LINKS_HOURS",
        prop="passwordLinks.hours",
        unit="hours",
        ge=1,
        le=24 * 90,
    )
    tls_cert: ReadableFile | None = option(
        None,
        "Path of the certificate chain file (PEM). If it is set, the server uses HTTPS, and `tls.key` is required. A "
        "relative path starts at the folder of the configuration file (see `store`).",
        env="API_TLS_CERT",
        prop="tls.cert",
    )
    tls_key: ReadableFile | None = option(
        None,
        "Path of the private key file (PEM) of the certificate. A relative path starts at the folder of the "
        "configuration file (see `store`).",
        env="API_TLS_KEY",
        prop="tls.key",
    )
    hsts_max_age: Whole = option(
        31_536_000,
        "Time for which browsers use only HTTPS for this host (`max-age` of the `Strict-Transport-Security` header). "
        "The server sends the header only in responses over HTTPS. If 0, the header is not sent.",
        env="API_TLS_HSTS_MAX_AGE",
        prop="tls.hstsMaxAge",
        unit="seconds",
        ge=0,
        le=CENTURY_SECONDS,
    )
    max_body: Whole = option(
        16 * MIB,
        "Maximum size of a request body. Larger requests are refused with status 413. Other limits apply "
        "to crash reports and feedback (`maxCrash`) and to imports (`maxImport`).",
        env="API_MAX_BODY",
        prop="maxBody",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    max_elements: Whole = option(
        250_000,
        "Maximum number of elements in a JSON request body. Each comma, object and array counts as one element. "
        "Requests with more elements are refused with status 413. The limit protects the server from small requests "
        "that take a lot of memory and time to parse.",
        env="API_MAX_ELEMENTS",
        prop="maxElements",
        unit="elements",
        ge=1000,
        le=100_000_000,
    )
    max_crash: Whole = option(
        64 * MIB,
        "Maximum size of a crash report with its minidump (the memory dump of the crashed process), or of feedback "
        "with its attachments. Larger requests are refused with status 413.",
        env="API_MAX_CRASH",
        prop="maxCrash",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    max_import: Whole = option(
        1024 * MIB,
        "Maximum size of a file that can be imported. Larger files are refused with status 413.",
        env="API_MAX_IMPORT",
        prop="maxImport",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    ready_bytes: Whole = option(
        64 * MIB,
        "Maximum amount of memory that each server process uses as a cache. The cache contains responses for clients "
        "that request the same data again and again. 0 disables the cache.",
        env="API_READY_BYTES",
        prop="readyBytes",
        unit="bytes",
        ge=0,
        le=TIB,
    )
    files_folder: WritableFolder | None = option(
        None,
        "Path of the folder in which the minidumps of crash reports and the attachments of feedback are stored. The "
        "folder must exist. If several nodes (server processes) use the same database, all of them must have access "
        "to this folder, for example on a file server. If neither `files.folder` nor `files.bucket` is set, the files "
        "are stored in the database.",
        env="API_FILES_FOLDER",
        prop="files.folder",
    )
    files_bucket: BucketAddress | None = option(
        None,
        "S3 bucket in which the minidumps of crash reports and the attachments of feedback are stored: `s3://name` or "
        "`s3://name/prefix`, on Amazon S3 or an S3-compatible server. You can set either `files.bucket` or "
        "`files.folder`, not both. The endpoint, region and keys are read from the standard environment variables "
        "`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from the role of the "
        "machine.",
        env="API_FILES_BUCKET",
        prop="files.bucket",
    )
    crashes_anonymous: Flag = option(
        default=False,
        text="If `true`, the server accepts crash reports from clients that are not signed in.",
        env="API_CRASHES_ANONYMOUS",
        prop="crashes.anonymous",
    )
    config_check: Annotated[Literal["warn", "error", "off"], CaseFolded] = option(
        "warn",
        "Validation of system configuration files, which contain the settings of desktops and browser platforms. "
        "`warn`: files with errors are saved, and the response lists the problems. `error`: files with errors are "
        "refused. `off`: files are not validated.",
        env="API_CONFIG_CHECK",
        prop="configs.check",
    )
    directory_anonymous: Flag = option(
        default=False,
        text="If `true`, clients can read the public apps in the FDC3 app directory (`/v2/apps`) without credentials. "
        "Web pages of all origins can then read these apps too.",
        env="API_DIRECTORY_ANONYMOUS",
        prop="directory.anonymous",
    )
    configs_anonymous: tuple[FileName, ...] = option(
        (),
        "Names of system configuration files that clients can read without credentials. Some browser platforms need "
        "this because they read their configuration before the user signs in. The response never contains settings "
        "for groups or individual users, only settings for all users and for the platform version in the request. "
        "The files must not contain secrets.",
        env="API_CONFIGS_ANONYMOUS",
        prop="configs.anonymous",
        example=["browser-platform.json"],
    )
    purge_at_startup: Flag = option(
        default=True,
        text="If `true`, the server deletes expired data at start-up. If `false`, it deletes expired data one day "
        "after start-up. In both cases, it repeats the deletion once a day. The other settings that begin with "
        "`purge` determine when data expires.",
        env="API_PURGE_AT_STARTUP_ENABLED",
        prop="purge.atStartup",
    )
    purge_sessions_after_days: Days = option(
        90,
        "Number of days for which client sessions are kept after the client last contacted the server. Machines "
        "without sessions are deleted the same number of days after their last contact. -1 keeps sessions and machines "
        "indefinitely.",
        env="API_PURGE_SESSIONS_AFTER_DAYS",
        prop="purge.sessions",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_commands_after_days: Days = option(
        90,
        "Number of days for which commands to desktops and their results are kept. This includes command runs "
        "(commands that are sent to many desktops). -1 keeps them indefinitely.",
        env="API_PURGE_COMMANDS_AFTER_DAYS",
        prop="purge.commands",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_crashes_after_days: Days = option(
        90,
        "Number of days for which crash reports are kept. -1 keeps them indefinitely.",
        env="API_PURGE_CRASHES_AFTER_DAYS",
        prop="purge.crashes",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_feedback_after_days: Days = option(
        90,
        "Number of days for which feedback is kept. -1 keeps it indefinitely.",
        env="API_PURGE_FEEDBACK_AFTER_DAYS",
        prop="purge.feedback",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_history_after_days: Days = option(
        365,
        "Number of days for which earlier revisions of users, groups, apps, layouts, preferences and configuration "
        "files are kept. The period begins when a revision is replaced by a newer one, or when the document is "
        "deleted. Revisions that are kept can be viewed and restored. -1 keeps revisions indefinitely.",
        env="API_PURGE_HISTORY_AFTER_DAYS",
        prop="purge.history",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_audit_after_days: Days = option(
        -1,
        "Number of days for which audit log entries are kept. -1 keeps them indefinitely. The deletion of entries is "
        "recorded in the audit log, and the integrity of the remaining entries can still be verified.",
        env="API_PURGE_AUDIT_LOGS_AFTER_DAYS",
        prop="purge.auditLogs",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    comment_required: tuple[DocumentKindName, ...] = option(
        (),
        "Kinds of documents for which administrators must enter a comment with each change. Possible values are "
        "`app`, `layout`, `preference`, `config`, `user` and `group`. Changes that users make to their own data "
        "require no comment.",
        env="API_CHANGES_COMMENT_REQUIRED",
        prop="changes.commentRequired",
        example=["config"],
    )
    approval_kinds: tuple[DocumentKindName, ...] = option(
        (),
        "Kinds of documents whose changes by administrators require the approval of a second administrator. Possible "
        "values are `app`, `layout`, `preference`, `config`, `user` and `group`. Changes with the command line "
        "`rostrum manager`, and disabling a user, require no approval.",
        env="API_CHANGES_APPROVAL_KINDS",
        prop="changes.approvalKinds",
        example=["config"],
    )
    approval_groups: tuple[IdentifierName, ...] = option(
        (),
        "Groups to which the approval in `changes.approvalKinds` is limited. If the list is not empty, approval is "
        "required only for changes that alter what members of these groups receive, directly or through inheritance: "
        "documents of the groups, of groups that they inherit from, of single members and of all users, and changes of "
        "memberships, inheritance and accounts of members.",
        env="API_CHANGES_APPROVAL_GROUPS",
        prop="changes.approvalGroups",
        example=["Trading"],
    )
    approver_hours: Whole = option(
        24,
        "Time before a proposal during which changes of accounts count against its approval. The approval is refused "
        "if the author has created the account of the approver, or has given it a permission, a password or a "
        "password link, within this time or after the proposal, or if another user has done this for both accounts. "
        "With 0, only changes after the proposal count.",
        env="API_CHANGES_APPROVER_HOURS",
        prop="changes.approverHours",
        unit="hours",
        ge=0,
        le=8760,
    )
    ticket_url: TicketUrl = option(
        "",
        "Address of a ticket in your ticket system, with `{ticket}` in place of the ticket's number. If it is set, "
        "the admin UI shows the tickets of changes as links. The address must begin with `http://` or `https://`.",
        env="API_CHANGES_TICKET_URL",
        prop="changes.ticketUrl",
        example="https://tickets.example.com/browse/{ticket}",
    )
    history_revisions: Days = option(
        200,
        "Maximum number of revisions that are kept for each document. Once a day, the server deletes the oldest "
        "revisions above this number. -1 means no limit on the number; revisions are then deleted only by age "
        "(`purge.history`).",
        env="API_HISTORY_REVISIONS",
        prop="history.revisions",
        unit="revisions",
        ge=-1,
        le=1_000_000,
    )
    session_idle: Whole = option(
        300,
        "Time after which a client session counts as inactive if the client does not contact the server.",
        env="API_SESSION_IDLE",
        prop="sessionIdle",
        unit="seconds",
        ge=10,
        le=CENTURY_SECONDS,
    )
    quota_sessions: Whole = option(
        100,
        "Maximum number of open client sessions for each user. When the limit is reached, a new session ends the "
        "session that has been inactive (see `sessionIdle`) for the longest time. If all sessions are active, the new "
        "session is refused with status 409. -1 means no limit.",
        env="API_QUOTA_SESSIONS",
        prop="quotas.sessions",
        unit="sessions",
        ge=-1,
        le=TIB,
    )
    quota_kept_sessions: Whole = option(
        1000,
        "Maximum number of client sessions, open and ended, that are stored for each user. When the limit is reached, "
        "each new session replaces the session that ended earliest. -1 means no limit.",
        env="API_QUOTA_KEPT_SESSIONS",
        prop="quotas.keptSessions",
        unit="sessions",
        ge=-1,
        le=TIB,
    )
    quota_machines: Whole = option(
        100,
        "Maximum number of machines for each user. A machine belongs to the first user whose desktop reported it. "
        "When the limit is reached, a new machine replaces a machine that has no open sessions. If there are several, "
        "it replaces the one whose last contact was the longest time ago. If all machines have open sessions, a "
        "session from a new machine is refused with status 409. -1 means no limit.",
        env="API_QUOTA_MACHINES",
        prop="quotas.machines",
        unit="machines",
        ge=-1,
        le=TIB,
    )
    quota_preferences: Whole = option(
        1000,
        "Maximum number of apps for which each user can save preferences. When the limit is reached, preferences for "
        "further apps are refused with status 409. -1 means no limit.",
        env="API_QUOTA_PREFERENCES",
        prop="quotas.preferences",
        unit="apps",
        ge=-1,
        le=TIB,
    )
    quota_preference_bytes: Whole = option(
        4 * MIB,
        "Maximum total size of the preferences of each user. Preferences that would exceed the limit are refused with "
        "status 409. -1 means no limit.",
        env="API_QUOTA_PREFERENCE_BYTES",
        prop="quotas.preferenceBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_document_bytes: Whole = option(
        MIB,
        "Maximum size of each preference or layout that a user saves. Larger preferences and layouts are refused with "
        "status 413. While one of them is written to the database, other writes wait, so a high limit can delay other "
        "users. -1 means no limit.",
        env="API_QUOTA_DOCUMENT_BYTES",
        prop="quotas.documentBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_layouts: Whole = option(
        1000,
        "Maximum number of layouts that each user can save. When the limit is reached, further layouts are refused "
        "with status 409. -1 means no limit.",
        env="API_QUOTA_LAYOUTS",
        prop="quotas.layouts",
        unit="layouts",
        ge=-1,
        le=TIB,
    )
    quota_layout_bytes: Whole = option(
        8 * MIB,
        "Maximum total size of the layouts of each user. Layouts that would exceed the limit are refused with status "
        "409. -1 means no limit.",
        env="API_QUOTA_LAYOUT_BYTES",
        prop="quotas.layoutBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_history_bytes: Whole = option(
        20 * MIB,
        "Maximum total size of the earlier revisions of each user's preferences and layouts. The revisions of deleted "
        "preferences and layouts are included. Each revision counts as the size of its text plus 300 bytes. When the "
        "limit is exceeded, the oldest revisions are deleted. -1 means no limit.",
        env="API_QUOTA_HISTORY_BYTES",
        prop="quotas.historyBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_feedback: Whole = option(
        200,
        "Maximum number of feedback messages that are stored for each user. When the limit is reached, new feedback "
        "is refused with status 409. -1 means no limit.",
        env="API_QUOTA_FEEDBACK",
        prop="quotas.feedback",
        unit="messages",
        ge=-1,
        le=TIB,
    )
    quota_feedback_bytes: Whole = option(
        256 * MIB,
        "Maximum total size of the attachments in the feedback of each user. Feedback that would exceed the limit is "
        "refused with status 409. -1 means no limit.",
        env="API_QUOTA_FEEDBACK_BYTES",
        prop="quotas.feedbackBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_crashes: Whole = option(
        200,
        "Maximum number of crash reports that are stored for each user. When the limit is reached, new crash reports "
        "are refused with status 409. -1 means no limit.",
        env="API_QUOTA_CRASHES",
        prop="quotas.crashes",
        unit="crash reports",
        ge=-1,
        le=TIB,
    )
    quota_crash_bytes: Whole = option(
        512 * MIB,
        "Maximum total size of the minidumps in the crash reports of each user. Crash reports that would exceed the "
        "limit are refused with status 409. -1 means no limit.",
        env="API_QUOTA_CRASH_BYTES",
        prop="quotas.crashBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_anonymous_crashes: Whole = option(
        10000,
        "Maximum number of anonymous crash reports that are stored in total. Crash reports are anonymous if the "
        "client was not signed in (see `crashes.anonymous`). When the limit is reached, new anonymous crash reports "
        "are refused with status 409. -1 means no limit.",
        env="API_QUOTA_ANONYMOUS_CRASHES",
        prop="quotas.anonymousCrashes",
        unit="crash reports",
        ge=-1,
        le=TIB,
    )
    quota_anonymous_crash_bytes: Whole = option(
        8192 * MIB,
        "Maximum total size of the minidumps in anonymous crash reports. Anonymous crash reports that would exceed "
        "the limit are refused with status 409. -1 means no limit.",
        env="API_QUOTA_ANONYMOUS_CRASH_BYTES",
        prop="quotas.anonymousCrashBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    events_per_user: Whole = option(
        50,
        "Maximum number of event streams that each user can have open in one server process. An event stream is a "
        "connection on which the server notifies a client of changes. Further streams are refused with status 429.",
        env="API_EVENTS_PER_USER",
        prop="events.perUser",
        unit="streams",
        ge=1,
        le=100_000,
    )
    events_total: Whole = option(
        20_000,
        "Maximum number of event streams that all users together can have open in one server process. Further streams "
        "are refused with status 429.",
        env="API_EVENTS_TOTAL",
        prop="events.total",
        unit="streams",
        ge=1,
        le=1_000_000,
    )
    events_heartbeat: Whole = option(
        30,
        "Time after which the server sends a keep-alive comment on an event stream without events, so that proxies do "
        "not close the connection.",
        env="API_EVENTS_HEARTBEAT",
        prop="events.heartbeat",
        unit="seconds",
        ge=1,
        le=3600,
    )
    events_slow: Whole = option(
        30,
        "Time after which the server closes the connection of a client that does not read its event stream.",
        env="API_EVENTS_SLOW",
        prop="events.slow",
        unit="seconds",
        ge=1,
        le=3600,
    )
    events_retry: Whole = option(
        5000,
        "Maximum delay before a client reconnects after its event stream has ended. The server selects a random delay "
        "up to this limit for each client, so that clients do not all reconnect at the same time.",
        env="API_EVENTS_RETRY",
        prop="events.retry",
        unit="milliseconds",
        ge=100,
        le=600_000,
    )
    events_notify: Flag = option(
        default=True,
        text="If `true`, nodes (server processes with the same database) notify each other of changes through "
        "PostgreSQL (`LISTEN` and `NOTIFY`). Set it to `false` if the database or a connection pooler does not "
        "support notifications. Each node then checks the database for changes at the interval `events.poll`.",
        env="API_EVENTS_NOTIFY",
        prop="events.notify",
    )
    events_poll: Whole = option(
        500,
        "Interval at which a node checks the database for changes by other nodes. It is used only if the node does "
        "not receive notifications (see `events.notify`).",
        env="API_EVENTS_POLL",
        prop="events.poll",
        unit="milliseconds",
        ge=50,
        le=60_000,
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], CaseFolded] = option(
        "info",
        "Minimum severity of the messages that are logged: `debug`, `info`, `warning` or `error`.",
        env="API_LOG_LEVEL",
        prop="log.level",
    )
    log_format: Literal["text", "json"] = option(
        "text",
        "Format of the log lines: `text`, or `json` for log collectors.",
        env="API_LOG_FORMAT",
        prop="log.format",
    )
    log_slow: Whole = option(
        1000,
        "Duration above which a request is logged as a warning. 0 disables these warnings.",
        env="API_LOG_SLOW",
        prop="log.slow",
        unit="milliseconds",
        ge=0,
        le=3_600_000,
    )
    workers: Whole = option(
        1,
        "Number of server processes (nodes) on this machine. More than one process requires PostgreSQL.",
        env="API_WORKERS",
        prop="workers",
        unit="processes",
        ge=1,
        le=64,
    )
    trusted_proxies: tuple[Network, ...] = option(
        (),
        "IP addresses or networks of trusted reverse proxies. The server uses the headers `X-Forwarded-For` and "
        "`X-Forwarded-Proto` only in requests from these addresses.",
        env="API_TRUSTED_PROXIES",
        prop="trustedProxies",
        example=["10.0.0.5"],
    )
    gateway_secret: TokenSecret | None = option(
        None,
        "Secret that this server shares with its gateways, which pass messages between apps. A gateway with this "
        "secret forwards the IP address of each client whose password it checks, so that the server counts failed "
        "sign-in attempts for the client and not for the gateway. The secret must be at least 32 bytes long.",
        env="API_GATEWAY_SECRET",
        prop="gateway.secret",
        secret=True,
        example="<32 random bytes or more>",
    )
    gateway_url: GatewayUrl = option(
        "",
        "Address at which browser platforms connect to the central gateway, which passes messages between apps. The "
        "address is a `ws://` or `wss://` URL, or a path on this server, such as `/gw`, that a reverse proxy forwards "
        "to the gateway. Leave empty if there is no central gateway.",
        env="API_GATEWAY_URL",
        prop="gateway.url",
        example="/gw",
    )
    gateway_nodes: tuple[GatewayUrl, ...] = option(
        (),
        "Addresses of the central gateways if there are several. Each address has the same form as `gateway.url`, "
        "which is ignored if this list is set. The server assigns each user to one gateway. Start each gateway with "
        "the option `--node ADDRESS`, where `ADDRESS` is its address in this list.",
        env="API_GATEWAY_NODES",
        prop="gateway.nodes",
        example=["/gw/1", "/gw/2"],
    )

    admin_auth: IdentifierName = option(
        "basic",
        "Method by which users sign in to the admin UI. The only supported value is `basic` (user ID and password). "
        "With other values, the admin UI shows an error message instead of the sign-in page.",
        env="REACT_APP_AUTH",
        prop="admin.auth",
    )
    admin_api_url: ApiUrl = option(
        "",
        "URL or path of the HTTP API that the admin UI uses. Leave empty to use the API of this server.",
        env="REACT_APP_SERVER_BASE",
        prop="admin.apiURL",
    )
    admin_base: PageBase = option(
        "admin",
        "Path at which the admin UI is served, for example `admin` for `/admin`.",
        env="REACT_APP_BASE",
        prop="admin.baseName",
    )
    platform_base: PageBase = option(
        "platform",
        "Path at which the browser platform is served, for example `platform` for `/platform`.",
        env="API_PLATFORM_BASE",
        prop="platform.baseName",
    )

    @property
    def predefined_credentials(self) -> tuple[tuple[str, str], ...]:
        """Return the predefined users as pairs of user ID and password."""
        return tuple(split_user(entry) for entry in self.predefined_users)

    @property
    def password_policy(self) -> PasswordPolicy:
        """Return the rules for new passwords."""
        return PasswordPolicy(min_length=self.password_min_length, refuse_common=self.password_refuse_common)

    @model_validator(mode="after")
    def _keep_the_rules(self) -> Self:
        found = [f"{b.field} {b.message}" for b in breaches(dict(self))]
        if found:
            raise ValueError("; ".join(found))
        return self


OPTIONS = option_infos(ManagerConfig)
"""The declarations by field name, in the order of the fields."""
