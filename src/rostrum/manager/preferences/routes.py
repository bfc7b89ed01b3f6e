"""Preferences: the public preference-store contract, and the admin routes."""

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Response, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter
from pydantic import ValidationError

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.preference_entries import (
    NewPreference,
    PreferenceAnswer,
    PreferenceChange,
    PreferenceDocument,
    PreferenceList,
    PreferenceQuestion,
    PreferenceRemoval,
    PreferenceSave,
    PreferenceView,
)
from rostrum.contracts.validation_messages import problems_of
from rostrum.manager.access.permissions import Permission
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions, nothing
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.topic import Routes

PreferenceKey = Annotated[str, PathParameter(description="The preference's id.", max_length=64)]
AppName = Annotated[str | None, QueryParameter(description="The app whose preferences are wanted.", max_length=256)]


@get(
    "/prefs",
    operation_id="getPreferences",
    tags=["client"],
    **answers(200, PreferenceAnswer | list[PreferenceAnswer], 204, 304, 413),
)
async def get_preferences(
    request: ManagerRequest, preferences: Part[PreferenceService], app: AppName = None
) -> Response[Any]:
    """Return the preferences of one app, or an empty object. `app` and `apps` can also be sent in a JSON body."""
    question = await _question(request, app)
    if question.apps is not None:
        found = await preferences.own(request.user, question.apps)
        return answer(request, [preference.as_answer() for preference in found])
    if question.app is None:
        message = "name an app, or use /prefs/all for every app"
        raise Invalid("the app is not specified", [Problem(path="app", message=message)])
    found = await preferences.own(request.user, [question.app])
    if not found:
        return answer(request, {})
    if question.last_known_update is not None and not _is_newer(found[0], question.last_known_update):
        return nothing(204)
    return answer(request, found[0].as_answer())


@get("/prefs/all", operation_id="getAllPreferences", tags=["client"], **answers(200, list[PreferenceAnswer], 304))
async def get_all_preferences(request: ManagerRequest, preferences: Part[PreferenceService]) -> Response[Any]:
    """Return the preferences of all apps."""
    return answer(request, [preference.as_answer() for preference in await preferences.own(request.user)])


@post("/prefs", operation_id="savePreferences", tags=["client"], **answers(201, dict[str, Any], 403, 409, 413))
async def save_preferences(
    request: ManagerRequest, preferences: Part[PreferenceService], data: JSONBody[PreferenceSave]
) -> Response[Any]:
    """Save the preferences of one app."""
    await preferences.save(request.user, data.app, data.data)
    return Response({}, status_code=201, media_type="application/json", headers={"Cache-Control": "no-store"})


@delete("/prefs", operation_id="clearPreferences", tags=["client"], **answers(200, None, 403, 413))
async def clear_preferences(
    request: ManagerRequest, preferences: Part[PreferenceService], data: JSONBody[PreferenceRemoval | None] = None
) -> Response[Any]:
    """Delete the preferences of one app; without `app`, of all apps."""
    await preferences.clear(request.user, data.app if data else None)
    return nothing(200)


@get(
    "/admin/prefs",
    operation_id="listPreferences",
    tags=["preferences"],
    **answers(200, PreferenceList, 304, 403, right=Permission.PREFERENCES_READ),
)
async def list_preferences(
    request: ManagerRequest, preferences: Part[PreferenceService], wanted: Wanted
) -> Response[Any]:
    """List preferences; filters: user, app."""
    page = await preferences.page(request.user, wanted)
    return answer(request, page_view(page, Preference.as_json))


@post(
    "/admin/prefs",
    operation_id="createPreference",
    tags=["preferences"],
    **answers(201, PreferenceView, 403, 409, 413, right=Permission.PREFERENCES_WRITE),
)
async def create_preference(
    request: ManagerRequest, preferences: Part[PreferenceService], data: JSONBody[NewPreference]
) -> Response[Any]:
    """Create a preference for a user."""
    item = await preferences.create(request.user, data)
    return created(item.as_json(), item.stamp.revision, f"{request.url.path}/{item.id}")


@get(
    "/admin/prefs/{preference_id:str}",
    operation_id="readPreference",
    tags=["preferences"],
    **answers(200, PreferenceView, 304, 403, 404, right=Permission.PREFERENCES_READ),
)
async def read_preference(
    request: ManagerRequest, preferences: Part[PreferenceService], preference_id: PreferenceKey
) -> Response[Any]:
    """Read a preference."""
    item = await preferences.get(request.user, preference_id)
    return document(request, item.as_json(), item.stamp.revision)


@put(
    "/admin/prefs/{preference_id:str}",
    operation_id="replacePreference",
    tags=["preferences"],
    **answers(200, PreferenceView, 403, 404, 412, 413, right=Permission.PREFERENCES_WRITE),
)
async def replace_preference(
    request: ManagerRequest,
    preferences: Part[PreferenceService],
    preference_id: PreferenceKey,
    data: JSONBody[PreferenceDocument],
) -> Response[Any]:
    """Replace the data of a preference."""
    item = await preferences.replace(request.user, preference_id, data, expected_revisions(request))
    return document(request, item.as_json(), item.stamp.revision)


@patch(
    "/admin/prefs/{preference_id:str}",
    operation_id="changePreference",
    tags=["preferences"],
    **answers(200, PreferenceView, 403, 404, 412, 413, right=Permission.PREFERENCES_WRITE),
)
async def change_preference(
    request: ManagerRequest,
    preferences: Part[PreferenceService],
    preference_id: PreferenceKey,
    data: JSONBody[PreferenceChange],
) -> Response[Any]:
    """Change the data of a preference."""
    item = await preferences.change(request.user, preference_id, data, expected_revisions(request))
    return document(request, item.as_json(), item.stamp.revision)


@delete(
    "/admin/prefs/{preference_id:str}",
    operation_id="deletePreference",
    tags=["preferences"],
    **answers(204, None, 403, 404, 412, right=Permission.PREFERENCES_WRITE),
)
async def delete_preference(
    request: ManagerRequest, preferences: Part[PreferenceService], preference_id: PreferenceKey
) -> Response[None]:
    """Delete a preference."""
    await preferences.remove(request.user, preference_id, expected_revisions(request))
    return nothing()


async def _question(request: ManagerRequest, app: str | None) -> PreferenceQuestion:
    """Read the requested apps; desktops send a body with GET, which browsers cannot do."""
    body = await request.body()
    asked: Any = await request.parse_json(body) if body.strip() else {}
    if not isinstance(asked, dict):
        raise Invalid("the body must be an object")
    if app is not None:
        asked = {**asked, "app": app}
    try:
        return PreferenceQuestion.model_validate(asked)
    except ValidationError as error:
        raise Invalid("the request has problems", problems_of(error)) from None


def _is_newer(preference: Preference, known: str) -> bool:
    try:
        moment = datetime.fromisoformat(known)
    except ValueError:
        return True
    return preference.stamp.modified > (moment if moment.tzinfo else moment.replace(tzinfo=UTC))


ROUTES = Routes(
    (
        get_preferences,
        get_all_preferences,
        save_preferences,
        clear_preferences,
        list_preferences,
        create_preference,
        read_preference,
        replace_preference,
        change_preference,
        delete_preference,
    ),
    cached=dict.fromkeys(
        ("/prefs", "/prefs/all"), CacheableRoute(topics=(ContentTopic.PREFERENCES, ContentTopic.PEOPLE), may_ask=True)
    ),
)
