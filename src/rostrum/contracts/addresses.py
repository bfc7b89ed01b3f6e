"""Types of apps that are pages, and the addresses of pages that a desktop may open."""

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Annotated
from urllib.parse import quote, urlsplit

from pydantic import Field

from rostrum.base.addresses import loaded_address
from rostrum.contracts.names import FORMS

PAGE_TYPES = frozenset({"window", "workspaces", "webgroup"})
"""Types of app that are pages, in lower case; all others are, or may be, programs of the machine."""

# https, http, data (urlLoadOptions has a base for it), file, about:blank; or no scheme: a path, or a host with a port.
# Any other text before a colon is a scheme, such as javascript:, including the spaces and line breaks that browsers
# skip.
_PATTERN = (
    r"^([hH][tT][tT][pP][sS]?:|[dD][aA][tT][aA]:|[fF][iI][lL][eE]:|about:blank$|[^:/?#]*$|[^:/?#]*[/?#]"
    r"|(localhost|[0-9%][^:/?#\s]*):[0-9]+($|[/?#]))"
)
_GROUP_PATTERN = f"{_PATTERN}|^rostrum-page://group/$"
_OPENED = re.compile(_PATTERN)
_WORDS = "must be the address of a page: https, http or data"
FORMS[_PATTERN] = _WORDS
FORMS[_GROUP_PATTERN] = _WORDS
_PORTS = {"http": 80, "https": 443}
_NO_SCHEME = re.compile(r"[^:/?#]+(:[0-9]+)?($|[/?#])")
_PATH = "/%:@!$&'()*+,;=~"
_HOST = re.compile(r"[a-z0-9._-]+")

PageAddress = Annotated[str, Field(pattern=_PATTERN)]
"""Address of an app's page; a file only for apps of this machine's own stores."""
GroupPageAddress = Annotated[str, Field(pattern=_GROUP_PATTERN)]
"""Address of the page that draws window groups; the platform has its own."""


def opens_file(url: object) -> bool:
    return isinstance(url, str) and loaded_address(url).lower().startswith("file:")


def why_not_opened(url: object, *, files: bool) -> str | None:
    """Return why a desktop does not open an address, or None."""
    if not isinstance(url, str) or not url:
        return None
    if _OPENED.match(url) is None:
        return _WORDS
    if opens_file(url) and not files:
        return "must not be a file, except for apps of a local folder or of a store with trusted"
    return None


def origin_of(url: object) -> str | None:
    """Return the origin of a page as browsers write it; None for an address whose pages share no origin.

    A file has no origin. Its own address, without query and fragment, is used instead: no other file is the same page.
    Addresses that browsers could interpret differently have no origin, so that nothing is allowed by mistake.
    """
    if not isinstance(url, str) or not url.strip() or "\\" in url:
        return None
    address = url.strip()
    try:
        parts = urlsplit(f"http://{address}" if _NO_SCHEME.match(address) else address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme == "file":
        path = quote(parts.path, safe=_PATH)
        return f"file://{path}" if path and not host else None
    name = _host(host)
    if parts.scheme not in _PORTS or name is None:
        return None
    return f"{parts.scheme}://{name}" if port in (None, _PORTS[parts.scheme]) else f"{parts.scheme}://{name}:{port}"


def _host(host: str) -> str | None:
    if ":" in host:
        try:
            return f"[{IPv6Address(host).compressed}]"
        except AddressValueError:
            return None
    try:
        name = host.lower() if host.isascii() else host.encode("idna").decode()
        # Browsers and Python encode some letters, such as ß, differently.
        if not host.isascii() and name.encode().decode("idna") != host.lower():
            return None
    except UnicodeError:
        return None
    return name if _HOST.fullmatch(name) else None
