"""Layouts: the public layout-store contract, at all addresses that clients use, and admin routes."""

from typing import Annotated, Any

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter

from rostrum.base import json_text
from rostrum.contracts.app_entries import ImportView
from rostrum.contracts.layout_entries import (
    DefaultChoice,
    DefaultView,
    LayoutChange,
    LayoutEntry,
    LayoutImport,
    LayoutList,
    LayoutRemoval,
    LayoutRename,
    Layouts,
    LayoutSave,
    LayoutView,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.http.cacheable_routes import LAYOUTS_READ
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers, at_each_path
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, answer_bytes, created, document, expected_revisions, nothing
from rostrum.manager.layouts.model import Layout
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.topic import Routes

LayoutKey = Annotated[str, PathParameter(description="The layout's id.", max_length=64)]

# Depending on their version, desktops append these to the address of the store, or to the address with /layouts.
_STORE = ["/layouts", "/layouts/layouts"]
_DEFAULT = ["/layouts/default", "/default", "/layouts/layouts/default"]


@get(_STORE, operation_id=at_each_path("getLayouts", "/layouts"), tags=["client"], **answers(200, Layouts, 304))
async def get_layouts(request: ManagerRequest, layouts: Part[LayoutService]) -> Response[Any]:
    """Return the layouts that are available to the caller."""
    texts = await layouts.visible(request.user)
    body = b'{"layouts":' + json_text.array(text.encode() for text in texts) + b"}"
    return answer_bytes(request, body)


@post(_STORE, operation_id=at_each_path("saveLayout", "/layouts"), tags=["client"], **answers(201, None, 403, 409, 413))
async def save_layout(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[LayoutSave]
) -> Response[Any]:
    """Create or replace a personal layout of the caller, by type and name."""
    await layouts.save(request.user, data.layout)
    return nothing(201)


@put(
    _STORE,
    operation_id=at_each_path("renameLayout", "/layouts"),
    tags=["client"],
    **answers(200, None, 403, 404, 409, 413),
)
async def rename_layout(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[LayoutRename]
) -> Response[Any]:
    """Rename a personal layout of the caller, and save the content that is sent."""
    await layouts.rename(request.user, data.layout, data.new_name)
    return nothing(200)


@delete(_STORE, operation_id=at_each_path("removeLayouts", "/layouts"), tags=["client"], **answers(200, None, 403, 413))
async def remove_layouts(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[LayoutRemoval]
) -> Response[Any]:
    """Delete personal layouts of the caller: the body contains one name, or several as `name (type)`."""
    await layouts.remove_own(request.user, data)
    return nothing(200)


@get(
    _DEFAULT,
    operation_id=at_each_path("getDefaultLayout", "/layouts/default"),
    tags=["client"],
    **answers(200, DefaultView, 304),
)
async def get_default_layout(request: ManagerRequest, layouts: Part[LayoutService]) -> Response[Any]:
    """Return the name and type of the default layout, or an empty object."""
    chosen = await layouts.get_default(request.user)
    return answer(request, {} if chosen is None else {"name": chosen[1], "type": chosen[0]})


@post(
    _DEFAULT,
    operation_id=at_each_path("setDefaultLayout", "/layouts/default"),
    tags=["client"],
    **answers(201, None, 403, 404, 413),
)
async def set_default_layout(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[DefaultChoice]
) -> Response[Any]:
    """Set the default layout. Without name and type, clear it."""
    await layouts.set_default(request.user, name=data.name, kind=data.type)
    return nothing(201)


@get(
    "/admin/layouts",
    operation_id="listLayouts",
    tags=["layouts"],
    **answers(200, LayoutList, 304, 403, right=Permission.LAYOUTS_READ),
)
async def list_layouts(request: ManagerRequest, layouts: Part[LayoutService], wanted: Wanted) -> Response[Any]:
    """List layouts; filters: name, type, owner, public, default, disabled, accessList."""
    page = await layouts.page(request.user, wanted)
    return answer(request, page_view(page, Layout.as_json))


@post(
    "/admin/layouts",
    operation_id="createLayout",
    tags=["layouts"],
    **answers(201, LayoutView, 403, 409, 413, right=Permission.LAYOUTS_WRITE),
)
async def create_layout(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[LayoutEntry]
) -> Response[Any]:
    """Create a layout for one user or for all users."""
    layout = await layouts.create(request.user, data)
    return created(layout.as_json(), layout.stamp.revision, f"{request.url.path}/{layout.id}")


@post(
    "/admin/imports/layouts",
    operation_id="importLayouts",
    tags=["layouts"],
    **answers(200, ImportView, 403, 409, 413, right=Permission.LAYOUTS_WRITE),
)
async def import_layouts(
    request: ManagerRequest, layouts: Part[LayoutService], data: JSONBody[LayoutImport]
) -> Response[Any]:
    """Import several layouts. If one is invalid, none is imported."""
    new, replaced = await layouts.import_all(request.user, data)
    return answer(request, {"created": new, "replaced": replaced})


@get(
    "/admin/layouts/{layout_id:str}",
    operation_id="readLayout",
    tags=["layouts"],
    **answers(200, LayoutView, 304, 403, 404, right=Permission.LAYOUTS_READ),
)
async def read_layout(request: ManagerRequest, layouts: Part[LayoutService], layout_id: LayoutKey) -> Response[Any]:
    """Read a layout."""
    layout = await layouts.get(request.user, layout_id)
    return document(request, layout.as_json(), layout.stamp.revision)


@put(
    "/admin/layouts/{layout_id:str}",
    operation_id="replaceLayout",
    tags=["layouts"],
    **answers(200, LayoutView, 403, 404, 409, 412, 413, right=Permission.LAYOUTS_WRITE),
)
async def replace_layout(
    request: ManagerRequest, layouts: Part[LayoutService], layout_id: LayoutKey, data: JSONBody[LayoutEntry]
) -> Response[Any]:
    """Replace a layout."""
    layout = await layouts.replace(request.user, layout_id, data, expected_revisions(request))
    return document(request, layout.as_json(), layout.stamp.revision)


@patch(
    "/admin/layouts/{layout_id:str}",
    operation_id="changeLayout",
    tags=["layouts"],
    **answers(200, LayoutView, 403, 404, 409, 412, 413, right=Permission.LAYOUTS_WRITE),
)
async def change_layout(
    request: ManagerRequest, layouts: Part[LayoutService], layout_id: LayoutKey, data: JSONBody[LayoutChange]
) -> Response[Any]:
    """Change the properties that are sent."""
    layout = await layouts.change(request.user, layout_id, data, expected_revisions(request))
    return document(request, layout.as_json(), layout.stamp.revision)


@delete(
    "/admin/layouts/{layout_id:str}",
    operation_id="deleteLayout",
    tags=["layouts"],
    **answers(204, None, 403, 404, 412, right=Permission.LAYOUTS_WRITE),
)
async def delete_layout(request: ManagerRequest, layouts: Part[LayoutService], layout_id: LayoutKey) -> Response[None]:
    """Delete a layout."""
    await layouts.remove(request.user, layout_id, expected_revisions(request))
    return nothing()


ROUTES = Routes(
    (
        get_layouts,
        save_layout,
        rename_layout,
        remove_layouts,
        get_default_layout,
        set_default_layout,
        list_layouts,
        create_layout,
        import_layouts,
        read_layout,
        replace_layout,
        change_layout,
        delete_layout,
    ),
    cached=dict.fromkeys(
        ("/layouts", "/layouts/layouts", "/layouts/default", "/layouts/layouts/default", "/default"), LAYOUTS_READ
    ),
)
