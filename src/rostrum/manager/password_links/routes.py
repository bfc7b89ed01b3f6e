"""Links for passwords: created by administrators, opened by users who are not signed in."""

from typing import Any

from litestar import Response, post
from litestar.params import JSONBody

from rostrum.contracts.password_links import (
    LinkPassword,
    NewPasswordLinks,
    OpenedLink,
    OpenedLinkView,
    PasswordLinkList,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.http.authentication import PUBLIC, SIGNED_IN
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import ALWAYS, ANYONE, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import nothing
from rostrum.manager.password_links.topic import PasswordLinkService
from rostrum.manager.topic import Routes
from rostrum.manager.users.endings import Endings

_NO_STORE = {"Cache-Control": "no-store"}


@post(
    "/admin/password-links",
    operation_id="createPasswordLinks",
    tags=["users"],
    **answers(201, PasswordLinkList, 403, 413, right=Permission.USERS_WRITE, confirmed=ALWAYS, opt={SIGNED_IN: True}),
)
async def create_password_links(
    request: ManagerRequest, password_links: Part[PasswordLinkService], data: JSONBody[NewPasswordLinks]
) -> Response[Any]:
    """Create links with which users set their password, and which end with their use. Only this response has them.

    A new link replaces the earlier link of the user. A new password and disabling the user end the link. Requires the
    permissions of each user. Cannot be called with an API token.
    """
    made = await password_links.create(request.user, data.users)
    body = {"items": [each.as_json() for each in made]}
    return Response(body, status_code=201, media_type="application/json", headers=_NO_STORE)


@post(
    "/password-links/open",
    operation_id="openPasswordLink",
    tags=["identity"],
    opt={PUBLIC: True},
    **answers(200, OpenedLinkView, 403, 413, 429, **ANYONE),
)
async def open_password_link(
    request: ManagerRequest, password_links: Part[PasswordLinkService], data: JSONBody[OpenedLink]
) -> Response[Any]:
    """Return the user of a link. An invalid link is answered with 403, and with 429 after too many attempts."""
    user, expires = await password_links.open(data.token, _address(request))
    body = {"user": user.id, "displayName": user.display_name, "expires": expires}
    return Response(body, status_code=200, media_type="application/json", headers=_NO_STORE)


@post(
    "/password-links/use",
    operation_id="usePasswordLink",
    tags=["identity"],
    opt={PUBLIC: True},
    **answers(204, None, 403, 413, 429, **ANYONE),
)
async def use_password_link(
    request: ManagerRequest, password_links: Part[PasswordLinkService], data: JSONBody[LinkPassword]
) -> Response[None]:
    """Set the password of the user of a link. The link is then used up, and all sessions of the user end.

    The user's API tokens are revoked and the user's planned work is stopped, unless the request keeps them.
    """
    ends = Endings(data.revoke_api_tokens, data.stop_planned_work)
    await password_links.use(data.token, data.password, _address(request), ends)
    return nothing()


def _address(request: ManagerRequest) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""


ROUTES = Routes((create_password_links, open_password_link, use_password_link))
