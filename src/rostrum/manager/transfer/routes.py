"""Export and import of all data, for full administrators."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import QueryParameter
from litestar.response import Stream

from rostrum.contracts.server import ImportedView
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.http.authentication import TOLD
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import ALWAYS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes
from rostrum.manager.transfer.service import TransferService

_LINES = "application/x-ndjson"

DryRun = Annotated[
    bool,
    QueryParameter(
        name="dryRun", description="Check the file and return the numbers of rows, without importing anything."
    ),
]


@get(
    "/admin/export",
    operation_id="exportServer",
    tags=["server"],
    **answers(200, str, 403, 409, media_type=_LINES, right=ADMIN_GROUP, confirmed=ALWAYS, opt={TOLD: True}),
)
async def export_server(request: ManagerRequest, transfer: Part[TransferService]) -> Stream:
    """Export all data: users with their password hashes, documents, history, audit log and reports.

    The audit log records the export. Only one export or import can run at a time.
    """
    size, pieces = await transfer.export(request.user)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": 'attachment; filename="rostrum.export"',
        "Content-Length": str(size),
    }
    return Stream(pieces, media_type=_LINES, headers=headers)


@post(
    "/admin/import",
    operation_id="importServer",
    tags=["server"],
    **answers(200, ImportedView, 403, 409, 413, right=ADMIN_GROUP, confirmed=ALWAYS),
)
async def import_server(
    request: ManagerRequest,
    transfer: Part[TransferService],
    dry_run: DryRun = False,  # noqa: FBT002 - the framework calls it
) -> Response[Any]:
    """Import an export of another server of the same version; the body is the file. If it fails, nothing is changed.

    Only a server without documents accepts an import. Its existing users and their groups are kept.
    """
    found = await transfer.import_file(request.user, request.stream(), dry_run=dry_run)
    body = ImportedView(
        dry_run=dry_run, total=sum(found.rows.values()), rows=found.rows, kept_users=list(found.kept_users)
    )
    return answer(request, body.model_dump(by_alias=True))


ROUTES = Routes((export_server,), huge=(import_server,))
