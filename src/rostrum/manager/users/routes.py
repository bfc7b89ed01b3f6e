"""Users for administrators."""

from typing import Annotated, Any
from urllib.parse import quote

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.users import (
    NewUser,
    SignedOutView,
    UsageView,
    UserChange,
    UserDocument,
    UserList,
    UserSignOut,
    UserView,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import RIGHTS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions, nothing
from rostrum.manager.quotas.service import UsageService
from rostrum.manager.topic import Routes
from rostrum.manager.users.endings import Endings
from rostrum.manager.users.model import User
from rostrum.manager.users.service import UserService

UserKey = Annotated[str, PathParameter(description="The ID of the user.", max_length=256)]


async def _view(request: ManagerRequest, users: UserService, user: User) -> dict[str, Any]:
    """Return a user with the last contact. All responses include it, so that their entity tags are equal."""
    seen = await users.last_seen(request.user, [user])
    return {**user.as_json(), "lastSeen": seen.get(user.id)}


@get(
    "/admin/users",
    operation_id="listUsers",
    tags=["users"],
    **answers(200, UserList, 304, 403, right=Permission.USERS_READ),
)
async def list_users(request: ManagerRequest, users: Part[UserService], wanted: Wanted) -> Response[Any]:
    """List users; filters: id, displayName, email, disabled, disabledSince, service, group, memberOf, app."""
    page = await users.page(request.user, wanted)
    seen = await users.last_seen(request.user, page.items)
    return answer(request, page_view(page, lambda user: {**user.as_json(), "lastSeen": seen.get(user.id)}))


@post(
    "/admin/users",
    operation_id="createUser",
    tags=["users"],
    **answers(201, UserView, 403, 409, 413, right=Permission.USERS_WRITE, confirmed=RIGHTS),
)
async def create_user(request: ManagerRequest, users: Part[UserService], data: JSONBody[NewUser]) -> Response[Any]:
    """Create a user."""
    user = await users.create(request.user, data)
    return created(
        await _view(request, users, user), user.stamp.revision, f"{request.url.path}/{quote(user.id, safe='')}"
    )


@get(
    "/admin/users/{user_id:str}",
    operation_id="readUser",
    tags=["users"],
    **answers(200, UserView, 304, 403, 404, right=Permission.USERS_READ),
)
async def read_user(request: ManagerRequest, users: Part[UserService], user_id: UserKey) -> Response[Any]:
    """Read a user."""
    user = await users.get(request.user, user_id)
    return document(request, await _view(request, users, user), user.stamp.revision)


@put(
    "/admin/users/{user_id:str}",
    operation_id="replaceUser",
    tags=["users"],
    **answers(200, UserView, 403, 404, 409, 412, 413, right=Permission.USERS_WRITE, confirmed=RIGHTS),
)
async def replace_user(
    request: ManagerRequest, users: Part[UserService], user_id: UserKey, data: JSONBody[UserDocument]
) -> Response[Any]:
    """Replace a user. The password is changed only if one is sent."""
    user = await users.replace(request.user, user_id, data, expected_revisions(request))
    return document(request, await _view(request, users, user), user.stamp.revision)


@patch(
    "/admin/users/{user_id:str}",
    operation_id="changeUser",
    tags=["users"],
    **answers(200, UserView, 403, 404, 409, 412, 413, right=Permission.USERS_WRITE, confirmed=RIGHTS),
)
async def change_user(
    request: ManagerRequest, users: Part[UserService], user_id: UserKey, data: JSONBody[UserChange]
) -> Response[Any]:
    """Change the properties that are sent."""
    user = await users.change(request.user, user_id, data, expected_revisions(request))
    return document(request, await _view(request, users, user), user.stamp.revision)


@delete(
    "/admin/users/{user_id:str}",
    operation_id="deleteUser",
    tags=["users"],
    **answers(204, None, 403, 404, 409, 412, right=Permission.USERS_WRITE),
)
async def delete_user(request: ManagerRequest, users: Part[UserService], user_id: UserKey) -> Response[None]:
    """Delete a user with the user's layouts, preferences, configuration files and tokens, and end all sessions."""
    await users.remove(request.user, user_id, expected_revisions(request))
    return nothing()


@post(
    "/admin/users/{user_id:str}/sign-out",
    operation_id="signOutUser",
    tags=["users"],
    **answers(200, SignedOutView, 403, 404, 413, right=Permission.USERS_WRITE),
)
async def sign_out_user(
    request: ManagerRequest, users: Part[UserService], user_id: UserKey, data: JSONBody[UserSignOut]
) -> Response[Any]:
    """End all sessions of a user: pages and desktops. The password stays valid.

    Requires the permissions of the user.
    """
    ended = await users.sign_out(request.user, user_id, Endings(data.api_tokens, data.planned_work))
    return answer(request, ended.as_json())


@get(
    "/admin/users/{user_id:str}/usage",
    operation_id="readUserUsage",
    tags=["users"],
    **answers(200, UsageView, 304, 403, 404, right=Permission.USERS_READ),
)
async def read_user_usage(request: ManagerRequest, usage: Part[UsageService], user_id: UserKey) -> Response[Any]:
    """Return the quota usage of a user."""
    return answer(request, {"items": [use.as_json() for use in await usage.of_user(request.user, user_id)]})


@get("/me/usage", operation_id="readOwnUsage", tags=["client"], **answers(200, UsageView, 304))
async def read_own_usage(request: ManagerRequest, usage: Part[UsageService]) -> Response[Any]:
    """Return the quota usage of the caller."""
    return answer(request, {"items": [use.as_json() for use in await usage.own(request.user)]})


ROUTES = Routes(
    (
        list_users,
        create_user,
        read_user,
        replace_user,
        change_user,
        delete_user,
        sign_out_user,
        read_user_usage,
        read_own_usage,
    )
)
