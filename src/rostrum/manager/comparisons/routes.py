"""Comparison of two users or groups for administrators."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from rostrum.contracts.comparisons import AccessComparison
from rostrum.manager.access.permissions import Permission
from rostrum.manager.comparisons.service import Compared, ComparisonService
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes

_TEXT = r"^[^\x00]*$"
_POINT = "Number of a revision, or a time such as 2026-01-31T09:00:00Z"

UserKey = Annotated[str, PathParameter(description="The user on the left side.", max_length=256)]
GroupKey = Annotated[str, PathParameter(description="The group on the left side.", max_length=256)]
Other = Annotated[
    str | None,
    QueryParameter(
        name="with", max_length=256, pattern=_TEXT, description="The right side; by default, the same as the left side."
    ),
]
At = Annotated[str | None, QueryParameter(max_length=64, description=f"{_POINT}, for the left side. Default: now.")]
WithAt = Annotated[
    str | None, QueryParameter(name="withAt", max_length=64, description=f"{_POINT}, for the right side. Default: now.")
]
Version = Annotated[
    str | None, QueryParameter(max_length=256, pattern=_TEXT, description="The version of the platform.")
]


@get(
    "/admin/users/{user_id:str}/compare",
    operation_id="compareUsers",
    tags=["users"],
    **answers(200, AccessComparison, 304, 403, 404, 409, right=Permission.USERS_READ),
)
async def compare_users(
    request: ManagerRequest,
    comparisons: Part[ComparisonService],
    user_id: UserKey,
    *,
    other: Other = None,
    at: At = None,
    other_at: WithAt = None,
    version: Version = None,
) -> Response[Any]:
    """Compare the groups, apps, layouts and settings of two users, with the reason for each difference.

    With `at` or `withAt`, compare earlier states. Without `with`, compare two states of the same user.
    """
    wanted = Compared(
        left=user_id, right=other or user_id, left_at=at or None, right_at=other_at or None, version=version or ""
    )
    return answer(request, await comparisons.users(request.user, wanted))


@get(
    "/admin/groups/{group_name:str}/compare",
    operation_id="compareGroups",
    tags=["groups"],
    **answers(200, AccessComparison, 304, 403, 404, 409, right=Permission.GROUPS_READ),
)
async def compare_groups(
    request: ManagerRequest,
    comparisons: Part[ComparisonService],
    group_name: GroupKey,
    *,
    other: Other = None,
    at: At = None,
    other_at: WithAt = None,
    version: Version = None,
) -> Response[Any]:
    """Compare the apps, layouts and settings that members of two groups receive through the groups.

    With `at` or `withAt`, compare earlier states. Without `with`, compare two states of the same group.
    """
    wanted = Compared(
        left=group_name, right=other or group_name, left_at=at or None, right_at=other_at or None, version=version or ""
    )
    return answer(request, await comparisons.groups(request.user, wanted))


ROUTES = Routes((compare_users, compare_groups))
