"""Roll-outs for administrators: a new version of an app, layout or configuration file, in stages."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.rollouts import NewRollout, RolloutList, RolloutPlan, RolloutPreview, RolloutView
from rostrum.manager.access.identity import Identity
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, expected_revisions
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.rollouts.model import TOPICS, Rollout
from rostrum.manager.rollouts.service import RolloutProgress, RolloutService
from rostrum.manager.topic import Routes

RolloutId = Annotated[str, PathParameter(description="The ID of the roll-out.", max_length=64)]
Action = Callable[[RolloutService, Identity, Kind, str], Awaitable[RolloutProgress]]

_ACTIONS: dict[str, tuple[Action, str]] = {
    "advance": (RolloutService.advance, "Start the next stage of a roll-out of {} now; a halted one continues."),
    "halt": (
        RolloutService.halt,
        "Halt a roll-out of {}: no further stage starts, and users who have the new version keep it.",
    ),
    "resume": (RolloutService.resume, "Resume a halted roll-out of {}. Earlier crashes and failures no longer count."),
    "finish": (RolloutService.finish, "Finish a roll-out of {}: the new version is saved, for all users."),
    "withdraw": (
        RolloutService.withdraw,
        "Withdraw a roll-out of {}: the new version is discarded, and all users receive the saved one.",
    ),
}


def _routes(kind: Kind) -> Iterator[HTTPRouteHandler]:
    facts = DOCUMENT_KINDS[kind]
    path = facts.path.replace("/admin/", "/admin/rollouts/")
    one = f"{path}/{{rollout_id:str}}"
    name, nouns = facts.operations, facts.many
    tags = [facts.path.removeprefix("/admin/")]

    async def listed(request: ManagerRequest, rollouts: Part[RolloutService], wanted: Wanted) -> Response[Any]:
        page = await rollouts.page(request.user, kind, wanted)
        return answer(request, page_view(page, Rollout.summary))

    async def previewed(
        request: ManagerRequest, rollouts: Part[RolloutService], data: JSONBody[RolloutPlan]
    ) -> Response[Any]:
        return answer(request, await rollouts.preview(request.user, kind, data))

    async def started(
        request: ManagerRequest, rollouts: Part[RolloutService], data: JSONBody[NewRollout]
    ) -> Response[Any]:
        progress = await rollouts.create(request.user, kind, data, expected_revisions(request))
        return created(progress.as_json(), None, f"{request.url.path}/{progress.rollout.id}")

    async def read(request: ManagerRequest, rollouts: Part[RolloutService], rollout_id: RolloutId) -> Response[Any]:
        return answer(request, (await rollouts.get(request.user, kind, rollout_id)).as_json())

    listed.__doc__ = f"List roll-outs of {nouns}, newest first; filters: key, name, status, createdBy, ticket, comment."
    previewed.__doc__ = f"Preview a roll-out of {nouns}: how many users each stage reaches. Nothing is written."
    started.__doc__ = (
        f"Roll a new version of one of the {nouns} out in stages. The users of a stage receive the new version, all "
        "others the saved one. The next stages start by themselves, unless a limit is exceeded."
    )
    read.__doc__ = f"Read a roll-out of {nouns} with its progress."
    yield get(
        path, operation_id=f"list{name}Rollouts", tags=tags, **answers(200, RolloutList, 304, 403, right=facts.read)
    )(listed)
    yield post(
        f"{path}/preview",
        operation_id=f"preview{name}Rollout",
        tags=tags,
        **answers(200, RolloutPreview, 403, 404, 413, right=facts.write),
    )(previewed)
    yield post(
        path,
        operation_id=f"start{name}Rollout",
        tags=tags,
        **answers(201, RolloutView, 403, 404, 409, 412, 413, right=facts.write),
    )(started)
    yield get(
        one, operation_id=f"read{name}Rollout", tags=tags, **answers(200, RolloutView, 304, 403, 404, right=facts.read)
    )(read)
    for word in _ACTIONS:
        yield post(
            f"{one}/{word}",
            operation_id=f"{word}{name}Rollout",
            tags=tags,
            **answers(200, RolloutView, 403, 404, 409, right=facts.write),
        )(_control(kind, word))


def _control(kind: Kind, word: str) -> Any:
    action, text = _ACTIONS[word]

    async def control(request: ManagerRequest, rollouts: Part[RolloutService], rollout_id: RolloutId) -> Response[Any]:
        return answer(request, (await action(rollouts, request.user, kind, rollout_id)).as_json())

    control.__doc__ = text.format(DOCUMENT_KINDS[kind].many)
    return control


ROUTES = Routes(tuple(handler for kind in TOPICS for handler in _routes(kind)))
