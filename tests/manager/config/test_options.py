import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rostrum.manager.config import ManagerConfig, options
from tests.manager.config.samples import CORS, FILE, NEEDED, SECRET, problems_of, read

MIB = 1024 * 1024

DECLARED = """
host                       API_HOST                                   host                          "127.0.0.1"
port                       API_PORT                                   port                          4356
base                       API_BASE                                   base                          "api"
store                      API_STORE                                  store                         "sqlite:///rostrum.db"
auth_method                API_AUTH_METHOD                            auth_method                   required
auth_exclusive_users       API_AUTH_EXCLUSIVE_USERS                   auth_exclusive_users          []
predefined_users           API_AUTH_METHOD_BASIC_USERS                auth_basic.predefinedUsers    []
session_lifetime           API_AUTH_METHOD_BASIC_SESSION_LIFETIME     auth_basic.sessionLifetime    3600
use_session_cookie         API_AUTH_METHOD_BASIC_USE_SESSION_COOKIE   auth_basic.useSessionCookie   true
password_min_length        API_AUTH_METHOD_BASIC_PASSWORD_MIN_LENGTH  auth_basic.passwordMinLength  8
password_refuse_common     API_AUTH_METHOD_BASIC_PASSWORD_REFUSE_COMMON  auth_basic.passwordRefuseCommon  true
cors                       API_CORS_OPTIONS                           cors                          null
token_secret               API_TOKEN_SECRET                           token.secret                  required
token_expires_in           API_TOKEN_EXPIRES_IN                       token.expiresIn               2592000
api_tokens_max_days        API_TOKENS_MAX_DAYS                        apiTokens.maxDays             365
password_links_hours       API_PASSWORD_LINKS_HOURS                   passwordLinks.hours           72
tls_cert                   API_TLS_CERT                               tls.cert                      null
tls_key                    API_TLS_KEY                                tls.key                       null
hsts_max_age               API_TLS_HSTS_MAX_AGE                       tls.hstsMaxAge                31536000
max_body                   API_MAX_BODY                               maxBody                       16777216
max_elements API_MAX_ELEMENTS maxElements 250000
max_crash                  API_MAX_CRASH                              maxCrash                      67108864
max_import                 API_MAX_IMPORT                             maxImport                     1073741824
ready_bytes                API_READY_BYTES                            readyBytes                    67108864
files_folder               API_FILES_FOLDER                           files.folder                  null
files_bucket               API_FILES_BUCKET                           files.bucket                  null
crashes_anonymous          API_CRASHES_ANONYMOUS                      crashes.anonymous             false
config_check               API_CONFIG_CHECK                           configs.check                 "warn"
directory_anonymous API_DIRECTORY_ANONYMOUS directory.anonymous false
configs_anonymous API_CONFIGS_ANONYMOUS configs.anonymous []
purge_at_startup           API_PURGE_AT_STARTUP_ENABLED               purge.atStartup               true
purge_sessions_after_days  API_PURGE_SESSIONS_AFTER_DAYS              purge.sessions                90
purge_commands_after_days  API_PURGE_COMMANDS_AFTER_DAYS              purge.commands                90
purge_crashes_after_days   API_PURGE_CRASHES_AFTER_DAYS               purge.crashes                 90
purge_feedback_after_days  API_PURGE_FEEDBACK_AFTER_DAYS              purge.feedback                90
purge_history_after_days   API_PURGE_HISTORY_AFTER_DAYS               purge.history                 365
purge_audit_after_days     API_PURGE_AUDIT_LOGS_AFTER_DAYS            purge.auditLogs               -1
comment_required           API_CHANGES_COMMENT_REQUIRED               changes.commentRequired       []
approval_kinds             API_CHANGES_APPROVAL_KINDS                 changes.approvalKinds         []
approval_groups            API_CHANGES_APPROVAL_GROUPS                changes.approvalGroups        []
approver_hours             API_CHANGES_APPROVER_HOURS                 changes.approverHours         24
ticket_url                 API_CHANGES_TICKET_URL                     changes.ticketUrl             ""
history_revisions          API_HISTORY_REVISIONS                      history.revisions             200
session_idle               API_SESSION_IDLE                           sessionIdle                   300
quota_sessions API_QUOTA_SESSIONS quotas.sessions 100
quota_kept_sessions API_QUOTA_KEPT_SESSIONS quotas.keptSessions 1000
quota_machines API_QUOTA_MACHINES quotas.machines 100
quota_preferences API_QUOTA_PREFERENCES quotas.preferences 1000
quota_preference_bytes API_QUOTA_PREFERENCE_BYTES quotas.preferenceBytes 4194304
quota_document_bytes API_QUOTA_DOCUMENT_BYTES quotas.documentBytes 1048576
quota_layouts API_QUOTA_LAYOUTS quotas.layouts 1000
quota_layout_bytes API_QUOTA_LAYOUT_BYTES quotas.layoutBytes 8388608
quota_history_bytes API_QUOTA_HISTORY_BYTES quotas.historyBytes 20971520
quota_feedback API_QUOTA_FEEDBACK quotas.feedback 200
quota_feedback_bytes API_QUOTA_FEEDBACK_BYTES quotas.feedbackBytes 268435456
quota_crashes API_QUOTA_CRASHES quotas.crashes 200
quota_crash_bytes API_QUOTA_CRASH_BYTES quotas.crashBytes 536870912
quota_anonymous_crashes API_QUOTA_ANONYMOUS_CRASHES quotas.anonymousCrashes 10000
quota_anonymous_crash_bytes API_QUOTA_ANONYMOUS_CRASH_BYTES quotas.anonymousCrashBytes 8589934592
events_per_user            API_EVENTS_PER_USER                        events.perUser                50
events_total               API_EVENTS_TOTAL                           events.total                  20000
events_heartbeat           API_EVENTS_HEARTBEAT                       events.heartbeat              30
events_slow                API_EVENTS_SLOW                            events.slow                   30
events_retry               API_EVENTS_RETRY                           events.retry                  5000
events_notify              API_EVENTS_NOTIFY                          events.notify                 true
events_poll                API_EVENTS_POLL                            events.poll                   500
log_level                  API_LOG_LEVEL                              log.level                     "info"
log_format                 API_LOG_FORMAT                             log.format                    "text"
log_slow                   API_LOG_SLOW                               log.slow                      1000
workers                    API_WORKERS                                workers                       1
trusted_proxies            API_TRUSTED_PROXIES                        trustedProxies                []
gateway_secret             API_GATEWAY_SECRET                         gateway.secret                null
gateway_url                API_GATEWAY_URL                            gateway.url                   ""
gateway_nodes              API_GATEWAY_NODES                          gateway.nodes                 []
admin_auth                 REACT_APP_AUTH                             admin.auth                    "basic"
admin_api_url              REACT_APP_SERVER_BASE                      admin.apiURL                  ""
admin_base                 REACT_APP_BASE                             admin.baseName                "admin"
platform_base              API_PLATFORM_BASE                          platform.baseName             "platform"
"""


@pytest.mark.rule("R-0-1", "R-2.2-12", "R-5-5")
def test_every_option_has_its_documented_name_and_default() -> None:
    expected = [tuple(line.split()) for line in DECLARED.strip().splitlines()]
    declared = [(o.field, o.env, o.property, "required" if o.required else json.dumps(o.default)) for o in options()]

    assert declared == expected


@pytest.mark.rule("R-9-1")
def test_what_is_secret_and_since_when() -> None:
    assert [o.field for o in options() if o.secret] == ["predefined_users", "token_secret", "gateway_secret"]
    assert {o.field: o.since for o in options() if o.since} == {
        "session_lifetime": "2.1",
        "use_session_cookie": "2.1",
    }


def test_the_config_is_flat_frozen_and_closed() -> None:
    config = ManagerConfig(**NEEDED)

    assert config.max_body == 16 * MIB
    with pytest.raises(ValidationError, match="frozen"):
        config.port = 1  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs"):
        ManagerConfig.model_validate({**NEEDED, "prot": 1})


def test_the_rules_hold_without_read_config_too() -> None:
    with pytest.raises(ValidationError, match="cors is required if session cookies are used"):
        ManagerConfig(auth_method="basic", token_secret=SECRET)

    assert ManagerConfig(auth_method="basic", token_secret=SECRET, use_session_cookie=False).cors is None


def test_repr_shows_no_secret() -> None:
    config = ManagerConfig(**NEEDED, predefined_users=["ann:hunter2"], store="postgresql://u:pw-of-db@h/d")

    shown = repr(config) + str(config)
    assert SECRET not in shown
    assert "hunter2" not in shown
    assert "pw-of-db" not in shown


@pytest.mark.rule("R-2.1-2")
def test_predefined_users_are_split_at_the_first_colon() -> None:
    assert read(predefined_users=["ann:a:b", "bob:c"]).config.predefined_credentials == (("ann", "a:b"), ("bob", "c"))


@pytest.mark.parametrize(
    ("name", "value", "loaded"),
    [
        ("host", "0.0.0.0", "0.0.0.0"),
        ("host", "[::1]", "::1"),
        ("host", "manager.example.com", "manager.example.com"),
        ("port", 0, 0),
        ("port", 65535, 65535),
        ("base", "", ""),
        ("base", "/", ""),
        ("base", "//v1.0/api~x_y-z", "v1.0/api~x_y-z"),
        ("base", "administration", "administration"),
        ("session_lifetime", 1, 1),
        ("session_lifetime", 3.0, 3),
        ("password_min_length", 128, 128),
        ("token_expires_in", 1, 1),
        ("token_secret", "ä" * 16, "ä" * 16),
        ("max_body", 1024, 1024),
        ("purge_sessions_after_days", -1, -1),
        ("session_idle", 10, 10),
        ("log_level", "Warning", "warning"),
        ("trusted_proxies", [], ()),
        ("admin_base", "/console/", "console"),
        ("admin_api_url", "/server/", "/server"),
        ("admin_api_url", "https://manager.example.com:8443/api", "https://manager.example.com:8443/api"),
    ],
)
def test_taken(name: str, value: Any, loaded: Any) -> None:
    assert getattr(read(**{name: value}).config, name) == loaded


@pytest.mark.usual(26)
@pytest.mark.rule("R-2.1-2", "R-2.2-1", "R-5-2", "X-D-4")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("host", "", "IP address or a host name"),
        ("host", "http://x", "IP address or a host name"),
        ("host", 5, "must be text, not 5"),
        ("port", -1, "greater than or equal to 0, not -1"),
        ("port", 65536, "less than or equal to 65535"),
        ("port", "4356", "must be a whole number, not '4356'"),
        ("port", True, "must be a whole number, not true"),
        ("port", 1.5, "must be a whole number, not 1.5"),
        ("base", "admin", "must not be admin"),
        ("base", "/admin/api", "must not be admin"),
        ("base", "a//b", "must be a path"),
        ("admin_base", "", "must be a path of its own"),
        ("admin_base", "api", "must not be api: the admin UI is served there"),
        ("admin_base", "a b", "must be a path"),
        ("platform_base", "api", "must not be api: the browser platform is served there"),
        ("platform_base", "admin/x", "must not be admin/x: the admin UI is served there"),
        ("admin_api_url", "ftp://x/api", "must be a path such as /api, or an address"),
        ("admin_api_url", "//elsewhere.example.com", "must be a path such as /api, or an address"),
        ("admin_api_url", "https://x.example.com; script-src *", "must be a path such as /api, or an address"),
        ("base", "../x", "must be a path"),
        ("base", "a b", "must be a path"),
        ("base", "a?b", "must be a path"),
        ("auth_method", "okta", "'okta' is not supported; the only supported value is 'basic'"),
        ("auth_method", "Basic", "'Basic' is not supported; the only supported value is 'basic'"),
        ("auth_method", 7, "must be 'basic', not 7"),
        ("auth_exclusive_users", "ann", "must be an array"),
        ("auth_exclusive_users", ["ann", " "], "auth_exclusive_users[1]"),
        ("predefined_users", ["ann"], "predefinedUsers[0]"),
        ("predefined_users", ["ann:"], "user-id:password"),
        ("predefined_users", [":pw"], "user-id:password"),
        ("predefined_users", ["ann:1", "bob:2", "ann:3"], "more than once: 'ann'"),
        ("session_lifetime", 0, "greater than or equal to 1"),
        ("session_lifetime", 1.5, "whole number"),
        ("session_lifetime", 10**12, "less than or equal to"),
        ("use_session_cookie", "true", "must be true or false"),
        ("use_session_cookie", 1, "must be true or false, not 1"),
        ("password_min_length", 0, "greater than or equal to 1"),
        ("password_min_length", 129, "less than or equal to 128"),
        ("cors", [], "must be an object"),
        ("token_secret", "x" * 31, "at least 32 bytes"),
        ("token_secret", 5, "must be text"),
        ("token_expires_in", 0, "greater than or equal to 1"),
        ("tls_cert", 5, "path of a file"),
        ("tls_cert", "", "path of a file"),
        ("tls_cert", "nul\0l", "path of a file"),
        ("max_body", 1023, "greater than or equal to 1024"),
        ("max_body", 2**40 + 1, "less than or equal to 1099511627776"),
        ("max_crash", 0, "greater than or equal to 1024"),
        ("max_import", 0, "greater than or equal to 1024"),
        ("ready_bytes", -1, "greater than or equal to 0"),
        ("purge_sessions_after_days", 0, "-1 to keep for ever, not 0"),
        ("purge_commands_after_days", -2, "greater than or equal to -1"),
        ("purge_crashes_after_days", 0, "-1 to keep for ever, not 0"),
        ("purge_feedback_after_days", 0, "-1 to keep for ever, not 0"),
        ("purge_history_after_days", 0, "-1 to keep for ever, not 0"),
        ("purge_audit_after_days", 0, "-1 to keep for ever, not 0"),
        ("comment_required", ("apps",), "must be one of app, layout"),
        ("ticket_url", "ftp://t.example/{ticket}", "must be an address with {ticket}"),
        ("history_revisions", 0, "-1 to keep for ever, not 0"),
        ("history_revisions", 1_000_001, "less than or equal to 1000000"),
        ("session_idle", 9, "greater than or equal to 10"),
        ("log_level", "loud", "must be 'debug', 'info', 'warning' or 'error', not 'loud'"),
        ("log_format", "xml", "must be 'text' or 'json', not 'xml'"),
        ("workers", 0, "greater than or equal to 1"),
        ("workers", 65, "less than or equal to 64"),
        ("trusted_proxies", ["here"], "trustedProxies[0] (API_TRUSTED_PROXIES): must be an IP address or network"),
        ("trusted_proxies", [5], "must be an IP address or network"),
        ("trusted_proxies", ["10.0.0.1/8"], "write 10.0.0.0/8, or 10.0.0.1 for one address"),
    ],
)
def test_wrong_values_are_refused_with_the_reason(name: str, value: Any, message: str) -> None:
    found = problems_of(**{name: value})

    assert len(found) == 1
    assert message in found[0]


@pytest.mark.parametrize("name", ["port", "max_body", "session_lifetime", "purge_crashes_after_days"])
def test_a_number_too_long_to_write_is_refused(name: str) -> None:
    (found,) = problems_of(**{name: int("9" * 4000) ** 2})

    assert "must be less than or equal to" in found


@pytest.mark.parametrize(
    "address",
    ["dumps", "s3://", "s3://x", "s3://Dumps", "https://dumps", "s3://dumps?x=1", "s3://d//x", "s3://a b"],
)
def test_what_is_no_bucket(address: str) -> None:
    assert problems_of(files_bucket=address) == [
        "files.bucket (API_FILES_BUCKET): must be the address of a bucket, optionally with a prefix, such as "
        "s3://dumps or s3://dumps/rostrum"
    ]


def test_files_have_one_place(tmp_path: Path) -> None:
    (found,) = problems_of(files_folder=str(tmp_path), files_bucket="s3://dumps")

    assert "cannot be set together with files.folder" in found


def test_tls_files_must_exist_and_be_readable(tmp_path: Path) -> None:
    # Long enough that its end would be cut off, were it shown as names are.
    missing = str(tmp_path / ("a folder/" * 10) / "none.pem")

    found = problems_of(tls_cert=missing, tls_key=str(tmp_path))

    assert found == [
        f"tls.cert (API_TLS_CERT): {missing} cannot be read: No such file or directory",
        f"tls.key (API_TLS_KEY): {tmp_path} cannot be read: Is a directory",
    ]


def test_a_key_in_the_place_of_its_file_is_not_shown() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n"

    (found,) = [each for each in problems_of(tls_cert=__file__, tls_key=key) if "tls.key" in each]

    assert "not what the file holds" in found
    assert "hunter2" not in found


def test_tls_files_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", deny)

    assert "cannot be read: Permission denied" in problems_of(tls_cert=FILE, tls_key=FILE)[0]


def test_a_config_reads_back_from_its_own_values() -> None:
    config = read(tls_cert=FILE, tls_key=FILE, trusted_proxies=["10.0.0.0/8"], cors=CORS).config

    assert ManagerConfig.model_validate(dict(config)) == config
