"""Refuses requests that pages of other sites can cause: writes of other origins, and bodies of forms.

A browser adds the cookies and passwords of its user to the requests of every page. The origin of a write therefore
determines whether it is accepted, regardless of its credentials. Programs other than browsers send no origin.
"""

from urllib.parse import urlsplit

from rostrum.manager.config import CorsOptions
from rostrum.manager.http.asgi import Scope

READS = frozenset({"GET", "HEAD", "OPTIONS"})

_OWN_SITES = frozenset({b"same-origin", b"none"})
_FORM_TYPES = frozenset({b"text/plain", b"application/x-www-form-urlencoded"})
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class SiteGuard:
    """Determines which origins can write: the server's own, and those in the CORS options."""

    def __init__(self, cors: CorsOptions | None) -> None:
        """Allow writes of the origins in the CORS options; ``*`` allows all pages to read, but none to write."""
        self._cors = cors if cors is not None and not cors.is_public else None

    def may_write(self, origin: str | None, *, scheme: str, host: str) -> bool:
        """Return whether pages of this origin may write."""
        if not origin:
            return False
        own = _without_default_port(f"{scheme}://{host}".lower())
        given = _without_default_port(origin.lower())
        return given == own or (self._cors is not None and self._cors.allows(given))

    def is_foreign_write(self, scope: Scope) -> bool:
        """Return whether a request is a write of a page of another origin."""
        if scope["method"] in READS:
            return False
        found = [(name, value) for name, value in scope["headers"] if name in (b"origin", b"host", b"sec-fetch-site")]
        origins = [value.decode("latin-1") for name, value in found if name == b"origin"]
        if origins:
            host = next((value.decode("latin-1") for name, value in found if name == b"host"), "")
            return not all(self.may_write(origin, scheme=scope["scheme"], host=host) for origin in origins)
        # Browsers that omit the origin still send the relation between the sites.
        return any(value not in _OWN_SITES for name, value in found if name == b"sec-fetch-site")


def is_form_body(method: str, headers: dict[bytes, bytes]) -> bool:
    """Return whether a write has a body of a type that forms of any page can send without asking the server first."""
    if method in READS or (b"transfer-encoding" not in headers and headers.get(b"content-length", b"0") == b"0"):
        return False
    return headers.get(b"content-type", b"").partition(b";")[0].strip().lower() in _FORM_TYPES


def _without_default_port(origin: str) -> str:
    try:
        return origin.removesuffix(_DEFAULT_PORTS.get(urlsplit(origin).scheme, "/"))
    except ValueError:
        return origin
