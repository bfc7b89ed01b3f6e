"""Apps: routes for clients, the FDC3 app directory, and admin routes."""

from typing import Annotated, Any
from urllib.parse import quote

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.app_entries import AppChange, AppEntry, AppImport, Applications, AppList, AppView, ImportView
from rostrum.manager.access.identity import NOBODY
from rostrum.manager.access.permissions import Permission
from rostrum.manager.apps.model import App
from rostrum.manager.apps.service import AppService
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.cacheable_routes import APPS_READ
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, answer_bytes, created, document, expected_revisions, nothing
from rostrum.manager.topic import Routes

AppKey = Annotated[str, PathParameter(description="The app's name.", max_length=256)]


_MAY_BE_ANONYMOUS = {PUBLIC: lambda config: config.directory_anonymous}


@get("/apps", operation_id="getApps", tags=["client"], **answers(200, Applications, 304))
async def get_apps(request: ManagerRequest, shared_apps: Part[SharedApps]) -> Response[Any]:
    """Return the app definitions that are available to the caller. Use this address for `rest` app stores."""
    apps = await shared_apps.of(request.auth)
    return answer_bytes(request, b'{"applications":%b}' % apps.content)


@get("/v2/apps", operation_id="getDirectory", tags=["client"], opt=_MAY_BE_ANONYMOUS, **answers(200, Applications, 304))
async def get_directory(
    request: ManagerRequest, apps: Part[AppService], shared_apps: Part[SharedApps]
) -> Response[Any]:
    """Return the apps as an FDC3 2.2 app directory. Without credentials: the public apps, if the server allows it."""
    if request.scope["user"] is None:
        return _for_all_origins(answer_bytes(request, (await shared_apps.directory(NOBODY)).content))
    return answer(request, {"applications": await apps.directory(request.user), "message": "OK"})


@get(
    "/v2/apps/{app_id:str}",
    operation_id="getDirectoryApp",
    tags=["client"],
    opt=_MAY_BE_ANONYMOUS,
    **answers(200, dict[str, Any], 304, 404),
)
async def get_directory_app(request: ManagerRequest, apps: Part[AppService], app_id: AppKey) -> Response[Any]:
    """Return one record of the FDC3 app directory. `name@host` is also accepted."""
    if request.scope["user"] is None:
        return _for_all_origins(answer(request, await apps.directory_record(NOBODY, app_id)))
    return answer(request, await apps.directory_record(request.user, app_id))


@get(
    "/admin/apps", operation_id="listApps", tags=["apps"], **answers(200, AppList, 304, 403, right=Permission.APPS_READ)
)
async def list_apps(request: ManagerRequest, apps: Part[AppService], wanted: Wanted) -> Response[Any]:
    """List apps; filters: name, type, title, public, disabled, accessList."""
    page = await apps.page(request.user, wanted)
    return answer(request, page_view(page, App.as_json))


@post(
    "/admin/apps",
    operation_id="createApp",
    tags=["apps"],
    **answers(201, AppView, 403, 409, 413, right=Permission.APPS_WRITE),
)
async def create_app(request: ManagerRequest, apps: Part[AppService], data: JSONBody[AppEntry]) -> Response[Any]:
    """Create an app."""
    app = await apps.create(request.user, data)
    return created(app.as_json(), app.stamp.revision, f"{request.url.path}/{quote(app.name, safe='')}")


@post(
    "/admin/imports/apps",
    operation_id="importApps",
    tags=["apps"],
    **answers(200, ImportView, 403, 409, 413, right=Permission.APPS_WRITE),
)
async def import_apps(request: ManagerRequest, apps: Part[AppService], data: JSONBody[AppImport]) -> Response[Any]:
    """Import several apps. If one is invalid, none is imported."""
    new, replaced = await apps.import_all(request.user, data)
    return answer(request, {"created": new, "replaced": replaced})


@get(
    "/admin/apps/{app_name:str}",
    operation_id="readApp",
    tags=["apps"],
    **answers(200, AppView, 304, 403, 404, right=Permission.APPS_READ),
)
async def read_app(request: ManagerRequest, apps: Part[AppService], app_name: AppKey) -> Response[Any]:
    """Read an app."""
    app = await apps.get(request.user, app_name)
    return document(request, app.as_json(), app.stamp.revision)


@put(
    "/admin/apps/{app_name:str}",
    operation_id="replaceApp",
    tags=["apps"],
    **answers(200, AppView, 403, 404, 412, 413, right=Permission.APPS_WRITE),
)
async def replace_app(
    request: ManagerRequest, apps: Part[AppService], app_name: AppKey, data: JSONBody[AppEntry]
) -> Response[Any]:
    """Replace an app."""
    app = await apps.replace(request.user, app_name, data, expected_revisions(request))
    return document(request, app.as_json(), app.stamp.revision)


@patch(
    "/admin/apps/{app_name:str}",
    operation_id="changeApp",
    tags=["apps"],
    **answers(200, AppView, 403, 404, 412, 413, right=Permission.APPS_WRITE),
)
async def change_app(
    request: ManagerRequest, apps: Part[AppService], app_name: AppKey, data: JSONBody[AppChange]
) -> Response[Any]:
    """Change the properties that are sent."""
    app = await apps.change(request.user, app_name, data, expected_revisions(request))
    return document(request, app.as_json(), app.stamp.revision)


@delete(
    "/admin/apps/{app_name:str}",
    operation_id="deleteApp",
    tags=["apps"],
    **answers(204, None, 403, 404, 412, right=Permission.APPS_WRITE),
)
async def delete_app(request: ManagerRequest, apps: Part[AppService], app_name: AppKey) -> Response[None]:
    """Delete an app."""
    await apps.remove(request.user, app_name, expected_revisions(request))
    return nothing()


def _for_all_origins(response: Response[Any]) -> Response[Any]:
    """Allow pages of all origins to read responses that are public."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


ROUTES = Routes(
    (
        get_apps,
        get_directory,
        get_directory_app,
        list_apps,
        create_app,
        import_apps,
        read_app,
        replace_app,
        change_app,
        delete_app,
    ),
    cached={"/apps": APPS_READ, "/v2/apps": APPS_READ},
)
