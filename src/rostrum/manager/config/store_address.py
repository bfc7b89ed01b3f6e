"""The address of the database: validation, and display without password."""

import re
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from rostrum.manager.config.option import MASK

_ALLOWED = "write sqlite:///path/to/file.db or postgresql://user:password@host:5432/database"
_POSTGRESQL = "postgresql://"
_SQLITE = "sqlite:///"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}")
_QUERY_PASSWORD = re.compile(r"([?&][^=&]*pass[^=&]*=)[^&]*", re.IGNORECASE)


def check_store_address(address: str) -> str:
    """Return the normalized address, or raise an error with the valid formats."""
    scheme, mark, rest = address.partition("://")
    if not mark or not _SCHEME.fullmatch(scheme) or not address.isprintable():
        raise ValueError(f"is not the address of a database: {_ALLOWED}")
    match scheme.lower():
        case "sqlite":
            return _sqlite(rest)
        case "postgresql" | "postgres":
            return _postgresql(rest)
    raise ValueError(f"{scheme!r} is not supported: {_ALLOWED}")


def is_postgresql(address: str) -> bool:
    """Return whether a checked address leads to PostgreSQL."""
    return address.startswith(_POSTGRESQL)


def hide_store_password(address: str) -> str:
    """Show a checked address without the password in it."""
    if not is_postgresql(address):
        return address
    netloc = urlsplit(address).netloc
    rest = address.removeprefix(_POSTGRESQL).removeprefix(netloc)
    login, at, host = netloc.rpartition("@")
    user, colon, _ = login.partition(":")
    shown = f"{user}:{MASK}{at}{host}" if colon else netloc
    return _POSTGRESQL + shown + _QUERY_PASSWORD.sub(rf"\g<1>{MASK}", rest)


def sqlite_file(address: str) -> Path | None:
    """Return the database file that a checked address names; None for other databases."""
    return Path(address.removeprefix(_SQLITE)) if address.startswith(_SQLITE) else None


def with_folder(address: str, folder: Path) -> str:
    """Resolve the relative path in a checked SQLite address against a folder; return other addresses unchanged."""
    file = sqlite_file(address)
    return address if file is None else _SQLITE + (folder / file).as_posix()


def _sqlite(rest: str) -> str:
    if not rest.startswith("/") or rest == "/":
        raise ValueError(
            "a SQLite address has three slashes and a path: sqlite:///rostrum.db, "
            "or sqlite:////var/lib/rostrum.db from the root"
        )
    if ":memory:" in rest:
        raise ValueError("a database in memory would be empty after each start; name a file")
    return f"sqlite://{rest}"


def _postgresql(rest: str) -> str:
    parts = _split(_POSTGRESQL + rest)
    # An unescaped character cuts the password in two, and the second half would be shown.
    if not rest or parts is None or "#" in rest or "@" in parts.path + parts.query:
        raise ValueError(
            "is not a PostgreSQL address: write "
            "postgresql://user:password@host:5432/database, with @ : / ? # of the "
            "user and the password percent-encoded (@ is %40)"
        )
    return _POSTGRESQL + rest


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts
