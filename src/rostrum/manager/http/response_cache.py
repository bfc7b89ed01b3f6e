"""The response cache: the second of three wrappers around a handler, between the edge and the framework.

It answers polls with stored responses of the framework, if the caller receives the same response and the content has
not changed since. Unusual requests are passed to the framework. Plain ASGI, because it runs for every request.
"""

import asyncio
import hashlib
from collections.abc import Hashable, Mapping
from typing import Any, Protocol

from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.auth.credential_cache import CachedCaller
from rostrum.manager.config import ManagerConfig
from rostrum.manager.content_versions import ContentVersions, Revisions
from rostrum.manager.http.asgi import Application, Message, Receive, Scope, Send
from rostrum.manager.http.cache_key import Asked, has_body, with_body, without_body
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.http.cached_responses import CachedResponse, CachedResponses, Form, Headers, takes_gzip
from rostrum.manager.http.cookies import SessionCookies
from rostrum.manager.http.page_requests import MARK, own_credentials
from rostrum.manager.http.platform_token import TOKEN, as_bearer, holds_token
from rostrum.manager.http.repeated_polls import RepeatedPoll, RepeatedPolls
from rostrum.manager.http.responses import held_tag

_PACKED_IN_A_THREAD = 64 * 1024
_MARK = MARK.encode()
_MOST_POLLS = 20_000
"""The maximum number of repeated polls that are recognized; others are answered a little more slowly."""


class Contacts(Protocol):
    """Records polls as contacts of client sessions."""

    def is_due(self, session_id: str) -> bool:
        """Return whether the next contact of a session has to be recorded."""
        ...


class ResponseCache:
    """Wraps the framework's application."""

    def __init__(
        self,
        app: Application,
        revisions: Revisions,
        authenticator: Authenticator,
        cookies: SessionCookies,
        config: ManagerConfig,
        *,
        reads: Mapping[str, CacheableRoute],
        contacts: Contacts,
    ) -> None:
        self._contacts = contacts
        self._app = app
        self._revisions = revisions
        self._authenticator = authenticator
        self._cookies = cookies
        base = f"/{config.base}".rstrip("/")
        self._reads = {f"{base}{path}": read for path, read in reads.items()}
        self._cors = config.cors
        self._ready = CachedResponses(config.ready_bytes)
        self._polls = RepeatedPolls(most=_MOST_POLLS)
        self._under_way: dict[Hashable, asyncio.Event] = {}

    def quick(self, scope: Scope, headers: dict[bytes, bytes]) -> CachedResponse | None:
        """Return the response to a request, if it is available without waiting and the request is not unusual."""
        read = self._reads.get(scope["path"])
        marks = self._revisions.now() if read is not None else None
        if read is None or marks is None:
            return None
        key = self._polls.key(scope)
        answer = self._repeated(key, marks)
        if answer is not None:
            return answer
        if not _is_plain(scope, headers) or not self._is_usual(read, scope, headers):
            return None
        return self._from_cache(without_body(read, scope, headers), key, marks)

    def _from_cache(self, asked: Asked, key: bytes, marks: ContentVersions) -> CachedResponse | None:
        """Return a cached response, and recognize the same poll from then on."""
        known = self._caller(asked, marks)
        if known is None:
            return None
        response_key, mark = self._key(asked, known.caller), marks.of(asked.read.topics)
        form = self._find(asked, response_key, mark)
        if form is None:
            return None
        is_packed = _wants_packed(asked, form)
        if is_packed and form.body.packed is None:
            return None
        cookies = self._fresh_cookie(asked, known.caller)
        if not cookies and not asked.read.is_platform:
            # Cookies depend on the time, and browser platforms can have two sign-ins.
            poll = RepeatedPoll(marks, known, response_key, mark, form.status, _held(asked, form), is_packed=is_packed)
            self._polls.remember(key, poll)
        return _answer(asked, form, cookies, is_packed=is_packed)

    def _repeated(self, key: bytes, marks: ContentVersions) -> CachedResponse | None:
        """Return the response to a poll that is identical to an earlier one."""
        poll = self._polls.find(key, marks)
        if poll is None or not self._authenticator.is_valid(poll.known):
            return None
        ready = self._ready.find(poll.response_key, poll.mark)
        form = None if ready is None else ready.forms.get(poll.status)
        if form is None or (poll.is_packed and form.body.packed is None):
            return None
        return form.packed(()) if poll.is_packed else form.plain((), poll.held)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request from the cache, or pass it on."""
        read = self._reads.get(scope["path"]) if scope["type"] == "http" else None
        headers = {}
        if read is not None:
            headers = dict(scope["headers"])
            # The framework stores the template of the path here for the metrics; these paths contain no names.
            scope["path_template"] = scope["path"]
        asked = None
        if read is not None and self._is_usual(read, scope, headers):
            if has_body(headers):
                asked, receive = await with_body(read, scope, headers, receive)
            else:
                asked = without_body(read, scope, headers)
        marks = await self._revisions.current() if asked is not None else None
        if asked is None or marks is None:
            await self._app(scope, receive, send)
        else:
            await self._respond(asked, marks, receive, send)

    def _is_usual(self, read: CacheableRoute, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        if scope["method"] not in read.methods or (scope["query_string"] and not read.may_ask):
            return False
        if len(headers) != len(scope["headers"]):
            # For a repeated header, the framework selects one or refuses the request.
            return False
        # Pages of other origins are rare: the framework answers them.
        origin = headers.get(b"origin")
        return origin is None or (self._cors is not None and self._cors.allows(origin.decode("latin-1")))

    def _caller(self, asked: Asked, marks: ContentVersions) -> CachedCaller | None:
        """Return the caller, if it is cached and permitted to send this request."""
        cookie = self._cookies.read(asked.text(b"cookie"), asked.scope["scheme"])
        authorization = asked.text(b"authorization")
        if authorization is not None and _MARK in asked.headers:
            authorization = own_credentials(authorization, asked.text(_MARK))
        token = asked.text(TOKEN)
        if token and asked.read.is_platform:
            return self._platform_caller(authorization, token, marks)
        known = self._authenticator.recall(as_bearer(authorization, token), cookie, marks)
        if known is None or known.caller.method is not Method.COOKIE or asked.scope["method"] != "POST":
            return known
        host, origin = asked.text(b"host") or "", asked.text(b"origin")
        return known if self._cookies.may_write(origin, scheme=asked.scope["scheme"], host=host) else None

    def _platform_caller(self, authorization: str | None, token: str, marks: ContentVersions) -> CachedCaller | None:
        """Return the holder of a browser platform's token; other credentials must be known, and of the same user."""
        known = None if authorization is None else self._authenticator.recall(authorization, None, marks)
        holder = self._authenticator.recall(as_bearer(None, token), None, marks)
        if holder is None or (authorization is not None and known is None):
            return None
        return holder if holds_token(holder.caller, known.caller if known else None) else None

    def _is_contact_due(self, asked: Asked, caller: Caller) -> bool:
        session = caller.claims.session if caller.claims is not None else None
        return asked.read.is_contact and session is not None and self._contacts.is_due(session)

    def _key(self, asked: Asked, caller: Caller) -> Hashable:
        scope = asked.scope
        audience = asked.read.audience(caller, asked.question, asked.headers)
        question = hashlib.blake2b(asked.question, digest_size=16).digest() if asked.question else b""
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        return scope["path"], method, question, audience

    def _find(self, asked: Asked, key: Hashable, mark: int) -> Form | None:
        """Find the form of a response that this client needs."""
        ready = self._ready.find(key, mark)
        if ready is None:
            return None
        wanted = asked.headers.get(b"if-none-match")
        if wanted is None:
            return ready.forms.get(200)
        is_held = wanted == ready.tag or held_tag(wanted.decode("latin-1"), ready.tag.decode()) is not None
        return ready.forms.get(304 if is_held else 200)

    async def _respond(self, asked: Asked, marks: ContentVersions, receive: Receive, send: Send) -> None:
        mark = marks.of(asked.read.topics)
        known = self._caller(asked, marks)
        if known is None or self._is_contact_due(asked, known.caller):
            await self._long_way(asked, mark, receive, send)
            return
        caller = known.caller
        key = self._key(asked, caller)
        form = self._find(asked, key, mark)
        if form is None:
            first = self._under_way.get(key)
            if first is None:
                await self._first(asked, key, mark, receive, send)
                return
            # After a change, many requests arrive at once: one is passed on, and the others share its response.
            await first.wait()
            form = self._find(asked, key, mark)
        if form is None:
            await self._long_way(asked, mark, receive, send)
        else:
            await self._send(asked, form, self._fresh_cookie(asked, caller), send)

    async def _first(self, asked: Asked, key: Hashable, mark: int, receive: Receive, send: Send) -> None:
        done = self._under_way[key] = asyncio.Event()
        try:
            await self._long_way(asked, mark, receive, send)
        finally:
            del self._under_way[key]
            done.set()

    async def _long_way(self, asked: Asked, mark: int, receive: Receive, send: Send) -> None:
        """Pass the request to the framework, and store its response."""
        start: Any = None
        parts: list[bytes] = []

        async def catch(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self._app(asked.scope, receive, catch)
        plain, headers = b"".join(parts), start["headers"]
        tag = next((value for name, value in headers if name == b"etag"), None)
        if tag is None or start["status"] not in (200, 304):
            await send(start)
            await send({"type": "http.response.body", "body": plain})
            return
        kept = [header for header in headers if header[0] != b"set-cookie"]
        form = Form.of(start["status"], tag, kept, self._ready.body(tag, plain))
        caller = asked.scope.get("auth")
        if caller is not None:
            self._ready.save(self._key(asked, caller), mark, form)
        await self._send(asked, form, tuple(header for header in headers if header[0] == b"set-cookie"), send)

    async def _send(self, asked: Asked, form: Form, cookies: Headers, send: Send) -> None:
        body = form.body
        is_packed = _wants_packed(asked, form)
        if is_packed and body.packed is None:
            is_long = len(body.plain) > _PACKED_IN_A_THREAD
            self._ready.packed(body, await asyncio.to_thread(body.pack) if is_long else body.pack())
        answer = _answer(asked, form, cookies, is_packed=is_packed)
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    def _fresh_cookie(self, asked: Asked, caller: Caller) -> Headers:
        if caller.method is not Method.PASSWORD:
            return ()
        host, origin = asked.text(b"host") or "", asked.text(b"origin")
        cookie = self._cookies.fresh(caller, scheme=asked.scope["scheme"], host=host, origin=origin)
        return () if cookie is None else ((b"set-cookie", cookie.encode("latin-1")),)


def _is_plain(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Return whether a request has no body, and nothing that must be decoded first."""
    return b"%" not in scope.get("raw_path", b"%") and b"content-encoding" not in headers and not has_body(headers)


def _wants_packed(asked: Asked, form: Form) -> bool:
    return form.body.is_worth_packing and takes_gzip(asked.headers.get(b"accept-encoding", b""))


def _answer(asked: Asked, form: Form, cookies: Headers, *, is_packed: bool) -> CachedResponse:
    return form.packed(cookies) if is_packed else form.plain(cookies, _held(asked, form))


def _held(asked: Asked, form: Form) -> bytes:
    """Return the tag that a client has for the same content, if it is a different one."""
    held = asked.headers.get(b"if-none-match", form.tag)
    if form.status != 304 or held == form.tag:
        return b""
    return (held_tag(held.decode("latin-1"), form.tag.decode()) or "").encode()
