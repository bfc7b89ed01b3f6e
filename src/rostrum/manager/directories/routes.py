"""App directories at secret addresses, for agents that cannot sign in; and their administration."""

from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.app_entries import Applications
from rostrum.contracts.directories import NewDirectory
from rostrum.manager.access.permissions import Permission
from rostrum.manager.apps.service import AppService
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.config import ManagerConfig
from rostrum.manager.directories.topic import DirectoryAddress, DirectoryService
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import ALWAYS, ANYONE, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, answer_bytes, created, nothing
from rostrum.manager.records import as_json, list_view, view
from rostrum.manager.topic import Routes

_TAGS = ["directories"]
_VIEW = view(DirectoryAddress, "DirectoryView", "A directory address, without its secret part.")
_LIST = list_view(_VIEW, "DirectoryList", "One page of directory addresses.")
_CREATED = view(
    DirectoryAddress,
    "NewDirectoryView",
    "A directory address that was just created.",
    path=(str, "The path of the app directory. It is a secret, and only answered here."),
)

DirectoryId = Annotated[str, PathParameter(description="The id of the directory address.", max_length=64)]
DirectoryKey = Annotated[str, PathParameter(description="The secret part of the directory address.", max_length=256)]
AppKey = Annotated[str, PathParameter(description="The app's name.", max_length=256)]


@get(
    "/directory/{directory_key:str}/v2/apps",
    operation_id="readSharedDirectory",
    tags=_TAGS,
    opt={PUBLIC: True},
    **answers(200, Applications, 304, 404, **ANYONE),
)
async def read_directory(
    request: ManagerRequest,
    directories: Part[DirectoryService],
    shared_apps: Part[SharedApps],
    directory_key: DirectoryKey,
) -> Response[Any]:
    """Return the apps of a directory address as an FDC3 2.2 app directory. The address is the credential."""
    viewer = await directories.viewer(directory_key)
    return answer_bytes(request, (await shared_apps.directory(viewer)).content)


@get(
    "/directory/{directory_key:str}/v2/apps/{app_id:str}",
    operation_id="readSharedDirectoryApp",
    tags=_TAGS,
    opt={PUBLIC: True},
    **answers(200, dict[str, Any], 304, 404, **ANYONE),
)
async def read_directory_app(
    request: ManagerRequest,
    directories: Part[DirectoryService],
    apps: Part[AppService],
    directory_key: DirectoryKey,
    app_id: AppKey,
) -> Response[Any]:
    """Return one record of the app directory of a directory address."""
    return answer(request, await apps.directory_record(await directories.viewer(directory_key), app_id))


@get(
    "/admin/directories",
    operation_id="listDirectories",
    tags=_TAGS,
    **answers(200, _LIST, 304, 403, right=Permission.APPS_READ),
)
async def list_directories(
    request: ManagerRequest, directories: Part[DirectoryService], wanted: Wanted
) -> Response[Any]:
    """List directory addresses, without their secret parts; filters: user, group, description."""
    return answer(request, page_view(await directories.page(request.user, wanted), as_json))


@post(
    "/admin/directories",
    operation_id="createDirectory",
    tags=_TAGS,
    **answers(201, _CREATED, 403, 409, 413, right=Permission.APPS_WRITE, confirmed=ALWAYS),
)
async def create_directory(
    request: ManagerRequest,
    directories: Part[DirectoryService],
    config: Part[ManagerConfig],
    data: JSONBody[NewDirectory],
) -> Response[Any]:
    """Create a directory address for a user or a group. Its path is a secret that only this response contains."""
    address, key = await directories.create(request.user, data)
    path = f"/{config.base}".rstrip("/") + f"/directory/{key}/v2/apps"
    return created({**as_json(address), "path": path}, None, f"{request.url.path}/{address.id}")


@delete(
    "/admin/directories/{directory_id:str}",
    operation_id="revokeDirectory",
    tags=_TAGS,
    **answers(204, None, 403, 404, right=Permission.APPS_WRITE),
)
async def revoke_directory(
    request: ManagerRequest, directories: Part[DirectoryService], directory_id: DirectoryId
) -> Response[None]:
    """Revoke a directory address. It no longer provides apps."""
    await directories.revoke(request.user, directory_id)
    return nothing()


ROUTES = Routes((read_directory, read_directory_app, list_directories, create_directory, revoke_directory))
