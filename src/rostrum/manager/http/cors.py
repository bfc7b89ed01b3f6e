"""CORS: answers preflights, and sends headers that allow pages of other origins to read a response.

The framework's own middleware replaces ``Vary``, so a cache could hand the answer for one user to another.
"""

from collections.abc import Iterable
from typing import Any

from rostrum.manager.config import CorsOptions
from rostrum.manager.http.errors import error_body
from rostrum.manager.http.page_requests import MARK

_EXPOSED = ("ETag", "Location", "Retry-After", "X-Request-Id")
_SAFE_HEADERS = frozenset({"accept", "accept-language", "content-language", "content-type"})
_DEFAULT_MAX_AGE = 600

Header = tuple[bytes, bytes]


class Cors:
    """Wraps the web application."""

    def __init__(self, app: Any, options: CorsOptions) -> None:
        self._app = app
        self._options = options
        allowed = options.allowed_headers
        self._allowed_headers = None if allowed is None else {*map(str.lower, allowed), *_SAFE_HEADERS, MARK}
        self._credentials = ((b"access-control-allow-credentials", b"true"),) if options.credentials else ()
        exposed = ", ".join(sorted(options.exposed_headers or _EXPOSED)).encode()
        self._readable = (*self._credentials, (b"access-control-expose-headers", exposed))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a preflight, or pass a request on and add to its response."""
        headers = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin = headers.get(b"origin")
        if origin is None:
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await self._answer_preflight(origin, headers, send)
        else:
            await self._app(scope, receive, self._with_headers(origin, send))

    def _with_headers(self, origin: bytes, send: Any) -> Any:
        allowed = self._allowed_origin(origin)

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start" and allowed is not None and not _is_for_all(message):
                more = ((b"access-control-allow-origin", allowed), *self._readable)
                message["headers"] = [*_varying_by_origin(message.get("headers", ())), *more]
            await send(message)

        return send_with_headers

    def _allowed_origin(self, origin: bytes) -> bytes | None:
        if self._options.is_public:
            return b"*"
        return origin if self._options.allows(origin.decode("latin-1")) else None

    async def _answer_preflight(self, origin: bytes, headers: dict[bytes, bytes], send: Any) -> None:
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
            head: list[Header] = [(b"content-type", b"application/json"), (b"vary", b"Origin")]
            await _respond(send, 400, head, body)
            return
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
        await _respond(send, options.options_success_status, head, b"")


def _names(header: bytes) -> set[str]:
    return {name.strip().lower() for name in header.decode("latin-1").split(",") if name.strip()}


def _is_for_all(message: Any) -> bool:
    """Say whether a handler lets pages of all origins read its response."""
    return (b"access-control-allow-origin", b"*") in message.get("headers", ())


def _varying_by_origin(headers: Iterable[Header]) -> list[Header]:
    """Add ``Origin`` to what a response varies by already."""
    others = [(name, value) for name, value in headers if name.lower() != b"vary"]
    varies = [value for name, value in headers if name.lower() == b"vary"]
    if not any(b"origin" in value.lower() for value in varies):
        varies.append(b"Origin")
    return [*others, (b"vary", b", ".join(varies))]


async def _respond(send: Any, status: int, headers: list[Header], body: bytes) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
