"""Source: where configuration comes from, and what was fetched from there."""

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
"""The files the spec names; any other is a custom file, which only remote sources may bring."""

ARRAY_FILES = frozenset({"channels.json", "themes.json"})
"""The standard files that may hold a list rather than an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIdentity:
    """On whose behalf a remote source is asked."""

    user: str | None = None
    group: str | None = "*"
    version: str | None = None

    def body(self) -> dict[str, str]:
        """Return what a request carries: only what is set."""
        parts = {"user": self.user, "group": self.group, "version": self.version}
        return {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place configuration comes from.

    Attributes:
        source: A folder, a file or an address, environment variables already filled in.
        configs: Comma-separated names of the files to apply, or ``*``; all are fetched.
        rest_backoff_factor: Milliseconds.
        rest_timeout: Seconds, for one complete request.
        base_file: The file of a local folder that serves as ``system.json``.
        base: It is read before all others and decides which they are.

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
        """Return the folder or address as it may be shown: without credentials and queries."""
        return _shown(self.source) if self.type == "rest" else self.source

    def applies(self, file: str) -> bool:
        """Return whether a fetched file is to be applied."""
        names = [name.strip() for name in self.configs.split(",")]
        return "*" in names or file in names


DEFAULT_SOURCE = Source(type="path", source="./config", configs="*", priority=1, required=True, base=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """One file of a source.

    Attributes:
        name: The name it counts as.
        text: What it was read from, to find lines in; None for a file inside an answer.
        path: The file on this machine's disk, if it is one.

    """

    name: str
    document: Any
    text: str | None = field(default=None, repr=False)
    path: Path | None = None

    def place(self, path: tuple[str | int, ...]) -> TextPosition | None:
        """Find the line and column of a member."""
        return None if self.text is None else locate(self.text, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One finding about a source, with its location as far as known."""

    source: str
    message: str
    severity: Severity = "warning"
    file: str = ""
    path: str = ""
    place: TextPosition | None = None

    def __str__(self) -> str:
        """Read well in a log line."""
        where = ": ".join(part for part in (self.source, self.file, self.path) if part)
        line = f" (line {self.place.line}, column {self.place.column})" if self.place else ""
        return f"{where}{line}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What became of one source.

    Attributes:
        error: Why it failed, also when the cache could step in.
        age: Seconds since a cached answer was saved.
        unchanged: The source said that nothing has changed since it was asked last in this run.
        refused: The source said that this user may not have the files.

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
        """Return whether the files come from the cache."""
        return self.status == "cached"

    def with_remark(self, remark: Remark) -> "Fetched":
        return replace(self, remarks=(*self.remarks, remark))


class Reader(Protocol):
    """Fetches a source; a failure is an answer, not an exception."""

    async def __call__(self, source: Source) -> Fetched: ...


def masked(value: Any) -> Any:
    """Return a value that may be shown: without the credentials of addresses."""
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
