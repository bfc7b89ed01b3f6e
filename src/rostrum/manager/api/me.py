"""Who am I, change of the own password, sign-out, token refresh."""

from typing import Any

from litestar import Response, get, post, put
from litestar.params import JSONBody

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.identity import Me
from rostrum.contracts.sessions import TokenView
from rostrum.contracts.users import PasswordChange
from rostrum.manager.api.answers import answer, nothing
from rostrum.manager.api.cookies import clear_cookie, read_cookie
from rostrum.manager.api.documented import answers
from rostrum.manager.api.parts import AuthenticatorPart, LoginsPart, SessionCookiesPart, UsersPart
from rostrum.manager.api.request import ManagerRequest
from rostrum.manager.auth.caller import Method
from rostrum.manager.errors import Forbidden

__all__ = ["change_own_password", "log_out", "read_me", "refresh_token"]


@get("/me", operation_id="readMe", tags=["identity"], **answers(200, Me, 304))
async def read_me(request: ManagerRequest, users: UsersPart) -> Response[Any]:
    """Tell who the caller is: the log-in check."""
    identity = request.user
    user = await users.me(identity)
    return answer(
        request,
        {
            "id": user.id,
            "email": user.email,
            "groups": sorted(identity.groups),
            "apps": user.apps,
            "permissions": sorted(identity.permissions),
        },
    )


@put(
    "/me/password",
    operation_id="changeOwnPassword",
    tags=["identity"],
    **answers(204, None, 403, 413),
)
async def change_own_password(
    request: ManagerRequest,
    users: UsersPart,
    authenticator: AuthenticatorPart,
    session_cookies: SessionCookiesPart,
    data: JSONBody[PasswordChange],
) -> Response[None]:
    """Change the caller's own password; all other sessions of the user end.

    A wrong current password is answered with 403, and with 429 after too many of them.
    """
    users.check_password(data.new, "new")
    if data.new == data.current:
        raise Invalid("the password did not change", [Problem(path="new", message="must differ from the current one")])
    client = request.scope.get("client")
    if not await authenticator.confirm(request.auth, data.current, client[0] if client else ""):
        raise Forbidden("the current password is wrong")
    user = await users.change_own_password(request.user, data.new)
    response = nothing()
    if request.auth.method is not Method.BEARER:
        # The session it was changed in goes on, with a cookie of its own: all that came before are void.
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


@post("/logout", operation_id="logOut", tags=["identity"], **answers(204, None, 403))
async def log_out(request: ManagerRequest, logins: LoginsPart) -> Response[None]:
    """End the session, on the server too."""
    await logins.end(request.auth, read_cookie(request.headers.get("cookie"), request.scope["scheme"]))
    response = nothing()
    response.headers["Set-Cookie"] = clear_cookie(
        scheme=request.scope["scheme"],
        host=request.headers.get("host", ""),
        origin=request.headers.get("origin"),
    )
    return response


@post("/token/refresh", operation_id="refreshToken", tags=["sessions"], **answers(201, TokenView, 403))
async def refresh_token(request: ManagerRequest, logins: LoginsPart) -> Response[Any]:
    """Answer a fresh client token; the old one stays good until it expires, so that nobody is cut off."""
    token, seconds = logins.client_token(request.auth)
    return Response(
        {"token": token, "expiresIn": seconds},
        status_code=201,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
