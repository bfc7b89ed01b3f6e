"""Identity of the caller, sign-in, sign-out, password change and token renewal."""

from dataclasses import replace
from typing import Annotated, Any

from litestar import Response, get, post, put
from litestar.params import JSONBody, QueryParameter

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.base.throttle import network_of
from rostrum.contracts.browser_platform import WhoAmI
from rostrum.contracts.identity import (
    Confirmed,
    IdentityConfirmation,
    Me,
    OwnSessions,
    SignedIn,
    SignInOptions,
    SignOutEverywhere,
)
from rostrum.contracts.sessions import TokenView
from rostrum.contracts.users import PasswordChange
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Evidence, Method
from rostrum.manager.auth.confirmation import SECONDS, Confirmations
from rostrum.manager.auth.tokens import Use
from rostrum.manager.changes.origin import acting, current_origin
from rostrum.manager.config import ManagerConfig
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.errors import Forbidden, Unauthenticated
from rostrum.manager.http.authentication import PUBLIC, SIGNED_IN
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.http.cookies import SessionCookies, clear_cookie, read_cookie
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import ANYONE, answers
from rostrum.manager.http.page_requests import SIGN_IN
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, nothing
from rostrum.manager.sign_in.sessions import LoginSessions
from rostrum.manager.topic import Routes
from rostrum.manager.users.endings import Endings
from rostrum.manager.users.service import UserService

_NO_STORE = {"Cache-Control": "no-store"}


@get("/me", operation_id="readMe", tags=["identity"], **answers(200, Me, 304))
async def read_me(request: ManagerRequest, users: Part[UserService]) -> Response[Any]:
    """Return the caller's identity. Used to check credentials."""
    return answer(request, await _me(request, users))


@get("/whoami", operation_id="whoAmI", tags=["browser platform"], **answers(200, WhoAmI, 304))
async def who_am_i(request: ManagerRequest, users: Part[UserService]) -> Response[Any]:
    """Return the caller's identity in the format of browser platform libraries."""
    me = await _me(request, users)
    return answer(request, {name: me[name] for name in ("id", "email", "groups", "apps")})


@get(
    "/signin/options",
    operation_id="readSignInOptions",
    tags=["identity"],
    opt={PUBLIC: True},
    **answers(200, SignInOptions, **ANYONE),
)
async def read_sign_in_options(config: Part[ManagerConfig]) -> Response[Any]:
    """Return the session settings that pages need before the user signs in."""
    body = {"sessionCookie": config.use_session_cookie}
    return Response(body, media_type="application/json", headers=_NO_STORE)


@get(
    "/signin",
    operation_id="signIn",
    tags=["identity"],
    **answers(200, SignedIn, 403, opt={SIGN_IN: True, SIGNED_IN: True}),
)
async def sign_in(
    request: ManagerRequest,
    users: Part[UserService],
    logins: Part[LoginSessions],
    config: Part[ManagerConfig],
    *,
    token: Annotated[bool, QueryParameter(description="Return a token that replaces the session cookie.")] = False,
) -> Response[Any]:
    """Sign in the user of a page with user ID and password. The response sets the session cookie, if enabled.

    With `token=true`, the response also contains a token for pages whose browser stores no cookie. It expires with the
    session. If session cookies are disabled, a page exchanges its token for a new one here before it expires.
    """
    claims = request.auth.claims
    if claims is not None and (claims.use is not Use.PAGE or config.use_session_cookie):
        raise Unauthenticated
    body: dict[str, Any] = {"user": await _me(request, users)}
    if token:
        made, seconds = logins.page_token(request.auth)
        body |= {"token": made, "expiresIn": seconds, "renewable": not config.use_session_cookie}
    return Response(body, media_type="application/json", headers=_NO_STORE)


@post(
    "/me/confirm",
    operation_id="confirmIdentity",
    tags=["identity"],
    opt={SIGNED_IN: True},
    **answers(200, Confirmed, 403, 409, 413),
)
async def confirm_identity(
    request: ManagerRequest, confirmations: Part[Confirmations], data: JSONBody[IdentityConfirmation]
) -> Response[Any]:
    """Confirm the identity of the caller of a session, before a change that creates credentials or gives rights.

    The response contains a text that the caller sends in the header `Confirmation` of later requests with the same
    session. A wrong password is answered with 403, and with 429 after too many of them.
    """
    made = await confirmations.confirm(request.auth, Evidence(password=data.password), _address(request))
    body = {"confirmation": made, "expiresIn": SECONDS}
    return Response(body, status_code=200, media_type="application/json", headers=_NO_STORE)


@put(
    "/me/password",
    operation_id="changeOwnPassword",
    tags=["identity"],
    opt={SIGNED_IN: True},
    **answers(204, None, 403, 413),
)
async def change_own_password(
    request: ManagerRequest,
    users: Part[UserService],
    authenticator: Part[Authenticator],
    session_cookies: Part[SessionCookies],
    data: JSONBody[PasswordChange],
) -> Response[None]:
    """Change the caller's own password; all other sessions of the user end.

    A wrong current password is answered with 403, and with 429 after too many of them.
    """
    users.check_password(data.new, "new")
    if data.new == data.current:
        raise Invalid("the password did not change", [Problem(path="new", message="must differ from the current one")])
    evidence = Evidence(password=data.current)
    if not await authenticator.confirm_identity(request.auth, evidence, _address(request)):
        raise Forbidden("the current password is wrong")
    with acting(replace(current_origin(), unconfirmed=None)):
        ends = Endings(data.revoke_api_tokens, data.stop_planned_work)
        user = await users.change_own_password(request.user, data.new, ends)
    response = nothing()
    if request.auth.method is not Method.BEARER:
        # The current session continues with a new cookie: all earlier cookies and tokens are invalid.
        cookie = session_cookies.of_user(
            user.id,
            user.epoch,
            scheme=request.scope["scheme"],
            host=request.headers.get("host", ""),
            origin=request.headers.get("origin"),
        )
        if cookie is not None:
            response.headers["Set-Cookie"] = cookie
    return response


@post("/logout", operation_id="logOut", tags=["identity"], opt={SIGNED_IN: True}, **answers(204, None, 403))
async def log_out(request: ManagerRequest, logins: Part[LoginSessions]) -> Response[None]:
    """Sign out: end the session."""
    await logins.end(request.auth, read_cookie(request.headers.get("cookie"), request.scope["scheme"]))
    return _signed_out(request)


@get("/me/sessions", operation_id="readOwnSessions", tags=["identity"], **answers(200, OwnSessions, 304))
async def read_own_sessions(request: ManagerRequest, logins: Part[LoginSessions]) -> Response[Any]:
    """Return the caller's desktops and the networks of recent sign-ins."""
    desktops, sign_ins = await logins.own(request.auth)
    claims, client = request.auth.claims, request.scope.get("client")
    here = network_of(client[0]) if client else ""
    return answer(
        request,
        {
            "desktops": [
                {
                    "id": each.id,
                    "machine": each.machine,
                    "version": each.version,
                    "product": each.product,
                    "started": each.started,
                    "lastSeen": each.last_seen,
                    "current": claims is not None and claims.session == each.id,
                }
                for each in desktops
            ],
            "signIns": [
                {"address": address, "lastSeen": seen, "current": address == here} for address, seen in sign_ins
            ],
        },
    )


@post(
    "/me/sign-out-everywhere",
    operation_id="signOutEverywhere",
    tags=["identity"],
    opt={SIGNED_IN: True},
    **answers(204, None, 403, 413),
)
async def sign_out_everywhere(
    request: ManagerRequest, logins: Part[LoginSessions], data: JSONBody[SignOutEverywhere]
) -> Response[None]:
    """End all sessions of the caller: pages, desktops and the session of this request. The password stays valid."""
    await logins.end_all(request.auth, Endings(data.api_tokens, data.planned_work))
    return _signed_out(request)


@post(
    "/token/refresh",
    operation_id="refreshToken",
    tags=["sessions"],
    opt={SIGNED_IN: True},
    **answers(201, TokenView, 403),
)
async def refresh_token(request: ManagerRequest, logins: Part[LoginSessions]) -> Response[Any]:
    """Return a new client token. The old token stays valid until it expires."""
    token, seconds = logins.client_token(request.auth)
    return Response(
        {"token": token, "expiresIn": seconds}, status_code=201, media_type="application/json", headers=_NO_STORE
    )


def _address(request: ManagerRequest) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""


def _signed_out(request: ManagerRequest) -> Response[None]:
    """Answer a request after which the session cookie is invalid."""
    response = nothing()
    response.headers["Set-Cookie"] = clear_cookie(
        scheme=request.scope["scheme"], host=request.headers.get("host", ""), origin=request.headers.get("origin")
    )
    return response


async def _me(request: ManagerRequest, users: Part[UserService]) -> dict[str, Any]:
    identity = request.user
    user = await users.me(identity)
    if user.epoch != request.auth.epoch:
        # Since the check of the credentials, the account was deleted and created again, or they were revoked.
        raise Unauthenticated
    return {
        "id": user.id,
        "account": user.account,
        "displayName": user.display_name,
        "email": user.email,
        "groups": sorted(identity.groups),
        "apps": user.apps,
        "permissions": sorted(identity.permissions),
    }


ROUTES = Routes(
    (
        read_me,
        who_am_i,
        read_sign_in_options,
        sign_in,
        confirm_identity,
        change_own_password,
        read_own_sessions,
        sign_out_everywhere,
        log_out,
        refresh_token,
    ),
    cached=dict.fromkeys(("/me", "/whoami"), CacheableRoute(topics=(ContentTopic.PEOPLE,))),
)
