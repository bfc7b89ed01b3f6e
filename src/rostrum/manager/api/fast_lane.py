"""The fast lane: polls that find nothing new, or what others got already, are answered from ready bytes.

Plain ASGI, between the gate and the framework. What it answers, the framework has answered before: to a caller who
gets the same, from the same state of the database. Anything out of the ordinary takes the long way.
"""

import asyncio
import hashlib
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rostrum.manager.api.answers import PACKED, held_tag
from rostrum.manager.api.cookies import SessionCookies
from rostrum.manager.api.hot_reads import HOT_READS, HotRead
from rostrum.manager.api.ready_answers import Body, Form, ReadyAnswers
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Caller, Credentials, Method
from rostrum.manager.config import ManagerConfig
from rostrum.manager.storage import Revisions

__all__ = ["FastLane"]

_LONGEST_QUESTION = 4096
_PACKED_IN_A_THREAD = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that may be answered from ready bytes."""

    read: HotRead
    scope: Any
    receive: Any
    headers: dict[bytes, bytes]
    question: bytes

    def text(self, name: bytes) -> str | None:
        """Read a header as text."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


class FastLane:
    """Wraps the framework's application."""

    def __init__(
        self,
        app: Any,
        revisions: Revisions,
        authenticator: Authenticator,
        cookies: SessionCookies,
        config: ManagerConfig,
    ) -> None:
        """Join the parts."""
        self._app = app
        self._revisions = revisions
        self._authenticator = authenticator
        self._cookies = cookies
        base = f"/{config.base}".rstrip("/")
        self._reads = {f"{base}{path}": read for path, read in HOT_READS.items()}
        # Answers to pages of other origins differ in their headers; pages that nobody allowed are no frequent guests.
        self._origins = frozenset(origin.encode() for origin in (config.cors.origin if config.cors else ()))
        self._ready = ReadyAnswers(config.ready_bytes)
        self._under_way: dict[Hashable, asyncio.Event] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or pass it on."""
        read = self._reads.get(scope["path"]) if scope["type"] == "http" else None
        if read is None or scope["method"] not in read.methods:
            await self._app(scope, receive, send)
            return
        # The framework notes the template of the address here, for the metrics; these have no names in them.
        scope["path_template"] = scope["path"]
        headers = dict(scope["headers"])
        if not self._is_ordinary(read, scope, headers):
            await self._app(scope, receive, send)
            return
        question = b""
        if read.may_ask:
            question, receive = await _question(read, scope, headers, receive)
        await self._answer(_Asked(read, scope, receive, headers, question), send)

    def _is_ordinary(self, read: HotRead, scope: Any, headers: dict[bytes, bytes]) -> bool:
        if len(headers) != len(scope["headers"]):
            # A header twice: the framework knows which one counts, or refuses it.
            return False
        if b"origin" in headers and headers[b"origin"] not in self._origins:
            return False
        if not read.may_ask and scope["query_string"]:
            return False
        length = headers.get(b"content-length", b"0")
        if b"transfer-encoding" in headers or not length.isdigit() or len(length) > 9:
            return False
        return int(length) <= (_LONGEST_QUESTION if read.may_ask else 0)

    async def _answer(self, asked: _Asked, send: Any) -> None:
        marks = self._revisions.now() or await self._revisions.current()
        if marks is None:
            await self._app(asked.scope, asked.receive, send)
            return
        mark = marks.of(*asked.read.topics)
        credentials = Credentials(
            authorization=asked.text(b"authorization"), cookie=self._cookies.read(asked.text(b"cookie"))
        )
        caller = self._authenticator.recall(credentials, marks)
        if caller is None or not self._may_ask(asked, caller):
            await self._long_way(asked, mark, send)
            return
        key = self._key(asked, caller)
        found = self._find(asked, key, mark)
        if found is None:
            first = self._under_way.get(key)
            if first is None:
                await self._first(asked, key, mark, send)
                return
            # After a change everyone comes at once: one takes the long way, the others get what it got.
            await first.wait()
            found = self._find(asked, key, mark)
        if found is None:
            await self._long_way(asked, mark, send)
            return
        tag, form = found
        cookie = self._cookies.fresh(
            caller, scheme=asked.scope["scheme"], host=asked.text(b"host") or "", origin=asked.text(b"origin")
        )
        cookies = [] if cookie is None else [(b"set-cookie", cookie.encode("latin-1"))]
        await self._send(asked, tag, form, cookies, send)

    def _find(self, asked: _Asked, key: Hashable, mark: int) -> tuple[bytes, Form] | None:
        """Find the form of an answer that this client needs."""
        ready = self._ready.find(key, mark)
        if ready is None:
            return None
        wanted = asked.headers.get(b"if-none-match")
        is_held = wanted is not None and (
            wanted == ready.tag or held_tag(wanted.decode("latin-1"), ready.tag.decode()) is not None
        )
        form = ready.forms.get(304 if is_held else 200)
        return None if form is None else (ready.tag, form)

    async def _first(self, asked: _Asked, key: Hashable, mark: int, send: Any) -> None:
        done = self._under_way[key] = asyncio.Event()
        try:
            await self._long_way(asked, mark, send)
        finally:
            del self._under_way[key]
            done.set()

    def _may_ask(self, asked: _Asked, caller: Caller) -> bool:
        if asked.scope["method"] == "GET" or caller.method is not Method.COOKIE:
            return True
        return self._cookies.may_write(
            asked.text(b"origin"), scheme=asked.scope["scheme"], host=asked.text(b"host") or ""
        )

    def _key(self, asked: _Asked, caller: Caller) -> Hashable:
        scope = asked.scope
        audience = asked.read.audience(caller, asked.question)
        question = hashlib.blake2b(asked.question, digest_size=16).digest() if asked.question else b""
        return scope["path"], scope["method"], question, asked.headers.get(b"origin"), audience

    async def _long_way(self, asked: _Asked, mark: int, send: Any) -> None:
        """Let the framework answer, and keep what it answers."""
        start: Any = None
        parts: list[bytes] = []

        async def catch(message: Any) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self._app(asked.scope, asked.receive, catch)
        plain = b"".join(parts)
        headers = start["headers"]
        tag = next((value for name, value in headers if name == b"etag"), None)
        if tag is None or start["status"] not in (200, 304):
            await send(start)
            await send({"type": "http.response.body", "body": plain})
            return
        kept = tuple(_described(name, value) for name, value in headers if name != b"set-cookie")
        form = Form(start["status"], kept, self._ready.body(tag, plain))
        caller = asked.scope.get("auth")
        if caller is not None:
            self._ready.keep(self._key(asked, caller), mark, tag, form)
        await self._send(asked, tag, form, [header for header in headers if header[0] == b"set-cookie"], send)

    async def _send(self, asked: _Asked, tag: bytes, form: Form, cookies: list[tuple[bytes, bytes]], send: Any) -> None:
        headers, content = [*form.headers, *cookies], form.body.plain
        if form.status == 304:
            wanted = asked.text(b"if-none-match") or ""
            held = (held_tag(wanted, tag.decode()) or "").encode()
            if held not in (b"", tag):
                headers = _replaced(headers, {b"etag": held})
        elif form.body.is_worth_packing and _takes_gzip(asked.headers.get(b"accept-encoding", b"")):
            content = await self._packed(form.body)
            headers = _replaced(
                headers,
                {
                    b"etag": tag[:-1] + PACKED.encode() + tag[-1:],
                    b"content-length": str(len(content)).encode(),
                },
            )
            headers.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": form.status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _packed(self, body: Body) -> bytes:
        if body.packed is None:
            is_long = len(body.plain) > _PACKED_IN_A_THREAD
            self._ready.packed(body, await asyncio.to_thread(body.pack) if is_long else body.pack())
        return body.packed or b""


async def _question(read: HotRead, scope: Any, headers: dict[bytes, bytes], receive: Any) -> tuple[bytes, Any]:
    """Put all that says what is wanted into one text; the body can be read again by whoever comes next."""
    body = b""
    if headers.get(b"content-length", b"0") != b"0":
        message = await receive()
        body = message.get("body", b"")
        while message.get("more_body"):
            message = await receive()
            body += message.get("body", b"")
        receive = _again(message, body, receive)
    parts = (scope["query_string"], body, *(headers.get(name, b"") for name in read.headers))
    if not any(parts):
        return b"", receive
    return b"".join(b"%d:%b" % (len(part), part) for part in parts), receive


def _again(message: Any, body: bytes, receive: Any) -> Any:
    is_whole = message["type"] == "http.request"
    messages = [{**message, "body": body} if is_whole else message]

    async def receive_again() -> Any:
        return messages.pop() if messages else await receive()

    return receive_again


def _described(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    # Whoever keeps the answer must know that others may get other bytes.
    return (name, value + b", Accept-Encoding") if name == b"vary" else (name, value)


def _replaced(headers: list[tuple[bytes, bytes]], values: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    return [(name, values.get(name, value)) for name, value in headers]


@lru_cache(256)
def _takes_gzip(header: bytes) -> bool:
    """Read Accept-Encoding: whether gzip is among what the client takes."""
    found: dict[bytes, bool] = {}
    for part in header.lower().split(b","):
        name, _, parameters = part.partition(b";")
        weight = parameters.replace(b" ", b"").removeprefix(b"q=")
        found[name.strip()] = weight.strip(b"0.") != b"" or not weight
    return found.get(b"gzip", found.get(b"x-gzip", found.get(b"*", False)))
