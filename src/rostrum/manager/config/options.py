"""Every option of the manager, each declared once."""

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
    FileName,
    Flag,
    GatewayUrl,
    Host,
    Name,
    Network,
    OnlyBasic,
    PageBase,
    ReadableFile,
    StoreAddress,
    TokenSecret,
    UserEntries,
    Whole,
    WritableFolder,
    split_user,
)

MIB = 1024 * 1024
TIB = MIB * MIB
CENTURY_SECONDS = 36_525 * 86_400
"""Longer spans would leave the calendar when added to a date."""

CENTURY_DAYS = 36_525


class ManagerConfig(BaseModel):
    """The settings the manager runs with."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    host: Host = option(
        "127.0.0.1",
        "Address to listen on; `0.0.0.0` is every address of the machine.",
        env="API_HOST",
        prop="host",
    )
    port: Whole = option(
        4356,
        "Port to listen on; 0 takes a free one.",
        env="API_PORT",
        prop="port",
        ge=0,
        le=65535,
    )
    base: BasePath = option(
        "api",
        "Path prefix of the HTTP interface, without slashes; `/` for none.",
        env="API_BASE",
        prop="base",
    )
    store: StoreAddress = option(
        "sqlite:///rostrum.db",
        "Database: `sqlite:///path` or `postgresql://user:password@host/database`. A relative path is resolved against "
        "the folder of the configuration file; without a file, against the current folder.",
        env="API_STORE",
        prop="store",
        repr=False,
    )
    auth_method: Annotated[Literal["basic"], OnlyBasic] = option(
        ...,
        "Authentication method.",
        env="API_AUTH_METHOD",
        prop="auth_method",
        example="basic",
    )
    auth_exclusive_users: tuple[Name, ...] = option(
        (),
        "Users put into the admin group; they must already exist.",
        env="API_AUTH_EXCLUSIVE_USERS",
        prop="auth_exclusive_users",
        example=["admin"],
    )
    predefined_users: UserEntries = option(
        (),
        "Users created and put into the admin group, each as `user-id:password`.",
        env="API_AUTH_METHOD_BASIC_USERS",
        prop="auth_basic.predefinedUsers",
        secret=True,
        example=["user-id:password"],
    )
    session_lifetime: Whole = option(
        3600,
        "Time until a session ends and the user of the admin UI is signed out; counts only with session cookies.",
        env="API_AUTH_METHOD_BASIC_SESSION_LIFETIME",
        prop="auth_basic.sessionLifetime",
        unit="seconds",
        since="2.1",
        ge=1,
        le=CENTURY_SECONDS,
    )
    use_session_cookie: Flag = option(
        default=True,
        text="Keeps users of the admin UI signed in with a signed cookie; needs the CORS options.",
        env="API_AUTH_METHOD_BASIC_USE_SESSION_COOKIE",
        prop="auth_basic.useSessionCookie",
        since="2.1",
    )
    password_min_length: Whole = option(
        DEFAULT_MIN_LENGTH,
        "Minimum length of new passwords. Shorter passwords of predefined users only cause a warning.",
        env="API_AUTH_METHOD_BASIC_PASSWORD_MIN_LENGTH",
        prop="auth_basic.passwordMinLength",
        unit="characters",
        ge=1,
        le=128,
    )
    password_refuse_common: Flag = option(
        default=True,
        text="Refuses the 1,000 most common passwords as new passwords.",
        env="API_AUTH_METHOD_BASIC_PASSWORD_REFUSE_COMMON",
        prop="auth_basic.passwordRefuseCommon",
    )
    cors: CorsOptions | None = option(
        None,
        "Web pages that can call the server (CORS). Required with session cookies.",
        env="API_CORS_OPTIONS",
        prop="cors",
        example={"credentials": True, "origin": "http://127.0.0.1:4356"},
    )
    token_secret: TokenSecret = option(
        ...,
        "Key that signs the tokens, 32 bytes or more.",
        env="API_TOKEN_SECRET",
        prop="token.secret",
        secret=True,
        # Shorter than a valid secret, so that nobody runs with the example.
        example="<32 random bytes or more>",
    )
    token_expires_in: Whole = option(
        2_592_000,
        "Time until the token of a platform client expires.",
        env="API_TOKEN_EXPIRES_IN",
        prop="token.expiresIn",
        unit="seconds",
        ge=1,
        le=CENTURY_SECONDS,
    )
    tls_cert: ReadableFile | None = option(
        None,
        "File with the certificate chain, to serve HTTPS directly. A relative path is resolved like that of `store`.",
        env="API_TLS_CERT",
        prop="tls.cert",
    )
    tls_key: ReadableFile | None = option(
        None,
        "File with the private key of the certificate.",
        env="API_TLS_KEY",
        prop="tls.key",
    )
    hsts_max_age: Whole = option(
        31_536_000,
        "Time for which browsers use only HTTPS for this host after a response over HTTPS (header "
        "Strict-Transport-Security); 0 leaves the header out.",
        env="API_TLS_HSTS_MAX_AGE",
        prop="tls.hstsMaxAge",
        unit="seconds",
        ge=0,
        le=CENTURY_SECONDS,
    )
    max_body: Whole = option(
        16 * MIB,
        "Maximum size of requests. Larger requests are refused with status 413.",
        env="API_MAX_BODY",
        prop="maxBody",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    max_elements: Whole = option(
        250_000,
        "Most elements of a JSON document in a request, where each comma, object and array counts as one; larger ones "
        "get status 413. Objects take far more memory and time than their text, so the size in bytes alone limits "
        "neither.",
        env="API_MAX_ELEMENTS",
        prop="maxElements",
        ge=1000,
        le=100_000_000,
    )
    max_crash: Whole = option(
        64 * MIB,
        "Maximum size of crash reports.",
        env="API_MAX_CRASH",
        prop="maxCrash",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    max_import: Whole = option(
        1024 * MIB,
        "Maximum size of imported exports.",
        env="API_MAX_IMPORT",
        prop="maxImport",
        unit="bytes",
        ge=1024,
        le=TIB,
    )
    ready_bytes: Whole = option(
        64 * MIB,
        "Memory for answers that are kept ready for clients that poll; 0 keeps none.",
        env="API_READY_BYTES",
        prop="readyBytes",
        unit="bytes",
        ge=0,
        le=TIB,
    )
    files_folder: WritableFolder | None = option(
        None,
        "Folder, on a file server if there are several nodes, for minidumps and attachments; "
        "without one they are kept in the database.",
        env="API_FILES_FOLDER",
        prop="files.folder",
    )
    files_bucket: BucketAddress | None = option(
        None,
        "Bucket for minidumps and attachments, in place of a folder: s3://name or s3://name/prefix, on Amazon S3 or a "
        "server that speaks the same. Its endpoint, region and keys come from the standard variables AWS_ENDPOINT_URL, "
        "AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's role.",
        env="API_FILES_BUCKET",
        prop="files.bucket",
    )
    crashes_anonymous: Flag = option(
        default=False,
        text="Takes crash reports without credentials.",
        env="API_CRASHES_ANONYMOUS",
        prop="crashes.anonymous",
    )
    config_check: Annotated[Literal["warn", "error", "off"], CaseFolded] = option(
        "warn",
        "Handling of configuration files that fail validation: the file is saved and its problems "
        "are answered, it is refused, or it is not checked.",
        env="API_CONFIG_CHECK",
        prop="configs.check",
    )
    directory_anonymous: Flag = option(
        default=False,
        text="Answers the public apps at `/v2/apps` without credentials, also to pages of other origins, for FDC3 "
        "agents that cannot sign in.",
        env="API_DIRECTORY_ANONYMOUS",
        prop="directory.anonymous",
    )
    configs_anonymous: tuple[FileName, ...] = option(
        (),
        "Configuration files that are answered without credentials, to browser platforms that read their configuration "
        "before the user signs in. Only the files for all users and for versions count. They must not contain secrets.",
        env="API_CONFIGS_ANONYMOUS",
        prop="configs.anonymous",
        example=["browser-platform.json"],
    )
    purge_at_startup: Flag = option(
        default=True,
        text="Deletes expired data when the server starts.",
        env="API_PURGE_AT_STARTUP_ENABLED",
        prop="purge.atStartup",
    )
    purge_sessions_after_days: Days = option(
        90,
        "Time for which ended client sessions are kept; -1 is for ever.",
        env="API_PURGE_SESSIONS_AFTER_DAYS",
        prop="purge.sessions",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_commands_after_days: Days = option(
        90,
        "Time for which commands and their results are kept; -1 is for ever.",
        env="API_PURGE_COMMANDS_AFTER_DAYS",
        prop="purge.commands",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_crashes_after_days: Days = option(
        90,
        "Time for which crash reports are kept; -1 is for ever.",
        env="API_PURGE_CRASHES_AFTER_DAYS",
        prop="purge.crashes",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_feedback_after_days: Days = option(
        90,
        "Time for which feedback is kept; -1 is for ever.",
        env="API_PURGE_FEEDBACK_AFTER_DAYS",
        prop="purge.feedback",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_history_after_days: Days = option(
        365,
        "Time for which replaced and deleted revisions of documents are kept; -1 is for ever. "
        "What documents were at any time within it can be read and brought back.",
        env="API_PURGE_HISTORY_AFTER_DAYS",
        prop="purge.history",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    purge_audit_after_days: Days = option(
        -1,
        "Time for which entries of the audit are kept; -1 is for ever. A shortened audit log records the deletion, "
        "and can be verified from there on.",
        env="API_PURGE_AUDIT_LOGS_AFTER_DAYS",
        prop="purge.auditLogs",
        unit="days",
        ge=-1,
        le=CENTURY_DAYS,
    )
    history_revisions: Days = option(
        200,
        "Most revisions kept of one document, the newest ones; -1 keeps all within the time.",
        env="API_HISTORY_REVISIONS",
        prop="history.revisions",
        unit="revisions",
        ge=-1,
        le=1_000_000,
    )
    session_idle: Whole = option(
        300,
        "Time without contact after which a client session counts as inactive.",
        env="API_SESSION_IDLE",
        prop="sessionIdle",
        unit="seconds",
        ge=10,
        le=CENTURY_SECONDS,
    )
    quota_sessions: Whole = option(
        100,
        "Client sessions that one user may have open. When there are more, sessions that are inactive are ended, the "
        "longest inactive first; when all are active, no further one is opened. -1 is for no limit, here and below.",
        env="API_QUOTA_SESSIONS",
        prop="quotas.sessions",
        ge=-1,
        le=TIB,
    )
    quota_kept_sessions: Whole = option(
        1000,
        "Client sessions kept per user, ended ones included; when there are more, the oldest ended ones are deleted.",
        env="API_QUOTA_KEPT_SESSIONS",
        prop="quotas.keptSessions",
        ge=-1,
        le=TIB,
    )
    quota_machines: Whole = option(
        100,
        "Machines that one user may describe. When there are more, those without an open session are deleted, the "
        "longest unseen first.",
        env="API_QUOTA_MACHINES",
        prop="quotas.machines",
        ge=-1,
        le=TIB,
    )
    quota_preferences: Whole = option(
        1000,
        "Apps for which one user may save preferences.",
        env="API_QUOTA_PREFERENCES",
        prop="quotas.preferences",
        ge=-1,
        le=TIB,
    )
    quota_preference_bytes: Whole = option(
        4 * MIB,
        "Size of all preferences that one user may save.",
        env="API_QUOTA_PREFERENCE_BYTES",
        prop="quotas.preferenceBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_document_bytes: Whole = option(
        MIB,
        "Size of one preference or layout that a user may save; larger ones get status 413. Other writers wait while a "
        "document is written to the database.",
        env="API_QUOTA_DOCUMENT_BYTES",
        prop="quotas.documentBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_layouts: Whole = option(
        1000,
        "Layouts that one user may save.",
        env="API_QUOTA_LAYOUTS",
        prop="quotas.layouts",
        ge=-1,
        le=TIB,
    )
    quota_layout_bytes: Whole = option(
        8 * MIB,
        "Size of all layouts that one user may save.",
        env="API_QUOTA_LAYOUT_BYTES",
        prop="quotas.layoutBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_history_bytes: Whole = option(
        20 * MIB,
        "Size of the earlier revisions of one user's preferences and layouts, those of deleted ones included; each "
        "revision counts 300 bytes more than its text has. When there is more, the oldest revisions are removed.",
        env="API_QUOTA_HISTORY_BYTES",
        prop="quotas.historyBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_feedback: Whole = option(
        200,
        "Feedback of one user that is kept at the same time.",
        env="API_QUOTA_FEEDBACK",
        prop="quotas.feedback",
        ge=-1,
        le=TIB,
    )
    quota_feedback_bytes: Whole = option(
        256 * MIB,
        "Size of all attachments in the feedback of one user.",
        env="API_QUOTA_FEEDBACK_BYTES",
        prop="quotas.feedbackBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_crashes: Whole = option(
        200,
        "Crash reports of one user that are kept at the same time.",
        env="API_QUOTA_CRASHES",
        prop="quotas.crashes",
        ge=-1,
        le=TIB,
    )
    quota_crash_bytes: Whole = option(
        512 * MIB,
        "Size of all minidumps in the crash reports of one user.",
        env="API_QUOTA_CRASH_BYTES",
        prop="quotas.crashBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    quota_anonymous_crashes: Whole = option(
        10000,
        "Crash reports without a user that are kept at the same time, of all senders together.",
        env="API_QUOTA_ANONYMOUS_CRASHES",
        prop="quotas.anonymousCrashes",
        ge=-1,
        le=TIB,
    )
    quota_anonymous_crash_bytes: Whole = option(
        8192 * MIB,
        "Size of all minidumps in crash reports without a user.",
        env="API_QUOTA_ANONYMOUS_CRASH_BYTES",
        prop="quotas.anonymousCrashBytes",
        unit="bytes",
        ge=-1,
        le=TIB,
    )
    events_per_user: Whole = option(
        50,
        "Event streams that one user may have open at one process.",
        env="API_EVENTS_PER_USER",
        prop="events.perUser",
        ge=1,
        le=100_000,
    )
    events_total: Whole = option(
        20_000,
        "Event streams that may be open at one process.",
        env="API_EVENTS_TOTAL",
        prop="events.total",
        ge=1,
        le=1_000_000,
    )
    events_heartbeat: Whole = option(
        30,
        "Longest silence of an event stream; then a comment is sent, so that proxies keep it open.",
        env="API_EVENTS_HEARTBEAT",
        prop="events.heartbeat",
        unit="seconds",
        ge=1,
        le=3600,
    )
    events_slow: Whole = option(
        30,
        "Time after which a client that does not read its event stream is cut off.",
        env="API_EVENTS_SLOW",
        prop="events.slow",
        unit="seconds",
        ge=1,
        le=3600,
    )
    events_retry: Whole = option(
        5000,
        "Maximum delay before clients reconnect after their event stream has ended. The delay is different for each "
        "client, so that they do not all reconnect at once.",
        env="API_EVENTS_RETRY",
        prop="events.retry",
        unit="milliseconds",
        ge=100,
        le=600_000,
    )
    events_notify: Flag = option(
        default=True,
        text="Lets PostgreSQL announce changes to the other nodes; false where an engine or a pooler cannot.",
        env="API_EVENTS_NOTIFY",
        prop="events.notify",
    )
    events_poll: Whole = option(
        500,
        "How often a node looks for changes of others where they are not announced.",
        env="API_EVENTS_POLL",
        prop="events.poll",
        unit="milliseconds",
        ge=50,
        le=60_000,
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], CaseFolded] = option(
        "info",
        "Least severe messages that are logged.",
        env="API_LOG_LEVEL",
        prop="log.level",
    )
    log_format: Literal["text", "json"] = option(
        "text",
        "Form of the log lines; `json` for machines.",
        env="API_LOG_FORMAT",
        prop="log.format",
    )
    log_slow: Whole = option(
        1000,
        "Requests that take longer are logged as warnings; 0 is for never.",
        env="API_LOG_SLOW",
        prop="log.slow",
        unit="milliseconds",
        ge=0,
        le=3_600_000,
    )
    workers: Whole = option(
        1,
        "Processes that serve requests; more than 1 needs PostgreSQL.",
        env="API_WORKERS",
        prop="workers",
        ge=1,
        le=64,
    )
    trusted_proxies: tuple[Network, ...] = option(
        (),
        "Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto headers are believed.",
        env="API_TRUSTED_PROXIES",
        prop="trustedProxies",
        example=["10.0.0.0/8"],
    )
    gateway_secret: TokenSecret | None = option(
        None,
        "Secret shared with gateways that sign users in here, 32 bytes or more. A gateway that has it forwards the "
        "address of each client, so that guesses are counted for that address and not for the gateway's.",
        env="API_GATEWAY_SECRET",
        prop="gateway.secret",
        secret=True,
        example="<32 random bytes or more>",
    )
    gateway_url: GatewayUrl = option(
        "",
        "Address of the central gateway for pages in browsers: `ws://` or `wss://` with a host, or a path of this "
        "server that a reverse proxy forwards to the gateway, such as `/gw`. Empty if there is no central gateway.",
        env="API_GATEWAY_URL",
        prop="gateway.url",
        example="/gw",
    )
    gateway_nodes: tuple[GatewayUrl, ...] = option(
        (),
        "Addresses of the central gateways if there are several; used instead of `gateway.url`. Each user is assigned "
        "to one of them. Start each gateway with `--node` and its address.",
        env="API_GATEWAY_NODES",
        prop="gateway.nodes",
        example=["/gw/1", "/gw/2"],
    )

    admin_auth: Name = option(
        "basic",
        "How users of the admin UI sign in; it says so when it is not `basic`.",
        env="REACT_APP_AUTH",
        prop="admin.auth",
    )
    admin_api_url: ApiUrl = option(
        "",
        "Address of the HTTP interface for the admin UI; empty for this server's own.",
        env="REACT_APP_SERVER_BASE",
        prop="admin.apiURL",
    )
    admin_base: PageBase = option(
        "admin",
        "Path under which the admin UI is served, without slashes.",
        env="REACT_APP_BASE",
        prop="admin.baseName",
    )
    platform_base: PageBase = option(
        "platform",
        "Path under which the browser platform is served, without slashes.",
        env="API_PLATFORM_BASE",
        prop="platform.baseName",
    )

    @property
    def predefined_credentials(self) -> tuple[tuple[str, str], ...]:
        """Give the predefined users as pairs of user id and password."""
        return tuple(split_user(entry) for entry in self.predefined_users)

    @property
    def password_policy(self) -> PasswordPolicy:
        """Give the rules for new passwords."""
        return PasswordPolicy(min_length=self.password_min_length, refuse_common=self.password_refuse_common)

    @model_validator(mode="after")
    def _keep_the_rules(self) -> Self:
        found = [f"{b.field} {b.message}" for b in breaches(dict(self))]
        if found:
            raise ValueError("; ".join(found))
        return self


OPTIONS = option_infos(ManagerConfig)
"""The declarations by field name, in the order of the fields."""
