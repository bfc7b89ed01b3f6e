"""Determines whether the connection to the database can be unencrypted."""

from collections.abc import Mapping
from urllib.parse import parse_qs, unquote, urlsplit

from rostrum.manager.config.store_address import is_postgresql
from rostrum.manager.config.values import is_loopback

_ENCRYPTED = frozenset({"require", "verify-ca", "verify-full"})
"""Values of sslmode with which the driver never falls back to plain text."""


def is_sent_in_plain_text(address: str, environment: Mapping[str, str]) -> bool:
    """Return whether a checked address leads to another machine, and the driver may connect without TLS."""
    if not is_postgresql(address):
        return False
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    modes = query.get("sslmode", []) + query.get("ssl", []) or [environment.get("PGSSLMODE", "")]
    # The driver accepts several hosts, and those of the query replace that of the address.
    netloc = parts.netloc.rpartition("@")[2]
    listed = query.get("host") or [netloc or environment.get("PGHOST", "")]
    hosts = [unquote(host) for text in listed for host in text.split(",")]
    return not _ENCRYPTED.issuperset(modes) and not all(map(_is_here, hosts))


def _is_here(host: str) -> bool:
    # A path is that of a socket.
    if not host or host.startswith(("/", "@")):
        return True
    inner, bracket, _ = host.removeprefix("[").partition("]")
    return is_loopback(inner if bracket else host.partition(":")[0] if host.count(":") == 1 else host)
