"""Revisions of documents: the same addresses for every document kind."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from rostrum.base.offload import offload
from rostrum.contracts.history import (
    ComparisonView,
    RevisionDocument,
    RevisionList,
    RollBack,
    RollBackAll,
    RolledBackView,
)
from rostrum.manager.access.confirmation import GIVES_RIGHTS
from rostrum.manager.history.journal import Change
from rostrum.manager.history.rollback import RollbackService, RolledBack
from rostrum.manager.history.service import HistoryService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.openapi_responses import RIGHTS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, document, expected_revisions
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.topic import Routes

Key = Annotated[str, PathParameter(description="The id or name of the document.", max_length=256)]
Point = Annotated[
    str, PathParameter(description="Number of a revision, or a time such as 2026-01-31T09:00:00Z.", max_length=64)
]

From = Annotated[
    str | None,
    QueryParameter(name="from", description="Revision or time of the older side; the one before `to`.", max_length=64),
]
To = Annotated[
    str | None, QueryParameter(name="to", description="Revision or time of the newer side; the newest.", max_length=64)
]


def _size(change: Change) -> int:
    return len(change.before or "") + len(change.after or "")


def _handlers(kind: Kind) -> tuple[HTTPRouteHandler, ...]:
    """Create the operations of one document kind."""
    facts = DOCUMENT_KINDS[kind]
    path, noun, read, write = facts.path, facts.operations, facts.read, facts.write
    one = f"{path}/{{document_id:str}}/revisions"
    tags = [path.rpartition("/")[2]]
    confirmed = RIGHTS if kind in GIVES_RIGHTS else None

    @get(one, operation_id=f"list{noun}Revisions", tags=tags, **answers(200, RevisionList, 304, 403, 404, right=read))
    async def list_revisions(
        request: ManagerRequest, history: Part[HistoryService], document_id: Key, wanted: Wanted
    ) -> Response[Any]:
        """List the revisions of a document, newest first. Includes deleted documents."""
        page = await history.page(request.user, kind, document_id, wanted)
        return answer(request, {"items": [item.as_json() for item in page.items], "total": page.total})

    @get(
        f"{one}/{{revision:str}}",
        operation_id=f"read{noun}Revision",
        tags=tags,
        **answers(200, RevisionDocument, 304, 403, 404, right=read),
    )
    async def read_revision(
        request: ManagerRequest, history: Part[HistoryService], document_id: Key, revision: Point
    ) -> Response[Any]:
        """Read a document as of a revision or a time. The revision can belong to a change of another document."""
        return answer(request, (await history.as_of(request.user, kind, document_id, revision)).as_document())

    @get(
        f"{one}/compare",
        operation_id=f"compare{noun}Revisions",
        tags=tags,
        **answers(200, ComparisonView, 304, 403, 404, right=read),
    )
    async def compare_revisions(
        request: ManagerRequest, history: Part[HistoryService], document_id: Key, before: From = None, after: To = None
    ) -> Response[Any]:
        """Compare two revisions of a document. Default: the newest revision and its predecessor."""
        found = await history.compare(request.user, kind, document_id, before=before, after=after)
        return answer(request, {"kind": kind, "id": document_id, **found.as_json()})

    @post(
        f"{path}/{{document_id:str}}/rollback",
        operation_id=f"rollBack{noun}",
        tags=tags,
        **answers(200, RevisionDocument, 403, 404, 409, 412, 413, right=write, confirmed=confirmed),
    )
    async def roll_back(
        request: ManagerRequest, rollback: Part[RollbackService], document_id: Key, data: JSONBody[RollBack]
    ) -> Response[Any]:
        """Restore a document to a revision or a time. Deleted documents are created again."""
        point, expected = str(data.revision), expected_revisions(request)
        made = await rollback.one(request.user, kind, document_id, point, expected)
        return document(request, made.as_document(), made.revision)

    @post(
        f"/admin/history/{tags[0]}/rollback",
        operation_id=f"rollBackAll{noun}s",
        tags=tags,
        **answers(200, RolledBackView, 403, 404, 409, 412, 413, right=write, confirmed=confirmed),
    )
    async def roll_back_all(
        request: ManagerRequest, rollback: Part[RollbackService], data: JSONBody[RollBackAll]
    ) -> Response[Any]:
        """Restore all documents of this kind to a revision or a time. A dry run only returns the changes."""
        point, expected = str(data.revision), expected_revisions(request)
        done = await rollback.all(request.user, kind, point, dry_run=data.dry_run, expected=expected)
        shown = await offload(sum(map(_size, done.changes)), RolledBack.as_json, done)
        return document(request, shown, done.revision or done.newest)

    return list_revisions, compare_revisions, read_revision, roll_back, roll_back_all


ROUTES = Routes(tuple(handler for kind in DOCUMENT_KINDS for handler in _handlers(kind)))
