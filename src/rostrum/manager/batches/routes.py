"""Batches for administrators: one action for many documents."""

from collections.abc import Iterator
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.batches import BatchList, BatchPreviewView, BatchRequest, BatchTargetList, BatchView, NewBatch
from rostrum.manager.batches.actions import ACTIONS
from rostrum.manager.batches.model import TargetReport
from rostrum.manager.batches.service import BatchService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import RIGHTS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created
from rostrum.manager.kinds import BATCH_KINDS, Kind
from rostrum.manager.topic import Routes

BatchId = Annotated[str, PathParameter(description="The ID of the batch.", max_length=64)]


def _routes(kind: Kind) -> Iterator[HTTPRouteHandler]:
    facts = BATCH_KINDS[kind]
    path = facts.path.replace("/admin/", "/admin/batches/")
    name, nouns = facts.operations, facts.many
    tags = [facts.path.removeprefix("/admin/")]
    confirmed = RIGHTS if kind is Kind.USER else None

    async def listed(request: ManagerRequest, batches: Part[BatchService], wanted: Wanted) -> Response[Any]:
        page = await batches.page(request.user, kind, wanted)
        return answer(request, page_view(page, batches.view))

    async def previewed(
        request: ManagerRequest, batches: Part[BatchService], data: JSONBody[BatchRequest]
    ) -> Response[Any]:
        return answer(request, (await batches.preview(request.user, kind, data)).as_json())

    async def started(request: ManagerRequest, batches: Part[BatchService], data: JSONBody[NewBatch]) -> Response[Any]:
        batch, _ = await batches.create(request.user, kind, data)
        batches.start(request.user, batch)
        return created(batches.view(batch), None, f"{request.url.path}/{batch.id}")

    async def read(request: ManagerRequest, batches: Part[BatchService], batch_id: BatchId) -> Response[Any]:
        return answer(request, batches.view(await batches.get(request.user, kind, batch_id)))

    async def reported(
        request: ManagerRequest, batches: Part[BatchService], batch_id: BatchId, wanted: Wanted
    ) -> Response[Any]:
        page = await batches.targets(request.user, kind, batch_id, wanted)
        return answer(request, page_view(page, TargetReport.as_json))

    async def resumed(request: ManagerRequest, batches: Part[BatchService], batch_id: BatchId) -> Response[Any]:
        return answer(request, batches.view(await batches.resume(request.user, kind, batch_id)))

    async def cancelled(request: ManagerRequest, batches: Part[BatchService], batch_id: BatchId) -> Response[Any]:
        return answer(request, batches.view(await batches.cancel(request.user, kind, batch_id)))

    listed.__doc__ = f"List batches of {nouns}, newest first; filters: id, action, createdBy, ticket."
    previewed.__doc__ = f"Preview a batch of {nouns}: which documents would change or be refused. Nothing is written."
    started.__doc__ = (
        f"Apply an action to many {nouns}. Few documents are changed in one transaction before the response; more are "
        "changed in the background, in several transactions. A repeated request with the same key starts nothing."
    )
    read.__doc__ = f"Read the progress of a batch of {nouns}."
    reported.__doc__ = f"List the documents of a batch of {nouns}, each with its result; filter: result."
    resumed.__doc__ = f"Continue an interrupted batch of {nouns} after the last document that was changed."
    cancelled.__doc__ = f"End a batch of {nouns}. Documents that were changed stay changed."
    one = f"{path}/{{batch_id:str}}"
    yield get(
        path, operation_id=f"list{name}Batches", tags=tags, **answers(200, BatchList, 304, 403, right=facts.read)
    )(listed)
    yield post(
        f"{path}/preview",
        operation_id=f"preview{name}Batch",
        tags=tags,
        **answers(200, BatchPreviewView, 403, 409, 413, right=facts.write),
    )(previewed)
    yield post(
        path,
        operation_id=f"start{name}Batch",
        tags=tags,
        **answers(201, BatchView, 403, 409, 413, right=facts.write, confirmed=confirmed),
    )(started)
    yield get(
        one, operation_id=f"read{name}Batch", tags=tags, **answers(200, BatchView, 304, 403, 404, right=facts.read)
    )(read)
    yield get(
        f"{one}/targets",
        operation_id=f"list{name}BatchTargets",
        tags=tags,
        **answers(200, BatchTargetList, 304, 403, 404, right=facts.read),
    )(reported)
    for word, handler in (("resume", resumed), ("cancel", cancelled)):
        yield post(
            f"{one}/{word}",
            operation_id=f"{word}{name}Batch",
            tags=tags,
            **answers(
                200, BatchView, 403, 404, 409, right=facts.write, confirmed=confirmed if word == "resume" else None
            ),
        )(handler)


ROUTES = Routes(tuple(handler for kind in ACTIONS for handler in _routes(kind)))
