"""Who am I, log-out, token refresh."""

from typing import Any

from litestar import Response, get, post

from rostrum.contracts.identity import Me
from rostrum.contracts.sessions import TokenView
from rostrum.manager.api.answers import answer, nothing
from rostrum.manager.api.cookies import clear_cookie, read_cookie
from rostrum.manager.api.documented import answers
from rostrum.manager.api.parts import LoginsPart, UsersPart
from rostrum.manager.api.request import ManagerRequest

__all__ = ["log_out", "read_me", "refresh_token"]


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


@post("/logout", operation_id="logOut", tags=["identity"], **answers(204, None, 403))
async def log_out(request: ManagerRequest, logins: LoginsPart) -> Response[None]:
    """End the session, on the server too."""
    await logins.end(request.auth, read_cookie(request.headers.get("cookie")))
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
