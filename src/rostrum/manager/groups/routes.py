"""Groups for administrators."""

from typing import Annotated, Any
from urllib.parse import quote

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.groups import GroupChange, GroupDocument, GroupList, GroupView, MemberList, NewGroup
from rostrum.manager.access.permissions import Permission
from rostrum.manager.groups.service import GroupService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import RIGHTS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions, nothing
from rostrum.manager.topic import Routes

GroupKey = Annotated[str, PathParameter(description="The name of the group.", max_length=256)]


@get(
    "/admin/groups",
    operation_id="listGroups",
    tags=["groups"],
    **answers(200, GroupList, 304, 403, right=Permission.GROUPS_READ),
)
async def list_groups(request: ManagerRequest, groups: Part[GroupService], wanted: Wanted) -> Response[Any]:
    """List groups; filters: name, priority, expandsTo."""
    page, members = await groups.page(request.user, wanted)
    return answer(request, page_view(page, lambda group: group.as_json(members.get(group.name, 0))))


@post(
    "/admin/groups",
    operation_id="createGroup",
    tags=["groups"],
    **answers(201, GroupView, 403, 409, 413, right=Permission.GROUPS_WRITE, confirmed=RIGHTS),
)
async def create_group(request: ManagerRequest, groups: Part[GroupService], data: JSONBody[NewGroup]) -> Response[Any]:
    """Create a group."""
    group, members = await groups.create(request.user, data)
    location = f"{request.url.path}/{quote(group.name, safe='')}"
    return created(group.as_json(members), group.stamp.revision, location)


@get(
    "/admin/groups/{group_name:str}",
    operation_id="readGroup",
    tags=["groups"],
    **answers(200, GroupView, 304, 403, 404, right=Permission.GROUPS_READ),
)
async def read_group(request: ManagerRequest, groups: Part[GroupService], group_name: GroupKey) -> Response[Any]:
    """Read a group."""
    group, members = await groups.get(request.user, group_name)
    return document(request, group.as_json(members), group.stamp.revision)


@put(
    "/admin/groups/{group_name:str}",
    operation_id="replaceGroup",
    tags=["groups"],
    **answers(200, GroupView, 403, 404, 409, 412, 413, right=Permission.GROUPS_WRITE, confirmed=RIGHTS),
)
async def replace_group(
    request: ManagerRequest, groups: Part[GroupService], group_name: GroupKey, data: JSONBody[GroupDocument]
) -> Response[Any]:
    """Replace a group."""
    group, members = await groups.replace(request.user, group_name, data, expected_revisions(request))
    return document(request, group.as_json(members), group.stamp.revision)


@patch(
    "/admin/groups/{group_name:str}",
    operation_id="changeGroup",
    tags=["groups"],
    **answers(200, GroupView, 403, 404, 409, 412, 413, right=Permission.GROUPS_WRITE, confirmed=RIGHTS),
)
async def change_group(
    request: ManagerRequest, groups: Part[GroupService], group_name: GroupKey, data: JSONBody[GroupChange]
) -> Response[Any]:
    """Change the properties that are sent."""
    group, members = await groups.change(request.user, group_name, data, expected_revisions(request))
    return document(request, group.as_json(members), group.stamp.revision)


@delete(
    "/admin/groups/{group_name:str}",
    operation_id="deleteGroup",
    tags=["groups"],
    **answers(204, None, 403, 404, 409, 412, right=Permission.GROUPS_WRITE),
)
async def delete_group(request: ManagerRequest, groups: Part[GroupService], group_name: GroupKey) -> Response[None]:
    """Delete a group, and remove it from all users, apps and layouts."""
    await groups.remove(request.user, group_name, expected_revisions(request))
    return nothing()


@get(
    "/admin/groups/{group_name:str}/members",
    operation_id="listGroupMembers",
    tags=["groups"],
    **answers(200, MemberList, 304, 403, 404, right=Permission.USERS_READ),
)
async def list_group_members(
    request: ManagerRequest, groups: Part[GroupService], group_name: GroupKey, wanted: Wanted
) -> Response[Any]:
    """List the direct and inherited members of a group, with the groups through which each is a member.

    Filters: as for users, without memberOf.
    """
    page = await groups.members(request.user, group_name, wanted)
    return answer(request, page_view(page, lambda member: {**member[0].as_json(), "ways": member[1]}))


ROUTES = Routes((list_groups, create_group, read_group, replace_group, change_group, delete_group, list_group_members))
