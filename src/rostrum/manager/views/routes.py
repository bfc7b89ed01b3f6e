"""Saved views of lists, for users who may read the list."""

from typing import Annotated, Any

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, nothing
from rostrum.manager.records import as_json, list_view, view
from rostrum.manager.topic import Routes
from rostrum.manager.views.topic import NewSavedView, SavedView, SavedViewChange, SavedViewService

_TAGS = ["views"]
_VIEW = view(SavedView, "SavedViewView", "A saved view.")
_LIST = list_view(_VIEW, "SavedViewList", "One page of saved views.")

ViewId = Annotated[str, PathParameter(description="The ID of the view.", max_length=64)]


@get("/admin/views", operation_id="listViews", tags=_TAGS, **answers(200, _LIST, 304))
async def list_views(request: ManagerRequest, views: Part[SavedViewService], wanted: Wanted) -> Response[Any]:
    """List the views of the caller and shared views. Views of lists that the caller may not read are left out.

    Filters: list, name, owner, shared.
    """
    return answer(request, page_view(await views.page(request.user, wanted), as_json))


@get("/admin/views/{view_id:str}", operation_id="readView", tags=_TAGS, **answers(200, _VIEW, 304, 404))
async def read_view(request: ManagerRequest, views: Part[SavedViewService], view_id: ViewId) -> Response[Any]:
    """Read a saved view."""
    return answer(request, as_json(await views.get(request.user, view_id)))


@post("/admin/views", operation_id="createView", tags=_TAGS, **answers(201, _VIEW, 403, 409, 413))
async def create_view(
    request: ManagerRequest, views: Part[SavedViewService], data: JSONBody[NewSavedView]
) -> Response[Any]:
    """Save a view of a list for the caller, or for all users who may read the list."""
    saved = await views.create(request.user, data)
    return created(as_json(saved), None, f"{request.url.path}/{saved.id}")


@patch(
    "/admin/views/{view_id:str}",
    operation_id="changeView",
    tags=_TAGS,
    **answers(200, _VIEW, 403, 404, 409, 413),
)
async def change_view(
    request: ManagerRequest, views: Part[SavedViewService], view_id: ViewId, data: JSONBody[SavedViewChange]
) -> Response[Any]:
    """Rename, replace, share or unshare a view. Only full administrators can change shared views of other users."""
    return answer(request, as_json(await views.change(request.user, view_id, data)))


@delete("/admin/views/{view_id:str}", operation_id="deleteView", tags=_TAGS, **answers(204, None, 403, 404))
async def delete_view(request: ManagerRequest, views: Part[SavedViewService], view_id: ViewId) -> Response[None]:
    """Delete a view. Only full administrators can delete shared views of other users."""
    await views.remove(request.user, view_id)
    return nothing()


ROUTES = Routes((list_views, read_view, create_view, change_view, delete_view))
