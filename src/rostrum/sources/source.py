"""A source of configuration, and the result of fetching it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit, urlunsplit

from rostrum.base.json5_text import TextPosition, locate

_NO_ADDRESS = "(an address that cannot be read)"
_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s@]*@")

Severity = Literal["error", "warning", "note"]

SYSTEM_FILE = "system.json"

STANDARD_FILES = (
    SYSTEM_FILE,
    "channels.json",
    "env.json",
    "gilding.json",
    "logger.json",
    "stickywindows.json",
    "themes.json",
)
"""The files that the specification names; all others are custom files, which only remote sources may provide."""

ARRAY_FILES = frozenset({"channels.json", "themes.json"})
"""The standard files that may contain an array instead of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIdentity:
    """The identity for a request to a remote source."""

    user: str | None = None
    group: str | None = "*"
    version: str | None = None

    def body(self) -> dict[str, str]:
        """Return the body of a request: only the members that are set."""
        parts = {"user": self.user, "group": self.group, "version": self.version}
        return {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source of configuration.

    Attributes:
        source: A folder, a file or an address, with environment variables replaced.
        configs: Comma-separated names of the files to apply, or ``*``; all are fetched.
        rest_backoff_factor: Milliseconds.
        rest_timeout: Seconds, for one complete request.
        base_file: The file of a local folder that serves as ``system.json``.
        base: Whether it is read before all others and declares them.
    """

    type: Literal["path", "rest"]
    source: str
    configs: str = "*"
    priority: float = 1000
    required: bool = False
    impersonation: RequestIdentity = RequestIdentity()
    rest_backoff_factor: float = 1000
    rest_retries: int = 3
    rest_timeout: float = 30
    rest_use_cache: bool = True
    base_file: str = SYSTEM_FILE
    base: bool = False

    @property
    def name(self) -> str:
        """Return the folder or address without credentials and query, for display."""
        return _shown(self.source) if self.type == "rest" else self.source

    def applies(self, file: str) -> bool:
        """Return whether a fetched file applies."""
        names = [name.strip() for name in self.configs.split(",")]
        return "*" in names or file in names


DEFAULT_SOURCE = Source(type="path", source="./config", configs="*", priority=1, required=True, base=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """One file of a source.

    Attributes:
        name: Its effective name.
        text: Its text, to find lines; None for a file in a response.
        path: Its path, for a local file.
    """

    name: str
    document: Any
    text: str | None = field(default=None, repr=False)
    path: Path | None = None

    def place(self, path: tuple[str | int, ...]) -> TextPosition | None:
        """Return the line and column of a member."""
        return None if self.text is None else locate(self.text, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One finding about a source, with its location if known."""

    source: str
    message: str
    severity: Severity = "warning"
    file: str = ""
    path: str = ""
    place: TextPosition | None = None

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.source, self.file, self.path) if part)
        line = f" (line {self.place.line}, column {self.place.column})" if self.place else ""
        return f"{where}{line}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The result of one source.

    Attributes:
        error: The reason of a failure, also if the cache is used instead.
        age: Age of a cached response in seconds.
        unchanged: Whether the source reported that nothing changed since the last request of this run.
        refused: Whether the source denied this user access.
    """

    files: Mapping[str, FetchedFile] = field(default_factory=dict)
    status: Literal["ok", "cached", "failed"] = "ok"
    error: str | None = None
    age: float | None = None
    unchanged: bool = False
    refused: bool = False
    remarks: tuple[Remark, ...] = ()

    @property
    def cached(self) -> bool:
        """Return whether the files are from the cache."""
        return self.status == "cached"

    def with_remark(self, remark: Remark) -> "Fetched":
        return replace(self, remarks=(*self.remarks, remark))


class Reader(Protocol):
    """Fetches a source; a failure is returned, not raised."""

    async def __call__(self, source: Source) -> Fetched: ...


def masked(value: Any) -> Any:
    """Return a value for display, without the credentials in addresses."""
    if isinstance(value, str):
        return _CREDENTIALS.sub("…@", value)
    if isinstance(value, dict):
        return {key: masked(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [masked(inner) for inner in value]
    return value


def _shown(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return _NO_ADDRESS
    if not parts.netloc:
        return _NO_ADDRESS
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "…" if parts.query else "", ""))
