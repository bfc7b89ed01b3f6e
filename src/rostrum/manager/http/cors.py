"""CORS: answers preflights, and adds headers that allow pages of other origins to read a response.

The edge uses it, so that pages can also read the errors that the edge itself sends. The framework's own middleware
replaces ``Vary``; a cache could then return the response for one user to another.
"""

from collections.abc import Sequence

from rostrum.manager.changes.reasons import HEADERS
from rostrum.manager.config import CorsOptions
from rostrum.manager.http.asgi import Header
from rostrum.manager.http.cached_responses import CachedResponse
from rostrum.manager.http.errors import error_body
from rostrum.manager.http.page_requests import CONFIRMATION, MARK

_EXPOSED = ("ETag", "Location", "Retry-After", "X-Request-Id")
_SAFE_HEADERS = frozenset({"accept", "accept-language", "content-language", "content-type"})
_REASON = frozenset(name.decode() for name in HEADERS)
_DEFAULT_MAX_AGE = 600


class Cors:
    """The headers of the setting ``cors``."""

    def __init__(self, options: CorsOptions) -> None:
        self._options = options
        allowed = options.allowed_headers
        self._allowed_headers = (
            None if allowed is None else {*map(str.lower, allowed), *_SAFE_HEADERS, MARK, CONFIRMATION, *_REASON}
        )
        self._credentials = ((b"access-control-allow-credentials", b"true"),) if options.credentials else ()
        exposed = ", ".join(sorted(options.exposed_headers or _EXPOSED)).encode()
        self._readable = (*self._credentials, (b"access-control-expose-headers", exposed))

    def readable(self, headers: Sequence[Header], origin: bytes) -> Sequence[Header]:
        """Add the headers that allow pages of an origin to read a response, if the origin is allowed."""
        allowed = self._allowed_origin(origin)
        # A handler can allow pages of all origins to read its response.
        if allowed is None or (b"access-control-allow-origin", b"*") in headers:
            return headers
        return [*_varying_by_origin(headers), (b"access-control-allow-origin", allowed), *self._readable]

    def _allowed_origin(self, origin: bytes) -> bytes | None:
        if self._options.is_public:
            return b"*"
        return origin if self._options.allows(origin.decode("latin-1")) else None

    def preflight(self, origin: bytes, headers: dict[bytes, bytes]) -> CachedResponse:
        """Answer a preflight request."""
        options = self._options
        allowed = self._allowed_origin(origin)
        method = headers.get(b"access-control-request-method", b"").decode("latin-1")
        asked = _names(headers.get(b"access-control-request-headers", b""))
        refused = [
            *([] if allowed is not None else ["origin"]),
            *([] if not method or method in options.methods else ["method"]),
            *([] if self._allowed_headers is None or asked <= self._allowed_headers else ["headers"]),
        ]
        if allowed is None or refused:
            body = error_body(400, f"the setting cors does not allow this {' and these '.join(refused)}")
            return CachedResponse(400, [(b"content-type", b"application/json"), (b"vary", b"Origin")], body)
        max_age = _DEFAULT_MAX_AGE if options.max_age is None else options.max_age
        names = {*_SAFE_HEADERS, *(asked if self._allowed_headers is None else self._allowed_headers)}
        head = [
            (b"access-control-allow-origin", allowed),
            *self._credentials,
            (b"access-control-allow-methods", ", ".join(options.methods).encode()),
            (b"access-control-allow-headers", ", ".join(sorted(names)).encode("latin-1")),
            (b"access-control-max-age", str(max_age).encode()),
            (b"vary", b"Origin, Access-Control-Request-Headers"),
        ]
        return CachedResponse(options.options_success_status, head, b"")


def _names(header: bytes) -> set[str]:
    return {name.strip().lower() for name in header.decode("latin-1").split(",") if name.strip()}


def _varying_by_origin(headers: Sequence[Header]) -> list[Header]:
    """Add ``Origin`` to what a response varies by already."""
    others = [(name, value) for name, value in headers if name.lower() != b"vary"]
    varies = [value for name, value in headers if name.lower() == b"vary"]
    if not any(b"origin" in value.lower() for value in varies):
        varies.append(b"Origin")
    return [*others, (b"vary", b", ".join(varies))]
