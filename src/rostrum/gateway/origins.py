"""Which web pages may connect."""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

__all__ = ["is_allowed", "is_loopback"]


def is_allowed(origin: str, allowed: Iterable[str]) -> bool:
    """Say whether a page may connect: those of this machine may, and those that were named."""
    allowed = tuple(allowed)
    if "*" in allowed or origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and is_loopback(host)


def is_loopback(host: str) -> bool:
    """Say whether a host name means this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
