"""App definitions and who may see them."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, exists, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import App, Stamp
from rostrum.manager.storage.sql import tables
from rostrum.manager.storage.sql.links import Links
from rostrum.manager.storage.sql.paging import Listing
from rostrum.manager.storage.sql.stamps import stamp_columns, stamp_of

__all__ = ["Apps"]

_ACCESS = Links(tables.app_access)
_GIVEN = Links(tables.user_apps)
_APP = tables.apps.c

_LISTING = Listing(
    fields={
        "name": _APP.name,
        "type": _APP.type,
        "title": _APP.title,
        "public": _APP.public,
        "disabled": _APP.disabled,
        "created": _APP.created,
        "createdBy": _APP.created_by,
        "modified": _APP.modified,
        "modifiedBy": _APP.modified_by,
    },
    searched=("name", "title"),
    key="name",
    lists={"accessList": lambda name: _ACCESS.holds(_APP.name, [name])},
)


class Apps:
    """The apps of one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def get(self, name: str) -> App | None:
        """Read one app."""
        row = (await self._connection.execute(select(tables.apps).where(_APP.name == name))).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def page(self, query: Query) -> Page[App]:
        """Read one page of apps."""
        rows, total = await _LISTING.page(self._connection, select(tables.apps), query)
        return Page(items=tuple(await self._records(rows)), total=total)

    async def visible_definitions(self, user_id: str, groups: Iterable[str]) -> list[str]:
        """Read the definitions that a user gets, by name."""
        statement = select(_APP.definition).where(_visible(user_id, groups)).order_by(_APP.name)
        return list((await self._connection.execute(statement)).scalars())

    async def visible_definition(self, name: str, user_id: str, groups: Iterable[str]) -> str | None:
        """Read one definition if the user gets it."""
        statement = select(_APP.definition).where(_APP.name == name, _visible(user_id, groups))
        found: str | None = await self._connection.scalar(statement)
        return found

    async def add(self, app: App) -> None:
        """Keep a new app."""
        await self._connection.execute(insert(tables.apps).values(_columns(app)))
        await _ACCESS.put(self._connection, app.name, app.access)

    async def put(self, app: App) -> None:
        """Keep a changed app."""
        await self._connection.execute(update(tables.apps).where(_APP.name == app.name).values(_columns(app)))
        await _ACCESS.put(self._connection, app.name, app.access)

    async def remove(self, name: str, stamp: Stamp) -> None:
        """Forget an app and take it out of every list that names it."""
        await _ACCESS.drop_owner(self._connection, name)
        await _GIVEN.drop_value(self._connection, name, tables.users.c.id, stamp)
        await self._connection.execute(delete(tables.apps).where(_APP.name == name))

    async def _records(self, rows: Sequence[Row[Any]]) -> list[App]:
        access = await _ACCESS.of(self._connection, [row.name for row in rows])
        return [
            App(
                name=row.name,
                type=row.type,
                title=row.title,
                definition=row.definition,
                public=row.public,
                access=access[row.name],
                disabled=row.disabled,
                stamp=stamp_of(row),
            )
            for row in rows
        ]


def _visible(user_id: str, groups: Iterable[str]) -> ColumnElement[bool]:
    given = exists().where(_GIVEN.owner == user_id, _GIVEN.value == _APP.name)
    return _APP.disabled.is_(False) & or_(_APP.public.is_(True), given, _ACCESS.holds(_APP.name, groups))


def _columns(app: App) -> dict[str, Any]:
    return {
        "name": app.name,
        "type": app.type,
        "title": app.title,
        "definition": app.definition,
        "public": app.public,
        "disabled": app.disabled,
        **stamp_columns(app.stamp),
    }
