"""Imports of users from CSV files, for administrators."""

from typing import Any

from litestar import Response, post
from litestar.params import JSONBody

from rostrum.contracts.batches import BatchView
from rostrum.contracts.user_imports import NewUserImport, UserImportPreview, UserImportRequest
from rostrum.manager.access.permissions import Permission
from rostrum.manager.batches.service import BatchService
from rostrum.manager.batches.user_imports import UserImportService
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import RIGHTS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created
from rostrum.manager.topic import Routes

_TAGS = ["users"]


@post(
    "/admin/batches/users/import/preview",
    operation_id="previewUserImport",
    tags=_TAGS,
    **answers(200, UserImportPreview, 403, 413, right=Permission.USERS_WRITE),
)
async def preview_user_import(
    request: ManagerRequest, user_imports: Part[UserImportService], data: JSONBody[UserImportRequest]
) -> Response[Any]:
    """Preview an import of users from CSV: which rows are new, changed, unchanged or invalid. Nothing is written."""
    return answer(request, (await user_imports.preview(request.user, data)).as_json())


@post(
    "/admin/batches/users/import",
    operation_id="startUserImport",
    tags=_TAGS,
    **answers(201, BatchView, 403, 409, 413, right=Permission.USERS_WRITE, confirmed=RIGHTS),
)
async def start_user_import(
    request: ManagerRequest,
    user_imports: Part[UserImportService],
    batches: Part[BatchService],
    data: JSONBody[NewUserImport],
) -> Response[Any]:
    """Create and change users from CSV. Users who are not in the file are not changed.

    The response is a batch of users: its progress and its report have the addresses of other batches. A user who was
    changed by someone else since the request is not changed. New users have no password.
    """
    batch, _ = await user_imports.create(request.user, data)
    batches.start(request.user, batch)
    return created(batches.view(batch), None, f"{request.url.path.removesuffix('/import')}/{batch.id}")


ROUTES = Routes((preview_user_import, start_user_import))
