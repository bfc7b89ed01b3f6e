"""The web pages that may connect."""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit


def is_allowed(origin: str, allowed: Iterable[str]) -> bool:
    """Return whether a page may connect: pages of this machine, and of listed origins."""
    allowed = tuple(allowed)
    if "*" in allowed or origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and is_loopback(host)


def may_sign_in(origin: str, host: str, named: Iterable[str]) -> bool:
    """Return whether a page may sign in with the session of its browser: pages of this host, and of listed origins.

    Browsers add cookies regardless of the page. Pages of this machine are not trusted: any app may serve them.
    """
    if origin in named:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == host.lower()


def is_loopback(host: str) -> bool:
    """Return whether a host name refers to this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
