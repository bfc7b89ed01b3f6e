"""The edge: the first of three wrappers around a handler, in front of the response cache and the framework.

It does what every request needs, from any sender: request IDs, addresses behind proxies, requests of other sites,
CORS, limits, compressed bodies, metrics and the access log. Plain ASGI, because it runs for every request.
"""

import asyncio
import ipaddress
import itertools
import logging
import re
import time
import zlib
from collections.abc import Callable, Sequence
from urllib.parse import unquote_to_bytes

from rostrum.base.addresses import HEADER as FORWARDED_HEADER
from rostrum.base.addresses import parse_address, verify_address
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.ids import new_id
from rostrum.base.log import request_id as current_request
from rostrum.manager.config import CorsOptions
from rostrum.manager.http.asgi import Application, Header, Message, Receive, Scope, Send
from rostrum.manager.http.cached_responses import CachedResponse
from rostrum.manager.http.cors import Cors
from rostrum.manager.http.cross_site import READS, SiteGuard, is_form_body
from rostrum.manager.http.errors import error_body
from rostrum.manager.http.limits import Limits, Turn
from rostrum.manager.http.metrics import Metrics
from rostrum.manager.http.paths import HEADERS as DIRECTORY_HEADERS
from rostrum.manager.http.paths import SLASH, is_directory, masked

_log = logging.getLogger("rostrum.access")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_RUN, _NUMBERS = new_id().encode(), itertools.count(1)
"""Request IDs are not secret: the run of the server and a number are sufficient."""

_CONTENT_POLICY = b"content-security-policy"
_PROTECTION = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)
"""Headers of every response: no browser guesses its type, shows it in a foreign frame, or passes on its address."""

_NO_FRAMES = (_CONTENT_POLICY, b"frame-ancestors 'none'")
_FOREIGN = (
    "the request was sent by a web page of another origin; to let pages of an origin write, add it to the setting "
    "cors.origin"
)
_FORM_BODY = "the body must have a JSON content type, such as application/json"
_FORWARDED = FORWARDED_HEADER.lower().encode()
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadRequest(Exception):
    """The request cannot be routed."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Edge:
    """Wraps the web application."""

    def __init__(
        self,
        app: Application,
        metrics: Metrics,
        *,
        base: str = "",
        quick: Callable[[Scope, dict[bytes, bytes]], CachedResponse | None] = lambda _scope, _headers: None,
        trusted_proxies: Sequence[Network] = (),
        gateway_secret: str | None = None,
        cors: CorsOptions | None = None,
        hsts_seconds: int = 0,
        clock: Clock | None = None,
        slow: float = 0,
        annotate: Callable[[str, str | None, str], None] = lambda _method, _route, _request_id: None,
    ) -> None:
        """Wrap an application.

        ``quick`` answers requests that need no waiting. Addresses that ``trusted_proxies`` and gateways with
        ``gateway_secret`` forward are trusted. Requests that take longer than ``slow`` seconds are logged as
        warnings (0: never). ``annotate`` names the operation of a request for tracing, when its response starts.
        """
        self._app = app
        self._base = base
        self._quick = quick
        self._metrics = metrics
        self._slow = slow
        self._annotate = annotate
        self._proxies = trusted_proxies
        self._gateway_secret = gateway_secret
        self._sites = SiteGuard(cors)
        self._cors = None if cors is None else Cors(cors)
        self._limits = Limits(f"/{base}".rstrip("/") + "/events")
        self._hsts = (b"strict-transport-security", b"max-age=%d" % hsts_seconds) if hsts_seconds else None
        self._clock = clock or SystemClock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request immediately, pass it on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        headers: dict[bytes, bytes] = dict(scope["headers"])
        request_id = headers.get(b"x-request-id")
        if request_id is None or not _REQUEST_ID.fullmatch(request_id):
            request_id = b"%b-%07x" % (_RUN, next(_NUMBERS) & 0xFFFFFFF)
        if self._proxies or (self._gateway_secret and _FORWARDED in headers):
            scope = {**scope}
            self._believe_proxy(scope, headers)
            self._believe_gateway(scope, headers)
        refusal = None if scope["method"] in READS else self._refusal(scope, headers)
        ready = None if refusal else self._quick(scope, headers)
        if ready is None:
            await self._pass_on({**scope}, headers, receive, send, request_id, refusal=refusal)
            return
        is_head = scope["method"] == "HEAD"
        method = "GET" if is_head else scope["method"]
        name = request_id.decode()
        self._annotate(method, scope["path"], name)
        marked = self._marked(ready.headers, headers.get(b"origin"), scope["scheme"], request_id)
        await send({"type": "http.response.start", "status": ready.status, "headers": marked})
        await send({"type": "http.response.body", "body": b"" if is_head else ready.body})
        self._note(method, scope["path"], scope["path"], ready.status, started, name=name)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> BadRequest | None:
        """Return why a write is refused regardless of its address."""
        if self._sites.is_foreign_write(scope):
            return BadRequest(403, _FOREIGN)
        return BadRequest(415, _FORM_BODY) if is_form_body(scope["method"], headers) else None

    def _marked(self, headers: Sequence[Header], origin: bytes | None, scheme: str, request_id: bytes) -> list[Header]:
        """Add the headers of every response."""
        if origin is not None and self._cors is not None:
            headers = self._cors.readable(headers, origin)
        marked = [*headers, (b"x-request-id", request_id), *_PROTECTION]
        for name, _ in headers:
            if name.lower() == _CONTENT_POLICY:
                break
        else:
            marked.append(_NO_FRAMES)
        if self._hsts is not None and scheme == "https":
            marked.append(self._hsts)
        return marked

    async def _pass_on(
        self,
        scope: Scope,
        headers: dict[bytes, bytes],
        receive: Receive,
        send: Send,
        request_id: bytes,
        *,
        refusal: BadRequest | None,
    ) -> None:
        started = time.perf_counter()
        status = 0
        turn: Turn | None = None
        name = request_id.decode()
        origin = headers.get(b"origin")

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                if turn is not None:
                    turn.response_started()
                status = message["status"]
                self._annotate(scope["method"], scope.get("path_template"), name)
                marked = self._marked(message.get("headers", ()), origin, scope["scheme"], request_id)
                message["headers"] = _for_directory(marked) if is_directory(self._base, scope["path"]) else marked
            await send(message)

        if scope["method"] == "HEAD":
            scope["method"], scope["is_head"], send = "GET", True, _without_body(send)
        named = current_request.set(name)
        try:
            scope["path"] = _path(scope)
            if refusal is not None:
                raise refusal
            receive = _plain_body(scope, headers, receive)
        except BadRequest as refused:
            await _send_answer(send_marked, _refused(refused))
        else:
            if scope["method"] == "OPTIONS" and origin is not None and self._cors is not None:
                answer = self._cors.preflight(origin, headers)
                origin = None  # The response already has the headers for the origin.
                await _send_answer(send_marked, answer)
            else:
                turn = await self._limits.admit(scope)
                try:
                    await self._app(scope, receive, send_marked)
                finally:
                    turn.end()
        current_request.reset(named)
        self._note(scope["method"], scope.get("path_template"), scope["path"], status, started, name=name)

    def _note(self, method: str, route: str | None, path: str, status: int, started: float, *, name: str) -> None:
        """Count a request, and write its line to the access log."""
        seconds = time.perf_counter() - started
        self._metrics.count(method, route, status, seconds)
        # An event stream is not a slow request.
        is_slow = self._slow and seconds > self._slow and not str(route).endswith("/events")
        level = logging.WARNING if is_slow else logging.INFO
        if _log.isEnabledFor(level):
            # Without the query string, which can contain secrets.
            shown = masked(self._base, path).replace(SLASH, "%2F")
            named = current_request.set(name)
            _log.log(level, "%s%s %s %d %.1f ms", "slow: " if is_slow else "", method, shown, status, seconds * 1000)
            current_request.reset(named)

    def _believe_proxy(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        client = scope.get("client")
        if not self._proxies or not client or not self._is_proxy(client[0]):
            return
        # Each proxy can add a header: together, they are one list.
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        hops = [hop.strip() for hop in forwarded.decode("latin-1").split(",")]
        for hop in reversed([hop for hop in hops if hop]):
            address = parse_address(hop)
            if address is None:
                # Not an address, so a client wrote it. The proxy that forwarded it is the last known address.
                break
            scope["client"], scope["peer"] = (address, 0), client
            if not self._is_proxy(address):
                break
        if headers.get(b"x-forwarded-proto") in (b"http", b"https"):
            scope["scheme"] = headers[b"x-forwarded-proto"].decode()

    def _believe_gateway(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Use the address of a gateway's client, if the gateway has signed it for the credentials of this request."""
        value = headers.get(_FORWARDED)
        if value is None or not self._gateway_secret:
            return
        authorization = headers.get(b"authorization", b"").decode("latin-1")
        text, now = value.decode("latin-1"), self._clock.now()
        address = verify_address(self._gateway_secret, text, authorization, now)
        if address is None:
            _log.warning(
                "the header %s is not signed with the secret of this server, or the clocks differ: it is ignored",
                FORWARDED_HEADER,
            )
            return
        scope["peer"], scope["client"] = scope.get("client"), (address, 0)

    def _is_proxy(self, address: str) -> bool:
        try:
            known = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(known in network for network in self._proxies)


def _path(scope: Scope) -> str:
    """Read the path from its raw form: in a name, ``%2F`` is an ordinary character."""
    raw = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
    try:
        unquote_to_bytes(scope.get("query_string", b"")).decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest(400, "the address is not UTF-8") from None
    marked = re.sub(rb"(?i)%2f", SLASH.encode(), raw)
    try:
        path = unquote_to_bytes(marked).decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest(400, "the address is not UTF-8") from None
    if _CONTROLS.search(path.replace(SLASH, "")) or b"%01" in raw:
        raise BadRequest(400, "the address holds a control character")
    return path


def _plain_body(scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> Receive:
    encoding = headers.get(b"content-encoding", b"identity").strip().lower()
    if encoding in (b"", b"identity"):
        return receive
    if encoding not in (b"gzip", b"x-gzip"):
        raise BadRequest(415, "the body may be compressed with gzip only")
    hidden = (b"content-encoding", b"content-length")
    plain = [(name, value) for name, value in scope["headers"] if name not in hidden]
    # There is a body of unknown length.
    scope["headers"] = [*plain, (b"transfer-encoding", b"chunked")]
    return _Gunzip(receive)


class _Gunzip:
    """Decompresses a body in chunks; the reader counts the decompressed bytes."""

    _PIECE = 256 * 1024
    _BROKEN = b"\0"

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._unpacker = zlib.decompressobj(wbits=31)
        self._packed = b""
        self._begun = False
        self._more = True
        self._ended = False

    async def __call__(self) -> Message:
        if self._ended:
            # Further calls wait until the client disconnects.
            return await self._receive()
        while not self._packed and self._more:
            message = await self._receive()
            if message["type"] != "http.request":
                return message
            self._packed = message.get("body", b"")
            self._more = message.get("more_body", False)
            self._begun = self._begun or bool(self._packed)
        # A small body can have many decompressed pieces: other requests run between them.
        await asyncio.sleep(0)
        try:
            body = self._unpacker.decompress(self._packed, self._PIECE)
        except zlib.error:
            self._packed, self._more, body = b"", False, b""
        else:
            self._packed = self._unpacker.unconsumed_tail
        if self._unpacker.eof:
            # The decompressor would store all further bytes without a limit.
            self._packed, self._more = b"", False
        self._ended = not self._packed and not self._more
        if self._ended and self._begun and not self._unpacker.eof:
            # The parser must fail: a truncated body could look like a missing body.
            body += self._BROKEN
        return {"type": "http.request", "body": body, "more_body": not self._ended}


def _for_directory(headers: Sequence[Header]) -> list[Header]:
    """Return the headers of a response at a directory address, whatever the setting cors allows."""
    return [*(header for header in headers if not header[0].lower().startswith(b"access-control-")), *DIRECTORY_HEADERS]


def _without_body(send: Send) -> Send:
    """Answer HEAD as GET, headers only."""

    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


def _refused(refusal: BadRequest) -> CachedResponse:
    return CachedResponse(
        refusal.status, [(b"content-type", b"application/json")], error_body(refusal.status, str(refusal))
    )


async def _send_answer(send: Send, answer: CachedResponse) -> None:
    length = (b"content-length", str(len(answer.body)).encode())
    await send({"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, length]})
    await send({"type": "http.response.body", "body": answer.body})
