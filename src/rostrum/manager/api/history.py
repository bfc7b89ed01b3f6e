"""Revisions of documents: the same addresses below those of every kind of document."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from rostrum.contracts.history import RevisionDocument, RevisionList
from rostrum.manager.api.answers import answer
from rostrum.manager.api.documented import answers
from rostrum.manager.api.parts import HistoryPart, Wanted
from rostrum.manager.api.request import ManagerRequest
from rostrum.manager.api.views import revision_document, revision_view
from rostrum.manager.storage import Kind

__all__ = ["HANDLERS"]

Key = Annotated[str, PathParameter(description="The id or name of the document.", max_length=256)]
Point = Annotated[
    str,
    PathParameter(description="Number of a revision, or a time such as 2026-01-31T09:00:00Z.", max_length=64),
]


def _handlers(kind: Kind, path: str, noun: str) -> tuple[HTTPRouteHandler, ...]:
    """Make the operations of one kind of document."""
    one = f"{path}/{{document_id:str}}/revisions"
    tags = [path.rpartition("/")[2]]

    @get(one, operation_id=f"list{noun}Revisions", tags=tags, **answers(200, RevisionList, 304, 403, 404))
    async def list_revisions(
        request: ManagerRequest, history: HistoryPart, document_id: Key, wanted: Wanted
    ) -> Response[Any]:
        """List what was made of a document, newest first; of a deleted one too."""
        page = await history.page(request.user, kind, document_id, wanted)
        return answer(request, {"items": [revision_view(item) for item in page.items], "total": page.total})

    @get(
        f"{one}/{{revision:str}}",
        operation_id=f"read{noun}Revision",
        tags=tags,
        **answers(200, RevisionDocument, 304, 403, 404),
    )
    async def read_revision(
        request: ManagerRequest, history: HistoryPart, document_id: Key, revision: Point
    ) -> Response[Any]:
        """Read what a document was at a revision, which may be that of another change, or at a time."""
        return answer(request, revision_document(await history.as_of(request.user, kind, document_id, revision)))

    return list_revisions, read_revision


HANDLERS = (
    *_handlers(Kind.APP, "/admin/apps", "App"),
    *_handlers(Kind.LAYOUT, "/admin/layouts", "Layout"),
    *_handlers(Kind.PREFERENCE, "/admin/prefs", "Preference"),
    *_handlers(Kind.CONFIG, "/admin/configs", "Config"),
    *_handlers(Kind.USER, "/admin/users", "User"),
    *_handlers(Kind.GROUP, "/admin/groups", "Group"),
)
