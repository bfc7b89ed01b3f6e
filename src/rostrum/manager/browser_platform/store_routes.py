"""Layouts and preferences in the form that existing browser platforms read and write."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.json_text import raw
from rostrum.base.problems import Problem
from rostrum.contracts.browser_platform import (
    DefaultLayoutChoice,
    LayoutNewName,
    UserLayoutSave,
    UserLayoutView,
    UserPreferenceSave,
    UserPreferenceView,
)
from rostrum.manager.audiences import COMMON
from rostrum.manager.errors import NotFound
from rostrum.manager.http.cacheable_routes import LAYOUTS_READ
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.platform_token import PLATFORM
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, answer_bytes, nothing
from rostrum.manager.layouts.own import OwnLayout, OwnLayoutService
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.topic import Routes

_TAGS = ["browser platform"]
_PLATFORM = {PLATFORM: True}

LayoutKey = Annotated[str, PathParameter(description="The layout's id.", max_length=64)]
PreferenceApp = Annotated[str, PathParameter(description="The app that stores the preferences.", max_length=256)]


@get(
    "/user/layouts", operation_id="getUserLayouts", tags=_TAGS, opt=_PLATFORM, **answers(200, list[UserLayoutView], 304)
)
async def get_layouts(request: ManagerRequest, own_layouts: Part[OwnLayoutService]) -> Response[Any]:
    """Return the layouts that are available to the caller."""
    return answer_bytes(request, layouts_text(await own_layouts.visible(request.user)))


@post(
    "/user/layouts",
    operation_id="saveUserLayout",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserLayoutView, 403, 409, 413),
)
async def save_layout(
    request: ManagerRequest, own_layouts: Part[OwnLayoutService], data: JSONBody[UserLayoutSave]
) -> Response[Any]:
    """Create or replace a personal layout of the caller, by type and name."""
    definition = await _definition(request, data.definition)
    saved = await own_layouts.save(request.user, {**definition, "name": data.name, "type": data.type})
    return answer(request, _layout_view(saved))


@delete(
    "/user/layouts",
    operation_id="removeAllUserLayouts",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, list[UserLayoutView], 403),
)
async def remove_all_layouts(request: ManagerRequest, own_layouts: Part[OwnLayoutService]) -> Response[Any]:
    """Delete all personal layouts of the caller, and return the remaining shared layouts."""
    return answer_bytes(request, layouts_text(await own_layouts.remove_all(request.user)))


@get(
    "/user/layouts/default",
    operation_id="getUserDefaultLayout",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserLayoutView, 204, 304),
)
async def get_default_layout(request: ManagerRequest, own_layouts: Part[OwnLayoutService]) -> Response[Any]:
    """Return the default layout of the caller; 204 if the caller has none."""
    chosen = await own_layouts.get_default(request.user)
    return nothing() if chosen is None else answer(request, _layout_view(chosen))


@post(
    "/user/layouts/default",
    operation_id="setUserDefaultLayout",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserLayoutView, 204, 403, 404, 413),
)
async def set_default_layout(
    request: ManagerRequest, own_layouts: Part[OwnLayoutService], data: JSONBody[DefaultLayoutChoice]
) -> Response[Any]:
    """Set the default layout of the caller. Without an ID, clear it and return 204."""
    chosen = await own_layouts.set_default(request.user, data.id)
    return nothing() if chosen is None else answer(request, _layout_view(chosen))


@post(
    "/user/layouts/{layout_id:str}/rename",
    operation_id="renameUserLayout",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserLayoutView, 403, 404, 409, 413),
)
async def rename_layout(
    request: ManagerRequest, own_layouts: Part[OwnLayoutService], layout_id: LayoutKey, data: JSONBody[LayoutNewName]
) -> Response[Any]:
    """Rename a personal layout of the caller."""
    return answer(request, _layout_view(await own_layouts.rename(request.user, layout_id, data.new_name)))


@delete(
    "/user/layouts/{layout_id:str}",
    operation_id="removeUserLayout",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(204, None, 403, 404),
)
async def remove_layout(
    request: ManagerRequest, own_layouts: Part[OwnLayoutService], layout_id: LayoutKey
) -> Response[None]:
    """Delete a personal layout of the caller."""
    await own_layouts.remove(request.user, layout_id)
    return nothing()


@get(
    "/user/prefs",
    operation_id="getUserPreferences",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, list[UserPreferenceView], 304),
)
async def get_preferences(request: ManagerRequest, preferences: Part[PreferenceService]) -> Response[Any]:
    """Return the caller's preferences of all apps."""
    return answer(request, [_preference_view(found) for found in await preferences.own(request.user)])


@post(
    "/user/prefs",
    operation_id="saveUserPreferences",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserPreferenceView, 403, 409, 413),
)
async def save_preferences(
    request: ManagerRequest, preferences: Part[PreferenceService], data: JSONBody[UserPreferenceSave]
) -> Response[Any]:
    """Save the caller's preferences of one app."""
    saved = await preferences.store(request.user, data.app, data.data, merge=data.merge)
    return answer(request, _preference_view(saved))


@delete("/user/prefs", operation_id="clearUserPreferences", tags=_TAGS, opt=_PLATFORM, **answers(204, None, 403))
async def clear_preferences(request: ManagerRequest, preferences: Part[PreferenceService]) -> Response[None]:
    """Delete the caller's preferences of all apps."""
    await preferences.clear(request.user, None)
    return nothing()


@get(
    "/user/prefs/{preference_app:str}",
    operation_id="getUserPreference",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(200, UserPreferenceView, 304, 404),
)
async def get_preference(
    request: ManagerRequest,
    preferences: Part[PreferenceService],
    preference_app: PreferenceApp,
    last: Annotated[
        str | None, QueryParameter(max_length=256, description="Accepted, and without effect: use If-None-Match.")
    ] = None,
) -> Response[Any]:
    """Return the caller's preferences of one app."""
    # Clients check the members of the answer, so that there is no shorter one for a state that the client has.
    del last
    for found in await preferences.own(request.user, [preference_app]):
        return answer(request, _preference_view(found))
    raise NotFound("preferences of yours for the app", preference_app)


@delete(
    "/user/prefs/{preference_app:str}",
    operation_id="removeUserPreference",
    tags=_TAGS,
    opt=_PLATFORM,
    **answers(204, None, 403, 404),
)
async def remove_preference(
    request: ManagerRequest, preferences: Part[PreferenceService], preference_app: PreferenceApp
) -> Response[None]:
    """Delete the caller's preferences of one app."""
    await preferences.remove_own(request.user, preference_app)
    return nothing()


def layouts_text(layouts: Iterable[OwnLayout]) -> bytes:
    """Write layouts as a JSON array."""
    return json_text.dump([_layout_view(layout) for layout in layouts])


def _layout_view(layout: OwnLayout) -> dict[str, Any]:
    view = {"id": layout.id, "name": layout.name, "type": layout.type, "definition": layout.definition}
    owner = {} if layout.owner == COMMON else {"owner": layout.owner}
    return {**view, **owner, "default": layout.is_default}


def _preference_view(preference: Preference) -> dict[str, Any]:
    return {
        "id": preference.id,
        "app": preference.app,
        "user": preference.user,
        "data": raw(preference.data),
        "lastUpdate": preference.stamp.modified,
    }


async def _definition(request: ManagerRequest, text: str) -> dict[str, Any]:
    """Read the definition of a layout, which clients send as text."""
    try:
        definition = await request.parse_json(text)
    except Invalid as error:
        raise type(error)("the layout has problems", [Problem(path="definition", message=str(error))]) from None
    if not isinstance(definition, dict):
        raise Invalid("the layout has problems", [Problem(path="definition", message="must be the text of an object")])
    return definition


ROUTES = Routes(
    (
        get_layouts,
        save_layout,
        remove_all_layouts,
        get_default_layout,
        set_default_layout,
        rename_layout,
        remove_layout,
        get_preferences,
        save_preferences,
        clear_preferences,
        get_preference,
        remove_preference,
    ),
    cached={"/user/layouts": replace(LAYOUTS_READ, is_platform=True)},
)
