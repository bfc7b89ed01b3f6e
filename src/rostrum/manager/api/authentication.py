"""Lets a request through to a protected handler only with good credentials."""

from litestar.datastructures import MutableScopeHeaders
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rostrum.manager.api.cookies import COOKIE, is_allowed_origin, read_cookie, set_cookie
from rostrum.manager.auth.authenticator import Authenticator, Caller, Credentials, Method
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.config import ManagerConfig
from rostrum.manager.errors import Forbidden, Unauthenticated

__all__ = ["PUBLIC", "Authentication"]

PUBLIC = "public"
"""Handlers with this option need no credentials; those with the value "maybe" use them when they are there."""

_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Authentication(ASGIMiddleware):
    """Checks credentials, guards cookie writes, sets the session cookie."""

    def __init__(self, config: ManagerConfig, authenticator: Authenticator, tokens: Tokens) -> None:
        """Join the parts."""
        self._config = config
        self._authenticator = authenticator
        self._tokens = tokens

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Find out who is calling before the handler runs."""
        public = scope["route_handler"].opt.get(PUBLIC, False)
        if public is True:
            await next_app(scope, receive, send)
            return
        headers = _headers(scope)
        credentials = self._credentials(scope, headers)
        if public == "maybe" and credentials.authorization is None and credentials.cookie is None:
            scope["user"] = scope["auth"] = None
            await next_app(scope, receive, send)
            return
        caller = await self._authenticator.authenticate(credentials)
        if caller.method is Method.COOKIE and scope.get("method") not in _READS:
            self._require_origin(scope, headers)
        scope["user"] = caller.identity
        scope["auth"] = caller
        if caller.method is Method.BASIC and self._config.use_session_cookie:
            send = self._with_cookie(scope, headers, caller, send)
        await next_app(scope, receive, send)

    def _credentials(self, scope: Scope, headers: dict[str, str]) -> Credentials:
        client = scope.get("client")
        cookie = read_cookie(headers.get("cookie")) if self._config.use_session_cookie else None
        return Credentials(
            authorization=headers.get("authorization"), cookie=cookie, address=client[0] if client else ""
        )

    def _require_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        if self._allowed_origin(scope, headers) is None:
            raise Forbidden("a write with the session cookie needs an Origin that is this server's or allowed by cors")

    def _allowed_origin(self, scope: Scope, headers: dict[str, str]) -> str | None:
        origin = headers.get("origin")
        allowed = is_allowed_origin(self._config, origin, scheme=scope["scheme"], host=headers.get("host", ""))
        return origin if allowed else None

    def _with_cookie(self, scope: Scope, headers: dict[str, str], caller: Caller, send: Send) -> Send:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer_headers = MutableScopeHeaders.from_message(message)
                # Logging out ends the session: its answer must not begin another.
                if not any(value.startswith(f"{COOKIE}=") for value in answer_headers.getall("set-cookie", [])):
                    answer_headers.add("Set-Cookie", self._cookie(scope, headers, caller))
            await send(message)

        return send_with_cookie

    def _cookie(self, scope: Scope, headers: dict[str, str], caller: Caller) -> str:
        lifetime = self._config.session_lifetime
        token = self._tokens.sign(caller.identity.user, Use.SESSION, epoch=caller.epoch, seconds=lifetime)
        origin = self._allowed_origin(scope, headers)
        return set_cookie(token, lifetime, scheme=scope["scheme"], host=headers.get("host", ""), origin=origin)


def _headers(scope: Scope) -> dict[str, str]:
    wanted = {b"authorization", b"cookie", b"origin", b"host"}
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name in wanted:
            key = name.decode()
            if key in found and key == "authorization":
                raise Unauthenticated
            text = value.decode("latin-1")
            # HTTP/2 may send each cookie in a header of its own.
            found[key] = f"{found[key]}; {text}" if key in found and key == "cookie" else text
    return found
