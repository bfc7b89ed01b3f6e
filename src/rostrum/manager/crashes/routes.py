"""Crash reports: uploads of clients, and admin routes."""

from typing import Annotated, Any

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from rostrum.base.errors import Invalid
from rostrum.contracts.reports import CrashList, CrashView, Review
from rostrum.manager.access.permissions import Permission
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, document, expected_revisions, nothing
from rostrum.manager.http.uploads import download, read_form
from rostrum.manager.records import as_json
from rostrum.manager.topic import Routes

CrashKey = Annotated[str, PathParameter(description="The report's id.", max_length=64)]

_DUMP = "upload_file_minidump"


@post(
    "/crashes",
    operation_id="sendCrash",
    tags=["client"],
    opt={PUBLIC: "maybe"},
    **answers(200, str, 403, 409, 413, 415, media_type="text/plain"),
)
async def receive_crash(
    request: ManagerRequest, crashes: Part[CrashService], anonymous: Part[AnonymousUploads]
) -> Response[Any]:
    """Save a crash report, sent as a multipart form, optionally with gzip. Returns the report ID as text."""
    identity = request.scope.get("user")
    if identity is None:
        anonymous.enter(request.client.host if request.client else "")
    fields, dump = await read_form(request, _DUMP)
    if not fields and dump is None:
        raise Invalid("the form is empty")
    claims = request.auth.claims if identity is not None else None
    crash = await crashes.receive(identity, fields, dump, claims.session if claims else None)
    # Crash reporters store the plain text of the response as the ID of their upload.
    return Response(crash.id, status_code=200, media_type="text/plain", headers={"Cache-Control": "no-store"})


@get(
    "/admin/crashes",
    operation_id="listCrashes",
    tags=["crashes"],
    **answers(200, CrashList, 304, 403, right=Permission.CRASHES_READ),
)
async def list_crashes(request: ManagerRequest, crashes: Part[CrashService], wanted: Wanted) -> Response[Any]:
    """List reports; filters: group, user, product, app, version, platform, processType, reviewed, reviewedBy."""
    page = await crashes.page(request.user, wanted)
    return answer(request, page_view(page, as_json))


@get(
    "/admin/crashes/{crash_id:str}",
    operation_id="readCrash",
    tags=["crashes"],
    **answers(200, CrashView, 304, 403, 404, right=Permission.CRASHES_READ),
)
async def read_crash(request: ManagerRequest, crashes: Part[CrashService], crash_id: CrashKey) -> Response[Any]:
    """Read a report."""
    crash = await crashes.get(request.user, crash_id)
    return document(request, as_json(crash), crash.revision)


@get(
    "/admin/crashes/{crash_id:str}/minidump",
    operation_id="readMinidump",
    tags=["crashes"],
    **answers(200, bytes, 403, 404, media_type="application/octet-stream", right=Permission.CRASHES_READ),
)
async def read_minidump(request: ManagerRequest, crashes: Part[CrashService], crash_id: CrashKey) -> Response[Any]:
    """Download the dump of a report."""
    return download(*await crashes.open_file(request.user, crash_id))


@patch(
    "/admin/crashes/{crash_id:str}",
    operation_id="reviewCrash",
    tags=["crashes"],
    **answers(200, CrashView, 403, 404, 412, 413, right=Permission.CRASHES_WRITE),
)
async def review_crash(
    request: ManagerRequest, crashes: Part[CrashService], crash_id: CrashKey, data: JSONBody[Review]
) -> Response[Any]:
    """Mark a report as reviewed, comment on it."""
    crash = await crashes.review(request.user, crash_id, data, expected_revisions(request))
    return document(request, as_json(crash), crash.revision)


@delete(
    "/admin/crashes/{crash_id:str}",
    operation_id="deleteCrash",
    tags=["crashes"],
    **answers(204, None, 403, 404, 412, right=Permission.CRASHES_WRITE),
)
async def delete_crash(request: ManagerRequest, crashes: Part[CrashService], crash_id: CrashKey) -> Response[None]:
    """Delete a report and its dump."""
    await crashes.remove(request.user, crash_id, expected_revisions(request))
    return nothing()


ROUTES = Routes((list_crashes, read_crash, read_minidump, review_crash, delete_crash), large=(receive_crash,))
