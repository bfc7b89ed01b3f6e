"""Authentication: the last of three wrappers around a handler, inside the framework.

The framework has found the handler, whose options state which credentials and which permission it requires. Here, the
request also gets the origin that the audit records, and path parameters with their slashes.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rostrum.base.log import request_id
from rostrum.manager.access.confirmation import require_confirmed
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require_right
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Credentials, Method
from rostrum.manager.auth.confirmation import Confirmations
from rostrum.manager.changes.origin import NO_REASON, RequestOrigin, acting, current_origin
from rostrum.manager.changes.reasons import reason_in
from rostrum.manager.errors import Forbidden, Unauthenticated
from rostrum.manager.http.cookies import SessionCookies, is_session_cookie
from rostrum.manager.http.cross_site import READS
from rostrum.manager.http.dependencies import PARTS
from rostrum.manager.http.openapi_responses import ADMINISTRATION, ALWAYS, CONFIRMED, RIGHT
from rostrum.manager.http.page_requests import CONFIRMATION, MARK, SIGN_IN, own_credentials
from rostrum.manager.http.paths import with_slashes
from rostrum.manager.http.platform_token import PLATFORM, TOKEN, as_bearer, authenticate_platform

PUBLIC = "public"
"""Handlers with this option require no credentials; with the value "maybe", they use credentials if present.

A function of the configuration says whether it is "maybe"; otherwise credentials are required.
"""

TOLD = "told"
"""Handlers with this option add an audit entry although they only read."""

SIGNED_IN = "signedIn"
"""Handlers with this option refuse API tokens: only a person may create credentials or approve changes."""

_MARK = MARK.encode()
_TOKEN = TOKEN.decode()
_CONFIRMATION = CONFIRMATION.encode()
_ONCE = frozenset({"authorization", _TOKEN, CONFIRMATION})
"""Headers with credentials. If one is repeated, it is not clear which value applies."""

_LONGEST_AGENT = 200


class Authentication(ASGIMiddleware):
    """Checks credentials and rights, protects writes with cookies, and sets the session cookie."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Identify the caller before the handler runs; changes are recorded with the origin of the request."""
        scope["path_params"] = with_slashes(scope["path_params"])
        if not _changes_something(scope):
            await self._authenticated(scope, receive, send, next_app)
            return
        with acting(_origin(scope)):
            await self._authenticated(scope, receive, send, next_app)

    async def _authenticated(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        options = scope["route_handler"].opt
        public = options.get(PUBLIC, False)
        if public is True:
            await next_app(scope, receive, send)
            return
        if callable(public):
            public = "maybe" if public(scope[PARTS]["config"]) else False  # type: ignore[literal-required]
        headers = _headers(scope)
        authenticator, cookies, confirmations = _parts(scope)
        is_platform = PLATFORM in options
        credentials = _credentials(scope, headers, cookies, is_sign_in=SIGN_IN in options, is_platform=is_platform)
        if public == "maybe" and credentials.authorization is None and credentials.cookie is None:
            scope["user"] = scope["auth"] = None
            await next_app(scope, receive, send)
            return
        if is_platform:
            caller = await authenticate_platform(authenticator, credentials, headers.get(_TOKEN, ""))
        else:
            caller = await authenticator.authenticate(credentials)
        if caller.method is Method.COOKIE and scope.get("method") not in READS:
            _require_origin(scope, headers, cookies)
        # Before permissions are checked: a refusal is reported with the user.
        scope["user"] = caller.identity
        scope["auth"] = caller
        _require_allowed(caller.identity, options)
        cookie = cookies.fresh(caller, scheme=scope["scheme"], host=_host(headers), origin=headers.get("origin"))
        if cookie is not None:
            send = _with_cookie(cookie, send)
        token = caller.identity.token
        unconfirmed = confirmations.unconfirmed(caller, headers.get(CONFIRMATION))
        if unconfirmed is None or (token is None and not _changes_something(scope)):
            await next_app(scope, receive, send)
            return
        name = "" if token is None else f"{token.name} ({token.id})"
        with acting(replace(current_origin(), token=name, unconfirmed=unconfirmed)):
            if options.get(CONFIRMED) == ALWAYS:
                require_confirmed()
            await next_app(scope, receive, send)


def _require_allowed(identity: Identity, options: Mapping[str, Any]) -> None:
    if RIGHT in options:
        require_right(identity, options[RIGHT])
    if identity.token is not None and SIGNED_IN in options:
        raise Forbidden("this cannot be done with an API token: sign in with a password")


def _changes_something(scope: Scope) -> bool:
    return scope.get("method") not in READS or bool(scope["route_handler"].opt.get(TOLD))


def _parts(scope: Scope) -> tuple[Authenticator, SessionCookies, Confirmations]:
    parts = scope[PARTS]  # type: ignore[literal-required]
    return parts["authenticator"], parts["session_cookies"], parts["confirmations"]


def _credentials(
    scope: Scope, headers: dict[str, str], cookies: SessionCookies, *, is_sign_in: bool, is_platform: bool
) -> Credentials:
    client = scope.get("client")
    authorization = headers.get("authorization")
    if not is_sign_in:
        authorization = own_credentials(authorization, headers.get(MARK))
    return Credentials(
        authorization=authorization if is_platform else as_bearer(authorization, headers.get(_TOKEN)),
        cookie=cookies.read(headers.get("cookie"), scope["scheme"]),
        address=client[0] if client else "",
    )


def _require_origin(scope: Scope, headers: dict[str, str], cookies: SessionCookies) -> None:
    if not cookies.may_write(headers.get("origin"), scheme=scope["scheme"], host=_host(headers)):
        raise Forbidden("a write with the session cookie needs an Origin that is this server's or allowed by cors")


def _host(headers: dict[str, str]) -> str:
    return headers.get("host", "")


def _with_cookie(cookie: str, send: Send) -> Send:
    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = message["headers"]
            # Signing out ends the session, so its response must not start a new one.
            if not any(name.lower() == b"set-cookie" and is_session_cookie(value.decode()) for name, value in headers):
                # A new list: the given one may belong to a constant, and all clients would receive this cookie.
                message["headers"] = [*headers, (b"set-cookie", cookie.encode())]
        await send(message)

    return send_with_cookie


def _headers(scope: Scope) -> dict[str, str]:
    wanted = {b"authorization", b"cookie", b"origin", b"host", _MARK, TOKEN, _CONFIRMATION}
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name in wanted:
            key = name.decode()
            if key in found and key in _ONCE:
                raise Unauthenticated
            text = value.decode("latin-1")
            # HTTP/2 can send each cookie in a separate header.
            found[key] = f"{found[key]}; {text}" if key in found and key == "cookie" else text
    return found


def _origin(scope: Scope) -> RequestOrigin:
    operation = getattr(scope["route_handler"], "operation_id", None)
    client = scope.get("client")
    # Operations of administrators require a right; all others save time here, because desktops call them often.
    options = scope["route_handler"].opt
    is_administration = RIGHT in options or ADMINISTRATION in options
    agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
    return RequestOrigin(
        operation=operation if isinstance(operation, str) else getattr(operation, "name", ""),
        address=client[0] if client else "",
        request=request_id.get(),
        agent="".join(letter for letter in agent.decode("latin-1")[:_LONGEST_AGENT] if letter.isprintable()),
        reason=reason_in(scope["headers"]) if is_administration else NO_REASON,
        is_administration=is_administration,
        can_propose=is_administration,
    )
