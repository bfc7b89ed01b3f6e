"""CORS options: which web pages may call the manager from another origin."""

import re
from ipaddress import IPv6Address
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    field_serializer,
    model_validator,
)

from rostrum.manager.config.values import Flag, Whole

ANY_ORIGIN = "*"
EVERY = "(every origin)"
"""Represents JSON's ``true``: the response names the origin of each request. No real origin has this form."""

_ORIGIN = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://"
    r"(?P<host>\[(?P<v6>[0-9a-f:.]+)\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)"
    r"(:(?P<port>[0-9]{1,5}))?"
)
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def _normal_origin(text: str) -> str:
    if text == ANY_ORIGIN:
        return text
    match = _ORIGIN.fullmatch(text.lower()) if text.isascii() else None
    port = int(match["port"] or 1) if match else 0
    if match is None or not 0 < port < 65536 or not _good_v6(match["v6"]):
        raise ValueError(
            "must be scheme://host or scheme://host:port without a path or a slash "
            "at the end, such as https://rostrum.example.com or http://127.0.0.1:4356"
        )
    # Browsers omit the default port in the Origin header.
    shown = match["port"] and port != _DEFAULT_PORTS.get(match["scheme"])
    origin = f"{match['scheme']}://{match['host']}"
    return f"{origin}:{port}" if shown else origin


def _good_v6(text: str | None) -> bool:
    try:
        return text is None or bool(IPv6Address(text))
    except ValueError:
        return False


def _read_origins(value: Any, check: ValidatorFunctionWrapHandler) -> tuple[str, ...]:
    """Read one origin or several as Express does; ``true`` allows every origin, ``false`` none."""
    listed = value if isinstance(value, list | tuple) else [value] if isinstance(value, str | bool) else None
    if listed is None:
        raise ValueError("must be an origin, an array of origins, or true for every origin")
    origins: tuple[str, ...] = check([one for one in listed if not isinstance(one, bool)])
    return (*origins, EVERY) if True in [one for one in listed if isinstance(one, bool)] else origins


def _split_commas(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def _check_token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise ValueError("must be one name without spaces")
    return text


def _only_here(value: Any) -> Any:
    if value:
        raise ValueError("must be false: the manager itself answers preflight requests")
    return value


def _check_origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    if ANY_ORIGIN in origins and len(set(origins)) > 1:
        raise ValueError("'*' stands alone: it already allows every origin")
    return tuple(dict.fromkeys(origins))


_Origins = Annotated[
    tuple[Annotated[str, AfterValidator(_normal_origin)], ...],
    AfterValidator(_check_origins),
    WrapValidator(_read_origins),
    WithJsonSchema({"type": ["array", "string", "boolean"], "items": {"type": ["string", "boolean"]}}),
]
_Header = Annotated[str, AfterValidator(_check_token)]
_Method = Annotated[str, AfterValidator(_check_token), AfterValidator(str.upper)]
_Headers = Annotated[tuple[_Header, ...], BeforeValidator(_split_commas)]
_Methods = Annotated[tuple[_Method, ...], BeforeValidator(_split_commas)]


class CorsOptions(BaseModel):
    """The CORS response headers for requests from other origins."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    credentials: Flag = Field(
        default=False,
        description="If `true`, pages can send the session cookie. Cannot be combined with the origin `*`.",
    )
    origin: _Origins = Field(
        (),
        description="Origin of the pages that can call the server, or an array of origins. `true` allows all origins. "
        "`*` also allows all origins, but only for read requests without the session cookie.",
    )
    methods: _Methods = Field(
        ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"),
        description="HTTP methods that pages can use: an array, or text with commas between the methods.",
    )
    allowed_headers: _Headers | None = Field(
        None,
        alias="allowedHeaders",
        description="Request headers that pages can send. By default, all headers are allowed.",
    )
    exposed_headers: _Headers = Field(
        (),
        alias="exposedHeaders",
        description="Response headers that pages can read.",
    )
    max_age: Whole | None = Field(
        None,
        alias="maxAge",
        ge=0,
        description="Number of seconds for which browsers can cache the response to a preflight request.",
    )

    preflight_continue: Annotated[Flag, AfterValidator(_only_here)] = Field(
        default=False,
        alias="preflightContinue",
        description="Must be `false`: the manager answers all preflight requests. Accepted for compatibility.",
    )
    options_success_status: Whole = Field(
        204,
        alias="optionsSuccessStatus",
        ge=200,
        le=299,
        description="Status of the response to a preflight request. Some old browsers require 200.",
    )

    @property
    def is_public(self) -> bool:
        """Return whether every page may read, but none with the session cookie of its user."""
        return ANY_ORIGIN in self.origin

    @property
    def allows_every_origin(self) -> bool:
        """Return whether the pages of every origin may read and write."""
        return EVERY in self.origin

    def allows(self, origin: str) -> bool:
        """Return whether pages of this origin may read, as browsers write it."""
        return origin in self.origin or EVERY in self.origin or ANY_ORIGIN in self.origin

    @field_serializer("origin")
    def _show_origin(self, origin: tuple[str, ...]) -> bool | tuple[str, ...]:
        return True if EVERY in origin else origin

    @model_validator(mode="after")
    def _refuse_any_origin_with_credentials(self) -> Self:
        if self.credentials and ANY_ORIGIN in self.origin:
            raise ValueError("origin '*' cannot be used with credentials, because browsers refuse it; list the origins")
        return self
