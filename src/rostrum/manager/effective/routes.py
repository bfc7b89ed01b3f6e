"""Effective apps, layouts and settings of users, with reasons, for administrators."""

from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from rostrum.contracts.config_explanation import DraftQuestion, Explanation
from rostrum.contracts.effective import EffectiveView
from rostrum.manager.access.permissions import Permission
from rostrum.manager.configs.explanations import ExplanationService, Question
from rostrum.manager.effective.service import EffectiveQuery, EffectiveService
from rostrum.manager.effective.views import effective_view, explanation_view
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes

_TEXT = r"^[^\x00]*$"
_MOST = 1000
_ALL = "*"

UserKey = Annotated[str, PathParameter(description="The user's id.", max_length=256)]
Limit = Annotated[int, QueryParameter(ge=1, le=_MOST, description="Maximum number of items.")]
Offset = Annotated[int, QueryParameter(ge=0, le=10_000_000, description="Number of items to skip.")]


def _named(words: str) -> Any:
    return QueryParameter(max_length=256, pattern=_TEXT, description=words)


@get(
    "/admin/configs/explain",
    operation_id="explainConfig",
    tags=["configs"],
    **answers(200, Explanation, 304, 403, 404, right=Permission.SYSTEM_CONFIGS_READ),
)
async def explain_config(
    request: ManagerRequest,
    explanations: Part[ExplanationService],
    *,
    user: Annotated[str | None, _named("The user. Without one, files of users are not included.")] = None,
    group: Annotated[str | None, _named("A group that is used instead of the user's groups.")] = None,
    version: Annotated[str | None, _named("The version of the platform.")] = None,
    file: Annotated[str | None, _named("One file, such as system.json.")] = None,
    path: Annotated[
        str | None, _named("One setting or section. Settings that are not configured are listed with their defaults.")
    ] = None,
    defaults: Annotated[bool, QueryParameter(description="Also list settings that are not set.")] = False,
    limit: Limit = 200,
    offset: Offset = 0,
) -> Response[Any]:
    """Return the origin of each value, and the overridden values."""
    question = Question(
        user=user or None,
        group=None if group == _ALL else group or None,
        version=version or None,
        file=file or None,
        path=path or None,
        defaults=defaults,
        limit=limit,
        offset=offset,
    )
    return answer(request, explanation_view(await explanations.explain(request.user, question)))


@post(
    "/admin/configs/explain",
    operation_id="explainConfigDraft",
    tags=["configs"],
    **answers(200, Explanation, 403, 404, 413, right=Permission.SYSTEM_CONFIGS_READ),
)
async def explain_config_draft(
    request: ManagerRequest,
    explanations: Part[ExplanationService],
    data: JSONBody[DraftQuestion],
    *,
    limit: Limit = 200,
    offset: Offset = 0,
) -> Response[Any]:
    """Return the origin of each value of one file as if the draft were saved. Nothing is saved."""
    question = Question(
        user=data.user,
        group=data.group,
        version=data.version,
        file=data.draft.file,
        limit=limit,
        offset=offset,
        draft=data.draft,
    )
    return answer(request, explanation_view(await explanations.explain(request.user, question)))


@get(
    "/admin/users/{user_id:str}/effective",
    operation_id="readEffective",
    tags=["users"],
    **answers(200, EffectiveView, 304, 403, 404, right=Permission.USERS_READ),
)
async def read_effective(
    request: ManagerRequest,
    effective: Part[EffectiveService],
    user_id: UserKey,
    *,
    kind: Annotated[Literal["apps", "layouts", "configs"] | None, QueryParameter(description="One part only.")] = None,
    app: Annotated[str | None, _named("One app, by its name.")] = None,
    layout: Annotated[str | None, _named("One layout, by its id.")] = None,
    file: Annotated[str | None, _named("One configuration file, by its name.")] = None,
    given: Annotated[bool | None, QueryParameter(description="Only available items, or only the others.")] = None,
    version: Annotated[str | None, _named("The version of the platform, for configuration.")] = None,
    q: Annotated[str | None, _named("Text to search for in apps and layouts.")] = None,
    sort: Annotated[
        Literal["name", "-name", "given", "-given"] | None, QueryParameter(description="The order of apps and layouts.")
    ] = None,
    limit: Limit = 1000,
    offset: Offset = 0,
) -> Response[Any]:
    """Return the apps, layouts and settings of a user, with the reason for each item. `app=…` selects one app."""
    query = EffectiveQuery(
        kind=kind,
        app=app or None,
        layout=layout or None,
        file=file or None,
        given=given,
        version=version or None,
        text=q or "",
        sort=sort,
        limit=limit,
        offset=offset,
    )
    return answer(request, effective_view(await effective.of_user(request.user, user_id, query)))


ROUTES = Routes((explain_config, explain_config_draft, read_effective))
