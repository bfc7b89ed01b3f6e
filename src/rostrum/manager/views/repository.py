"""Stores saved views. They are not documents: changes have audit entries, but no revisions."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, or_, select, update

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.views.model import SavedView

_VIEW = tables.saved_views.c
_COLUMNS = tuple(column.name for column in tables.saved_views.columns)
_LISTING = Listing(
    fields={
        "id": _VIEW.id,
        "list": _VIEW.list,
        "name": _VIEW.name,
        "owner": _VIEW.owner,
        "shared": _VIEW.shared,
        "created": _VIEW.created,
        "modified": _VIEW.modified,
    },
    searched=("name", "owner"),
    key="id",
)

_ONE = select(tables.saved_views).where(_VIEW.id == bindparam("view"))


class SavedViews(Repository):
    """The saved views of one transaction."""

    async def get(self, view_id: str) -> SavedView | None:
        row = (await self._connection.execute(_ONE, {"view": view_id})).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query, user: str, lists: Collection[str]) -> Page[SavedView]:
        """Read one page of the user's own views and of shared views; only those of the given lists."""
        statement = select(tables.saved_views).where(
            _VIEW.list.in_(list(lists)), or_(_VIEW.owner == user, _VIEW.shared.is_(True))
        )
        found = await _LISTING.page(self._connection, statement, query)
        return found.page(map(_record, found.rows))

    async def count(self, owner: str) -> int:
        statement = select(func.count()).select_from(tables.saved_views).where(_VIEW.owner == owner)
        return await self._connection.scalar(statement) or 0

    async def has_name(self, view: SavedView) -> bool:
        """Return whether another view of the owner has the same name in the same list."""
        statement = select(_VIEW.id).where(
            _VIEW.owner == view.owner, _VIEW.list == view.list, _VIEW.name == view.name, _VIEW.id != view.id
        )
        return await self._connection.scalar(statement) is not None

    async def add(self, view: SavedView) -> None:
        self._journal.noted(Kind.SAVED_VIEW, view.id, Action.CREATED, after=_shown(view))
        await self._connection.execute(insert(tables.saved_views).values(asdict(view)))

    async def put(self, before: SavedView, after: SavedView) -> None:
        self._journal.noted(Kind.SAVED_VIEW, after.id, Action.CHANGED, _shown(before), _shown(after))
        await self._connection.execute(update(tables.saved_views).where(_VIEW.id == after.id).values(asdict(after)))

    async def remove(self, view: SavedView) -> None:
        self._journal.noted(Kind.SAVED_VIEW, view.id, Action.DELETED, before=_shown(view))
        await self._connection.execute(delete(tables.saved_views).where(_VIEW.id == view.id))

    async def remove_of_user(self, user_id: str) -> None:
        """Delete the private views of a user; shared views are kept, because other users use them."""
        await self._connection.execute(
            delete(tables.saved_views).where(_VIEW.owner == user_id, _VIEW.shared.is_(False))
        )


def _shown(view: SavedView) -> dict[str, Any]:
    """Return the data for the audit log."""
    return {name: getattr(view, name) for name in ("list", "name", "owner", "shared", "search")}


def _record(row: Row[Any]) -> SavedView:
    return SavedView(**{name: getattr(row, name) for name in _COLUMNS})
