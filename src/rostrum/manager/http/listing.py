"""The parameters of lists: limit, offset, sort, q and filters."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from litestar.params import QueryParameter

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.http.request import ManagerRequest

_OWN = frozenset({"limit", "offset", "sort", "q"})
_MOST = 1000
_FARTHEST = 10_000_000

Limit = Annotated[int, QueryParameter(ge=1, le=_MOST, description="Maximum number of items.")]
Offset = Annotated[int, QueryParameter(ge=0, le=_FARTHEST, description="Number of items to skip.")]
Sort = Annotated[
    str | None,
    QueryParameter(
        description="Fields to sort by, separated by commas; - before a field sorts in descending order.",
        max_length=200,
    ),
]
Words = Annotated[
    str | None,
    QueryParameter(description="Text to search for. Parameters with other names filter by a field.", max_length=200),
]


async def list_query(
    request: ManagerRequest, limit: Limit = 50, offset: Offset = 0, sort: Sort = None, q: Words = None
) -> Query:
    """Read the requested part of a list; parameters with other names are filters."""
    filters: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in _OWN:
            continue
        if name in filters:
            raise Invalid("invalid filter", [Problem(path=name, message="given more than once")])
        filters[name] = value
    problems = [
        Problem(path=name, message="must not hold a NUL character")
        for name, value in {"q": q or "", "sort": sort or "", **filters}.items()
        if "\0" in value
    ]
    if problems:
        raise Invalid("invalid parameters", problems)
    return Query(
        limit=limit,
        offset=offset,
        sort=tuple(name for name in (sort or "").split(",") if name),
        text=q or "",
        filters=filters,
    )


Item = TypeVar("Item")


def page_view(page: Page[Item], view: Callable[[Item], Any]) -> dict[str, Any]:
    """Return one page of a list, with ``more`` only if there are more items than were counted."""
    body = {"items": [view(item) for item in page.items], "total": page.total}
    return {**body, "more": True} if page.more else body
