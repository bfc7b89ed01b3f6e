"""Origins of addresses."""

from PySide6.QtCore import QUrl

_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(url: QUrl) -> str:
    """Return scheme, host and port as browsers write them; an empty text for addresses without an origin.

    A file has no origin; its own address is used instead, as in ``rostrum.contracts.addresses``.
    """
    scheme = url.scheme().lower()
    if scheme == "file":
        return f"file://{url.path(QUrl.ComponentFormattingOption.FullyEncoded)}" if not url.host() else ""
    if scheme not in _DEFAULT_PORTS and not url.host():
        return ""
    port = url.port(-1)
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded).lower()
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}" + ("" if port in (-1, _DEFAULT_PORTS.get(scheme)) else f":{port}")


def written(url: QUrl) -> str:
    """Return an address as it is requested, for comparisons with rules."""
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def is_allowed(url: QUrl, origins: tuple[str, ...]) -> bool:
    """Return whether an address is on one of these origins."""
    origin = origin_of(url)
    return bool(origin) and origin in origins
