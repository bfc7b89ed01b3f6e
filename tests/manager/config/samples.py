"""One valid value, other than the default, for every option, in each of its forms."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Any

from rostrum.manager.config import ConfigInvalid, CorsOptions, LoadedConfig, options, read_config
from rostrum.manager.config.document import nest

SECRET = "the-secret-of-every-test-0123456789"
ORIGIN = "http://127.0.0.1:4356"
CORS = {"credentials": True, "origin": ORIGIN}
NEEDED: dict[str, Any] = {"auth_method": "basic", "token_secret": SECRET, "cors": CORS}
FILE = str(Path(__file__).resolve())
FOLDER = str(Path(__file__).resolve().parent)
ENVS = {info.field: info.env for info in options()}


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A value as JSON, as the text of a variable, and as it is loaded."""

    value: Any
    loaded: Any = None
    env: str | None = None
    beside: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        if self.env is not None:
            return self.env
        return self.value if isinstance(self.value, str) else json.dumps(self.value)

    @property
    def expected(self) -> Any:
        return self.value if self.loaded is None else self.loaded


SAMPLES: dict[str, Sample] = {
    "host": Sample(value="localhost"),
    "port": Sample(value=8080),
    "base": Sample(value="/rostrum/api/", loaded="rostrum/api"),
    "store": Sample(value="postgres://u:p@db:5432/x", loaded="postgresql://u:p@db:5432/x"),
    "auth_method": Sample(value="basic"),
    "auth_exclusive_users": Sample(value=["ann", "bob"], loaded=("ann", "bob")),
    "predefined_users": Sample(value=["ann:one:two"], loaded=("ann:one:two",)),
    "session_lifetime": Sample(value=60.0, loaded=60),
    "use_session_cookie": Sample(value=False, env="off"),
    "password_min_length": Sample(value=12),
    "password_refuse_common": Sample(value=False, env="false"),
    "cors": Sample(
        value={"credentials": True, "origin": "HTTPS://Desk.example:8443", "maxAge": 5},
        loaded=CorsOptions(credentials=True, origin=("https://desk.example:8443",), maxAge=5),
    ),
    "token_secret": Sample(value="another-secret-0123456789-0123456789"),
    "token_expires_in": Sample(value=3600),
    "api_tokens_max_days": Sample(value=30),
    "password_links_hours": Sample(value=24),
    "tls_cert": Sample(value=FILE, loaded=Path(FILE), beside={"tls_key": FILE}),
    "tls_key": Sample(value=FILE, loaded=Path(FILE), beside={"tls_cert": FILE}),
    "max_body": Sample(value=1024),
    "max_elements": Sample(value=1000),
    "max_crash": Sample(value=2048),
    "max_import": Sample(value=4096),
    "ready_bytes": Sample(value=0),
    "files_folder": Sample(value=FOLDER, loaded=Path(FOLDER)),
    "files_bucket": Sample(value="s3://dumps/rostrum/", loaded="s3://dumps/rostrum"),
    "crashes_anonymous": Sample(value=True, env="1"),
    "directory_anonymous": Sample(value=True, env="on"),
    "configs_anonymous": Sample(value=["browser-platform.json"], loaded=("browser-platform.json",)),
    "config_check": Sample(value="Error", loaded="error"),
    "purge_at_startup": Sample(value=False, env="No"),
    "purge_sessions_after_days": Sample(value=-1),
    "purge_commands_after_days": Sample(value=1),
    "purge_crashes_after_days": Sample(value=365),
    "purge_feedback_after_days": Sample(value=30),
    "purge_history_after_days": Sample(value=-1),
    "purge_audit_after_days": Sample(value=3650),
    "comment_required": Sample(value=["app", "config"], loaded=("app", "config")),
    "approval_kinds": Sample(value=["user"], loaded=("user",)),
    "approval_groups": Sample(value=["Trading"], loaded=("Trading",)),
    "approver_hours": Sample(value=48),
    "ticket_url": Sample(value="https://t.example/browse/{ticket}"),
    "history_revisions": Sample(value=-1),
    "session_idle": Sample(value=10),
    "quota_sessions": Sample(value=-1),
    "quota_kept_sessions": Sample(value=1),
    "quota_machines": Sample(value=2),
    "quota_preferences": Sample(value=3),
    "quota_preference_bytes": Sample(value=4),
    "quota_document_bytes": Sample(value=14),
    "quota_layouts": Sample(value=5),
    "quota_layout_bytes": Sample(value=6),
    "quota_history_bytes": Sample(value=13),
    "quota_feedback": Sample(value=7),
    "quota_feedback_bytes": Sample(value=8),
    "quota_crashes": Sample(value=9),
    "quota_crash_bytes": Sample(value=10),
    "quota_anonymous_crashes": Sample(value=11),
    "quota_anonymous_crash_bytes": Sample(value=12),
    "events_per_user": Sample(value=3),
    "events_total": Sample(value=100),
    "events_heartbeat": Sample(value=15),
    "events_slow": Sample(value=5),
    "events_retry": Sample(value=60000),
    "events_notify": Sample(value=False, env="false"),
    "events_poll": Sample(value=1000),
    "log_level": Sample(value="DEBUG", loaded="debug"),
    "log_format": Sample(value="json"),
    "log_slow": Sample(value=250),
    "workers": Sample(value=4, beside={"store": "postgresql://db/x"}),
    "trusted_proxies": Sample(
        value=["10.0.0.0/8", "192.0.2.7", "::1"],
        loaded=(IPv4Network("10.0.0.0/8"), IPv4Network("192.0.2.7/32"), IPv6Network("::1/128")),
    ),
    "hsts_max_age": Sample(value=300),
    "gateway_secret": Sample(value="a secret of the gateways, long enough"),
    "gateway_url": Sample(value="wss://gateway.example.com/gw"),
    "gateway_nodes": Sample(value=["/gw/1", "/gw/2"], loaded=("/gw/1", "/gw/2")),
    "admin_auth": Sample(value="none"),
    "admin_api_url": Sample(value="https://manager.example.com/api"),
    "admin_base": Sample(value="console"),
    "platform_base": Sample(value="desk"),
}


def document(**values: Any) -> dict[str, Any]:
    """Make a configuration object that can be used, with these values by field name."""
    return nest({**NEEDED, **values})


def read(_environment: Mapping[str, str] | None = None, **values: Any) -> LoadedConfig:
    """Read a configuration object that can be used, with these values by field name."""
    return read_config(document(**values), _environment or {})


def refusal(document: Any, environment: Mapping[str, str] | None = None) -> ConfigInvalid:
    """Read a configuration that must be refused."""
    try:
        read_config(document, environment or {})
    except ConfigInvalid as error:
        return error
    raise AssertionError("the configuration was not refused")


def problems_of(**values: Any) -> list[str]:
    """Read values, by field name, that must be refused."""
    return [str(problem) for problem in refusal(document(**values)).problems]


def environment(**values: Any) -> dict[str, str]:
    """Write values, by field name, as variables, with those that are needed."""
    every = {**NEEDED, **values}
    return {ENVS[name]: v if isinstance(v, str) else json.dumps(v) for name, v in every.items()}
