"""Groups of crash reports for administrators."""

from typing import Annotated, Any

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.reports import (
    CrashGroupDetail,
    CrashGroupList,
    NewNote,
    NoteList,
    NoteView,
    PrecedingChanges,
    Triage,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.crash_groups.model import CrashGroup
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions
from rostrum.manager.reports.model import Note
from rostrum.manager.topic import Routes

GroupId = Annotated[str, PathParameter(description="The ID of the crash group.", max_length=64)]

_ALL = "/admin/crash-groups"
_ONE = "/admin/crash-groups/{group_id:str}"
_TAGS = ["crash-groups"]


@get(
    _ALL,
    operation_id="listCrashGroups",
    tags=_TAGS,
    **answers(200, CrashGroupList, 304, 403, right=Permission.CRASHES_READ),
)
async def list_groups(request: ManagerRequest, crash_groups: Part[CrashGroupService], wanted: Wanted) -> Response[Any]:
    """List groups of crash reports with the same product, app, version and signature.

    Filters: received (the period of the reports that are counted), status (open selects new, investigating and
    returned), assignee, product, app, version, signature, firstSeen, lastSeen.
    """
    page = await crash_groups.page(request.user, wanted)
    return answer(request, page_view(page, CrashGroup.as_json))


@get(
    _ONE,
    operation_id="readCrashGroup",
    tags=_TAGS,
    **answers(200, CrashGroupDetail, 304, 403, 404, right=Permission.CRASHES_READ),
)
async def read_group(
    request: ManagerRequest, crash_groups: Part[CrashGroupService], group_id: GroupId
) -> Response[Any]:
    """Read a crash group."""
    detail = await crash_groups.get(request.user, group_id)
    return document(request, detail.as_json(), detail.group.revision)


@patch(
    _ONE,
    operation_id="changeCrashGroup",
    tags=_TAGS,
    **answers(200, CrashGroupDetail, 403, 404, 412, 413, right=Permission.CRASHES_WRITE),
)
async def change_group(
    request: ManagerRequest, crash_groups: Part[CrashGroupService], group_id: GroupId, data: JSONBody[Triage]
) -> Response[Any]:
    """Set the status or the assignee of a crash group. A resolved group can mark its reports as reviewed."""
    detail = await crash_groups.change(request.user, group_id, data, expected_revisions(request))
    return document(request, detail.as_json(), detail.group.revision)


@get(
    f"{_ONE}/changes",
    operation_id="readCrashGroupChanges",
    tags=_TAGS,
    **answers(200, PrecedingChanges, 304, 403, 404, right=Permission.CRASHES_READ),
)
async def list_changes(
    request: ManagerRequest, crash_groups: Part[CrashGroupService], group_id: GroupId
) -> Response[Any]:
    """Read the changes in the 24 hours before the first crash of a group, newest first.

    The list contains changes of the app, and changes of configuration files, layouts and groups that concern one of the
    20 users with the most reports. Only kinds that the caller may read are included.
    """
    return answer(request, (await crash_groups.preceding(request.user, group_id)).as_json())


@get(
    f"{_ONE}/notes",
    operation_id="listCrashGroupNotes",
    tags=_TAGS,
    **answers(200, NoteList, 304, 403, 404, right=Permission.CRASHES_READ),
)
async def list_notes(
    request: ManagerRequest, crash_groups: Part[CrashGroupService], group_id: GroupId
) -> Response[Any]:
    """List the notes about a crash group, oldest first."""
    return answer(request, page_view(await crash_groups.notes(request.user, group_id), Note.as_json))


@post(
    f"{_ONE}/notes",
    operation_id="addCrashGroupNote",
    tags=_TAGS,
    **answers(201, NoteView, 403, 404, 409, 413, right=Permission.CRASHES_WRITE),
)
async def add_note(
    request: ManagerRequest, crash_groups: Part[CrashGroupService], group_id: GroupId, data: JSONBody[NewNote]
) -> Response[Any]:
    """Add a note to a crash group. Notes cannot be changed or deleted."""
    note = await crash_groups.add_note(request.user, group_id, data)
    return created(note.as_json(), None, request.url.path)


ROUTES = Routes((list_groups, read_group, change_group, list_changes, list_notes, add_note))
