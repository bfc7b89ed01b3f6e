"""The key of cached responses: equal for requests with equal responses."""

from msgspec import Struct

from rostrum.manager.http.asgi import Message, Receive, Scope
from rostrum.manager.http.cacheable_routes import CacheableRoute

_LONGEST = 4096
_MANY_DIGITS = 9


class Asked(Struct):
    """A request that can be answered from the cache. It is never changed, and not frozen because that costs time.

    Attributes:
        question: Everything that selects the response, apart from the address and the credentials.

    """

    read: CacheableRoute
    scope: Scope
    headers: dict[bytes, bytes]
    question: bytes

    def text(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


def has_body(headers: dict[bytes, bytes]) -> bool:
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def without_body(read: CacheableRoute, scope: Scope, headers: dict[bytes, bytes]) -> Asked:
    """Return a request that is complete in its headers."""
    if not read.may_ask:
        return Asked(read, scope, headers, b"")
    return Asked(read, scope, headers, _joined(read, scope, headers, b""))


async def with_body(
    read: CacheableRoute, scope: Scope, headers: dict[bytes, bytes], receive: Receive
) -> tuple[Asked | None, Receive]:
    """Return a request with its body, which the next wrapper can receive again; ``None`` if the body is long."""
    length = headers.get(b"content-length", b"")
    if not read.may_ask or not length.isdigit() or len(length) > _MANY_DIGITS or int(length) > _LONGEST:
        return None, receive
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None, _first(message, receive)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    again = _first({"type": "http.request", "body": body, "more_body": False}, receive)
    return Asked(read, scope, headers, _joined(read, scope, headers, body)), again


def _joined(read: CacheableRoute, scope: Scope, headers: dict[bytes, bytes], body: bytes) -> bytes:
    # With their names, so that a search for a word such as "user" finds requests on behalf of a user.
    given = [b"%b=%b" % (name, headers[name]) for name in read.headers if name in headers]
    parts = (scope["query_string"], body, *given)
    return b"".join([b"%d:%b" % (len(part), part) for part in parts]) if any(parts) else b""


def _first(message: Message, receive: Receive) -> Receive:
    waiting = [message]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again
