"""The origin of an address: scheme, host and port, in one spelling."""

from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


def url_origin(url: object) -> str | None:
    """Return the origin of a web address; None for anything that programs may read in different ways.

    Browsers drop line breaks and tabs and take a backslash for a slash, so addresses with such characters have none.
    """
    if not isinstance(url, str) or not url.isprintable() or "\\" in url or " " in url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not host or not host.isascii():
        return None
    shown = f"[{host}]" if ":" in host else host.rstrip(".")
    return f"{scheme}://{shown}" if port in (None, _PORTS[scheme]) else f"{scheme}://{shown}:{port}"
