"""Groups and what they expand to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import Group, Stamp
from rostrum.manager.storage.sql import tables
from rostrum.manager.storage.sql.links import Links
from rostrum.manager.storage.sql.paging import Listing
from rostrum.manager.storage.sql.stamps import stamp_columns, stamp_of

__all__ = ["Groups"]

_EXPANSIONS = Links(tables.group_expansions)
_MEMBERS = Links(tables.user_groups)
_APP_ACCESS = Links(tables.app_access)
_LAYOUT_ACCESS = Links(tables.layout_access)
_GROUP = tables.groups.c

_LISTING = Listing(
    fields={
        "name": _GROUP.name,
        "priority": _GROUP.priority,
        "created": _GROUP.created,
        "createdBy": _GROUP.created_by,
        "modified": _GROUP.modified,
        "modifiedBy": _GROUP.modified_by,
    },
    searched=("name",),
    key="name",
    lists={"expandsTo": lambda name: _EXPANSIONS.holds(_GROUP.name, [name])},
)


class Groups:
    """The groups of one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def get(self, name: str) -> Group | None:
        """Read one group."""
        row = (await self._connection.execute(select(tables.groups).where(_GROUP.name == name))).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def page(self, query: Query) -> Page[Group]:
        """Read one page of groups."""
        rows, total = await _LISTING.page(self._connection, select(tables.groups), query)
        return Page(items=tuple(await self._records(rows)), total=total)

    async def graph(self) -> Mapping[str, tuple[str, ...]]:
        """Read which group expands to which."""
        return await _EXPANSIONS.everything(self._connection)

    async def priorities(self, names: Iterable[str]) -> Mapping[str, int]:
        """Read the priorities of several groups; unknown groups are left out."""
        statement = select(_GROUP.name, _GROUP.priority).where(_GROUP.name.in_(list(names)))
        return {row.name: row.priority for row in await self._connection.execute(statement)}

    async def member_counts(self, names: Iterable[str]) -> Mapping[str, int]:
        """Count the users that were put into each of these groups."""
        statement = select(_MEMBERS.value, func.count()).where(_MEMBERS.value.in_(list(names))).group_by(_MEMBERS.value)
        return {row[0]: row[1] for row in await self._connection.execute(statement)}

    async def add(self, group: Group) -> None:
        """Keep a new group."""
        await self._connection.execute(insert(tables.groups).values(_columns(group)))
        await _EXPANSIONS.put(self._connection, group.name, group.expands_to)

    async def add_missing(self, names: Iterable[str], stamp: Stamp) -> None:
        """Make a group of each name that has none yet."""
        wanted = set(names)
        known = await self.priorities(wanted)
        for name in sorted(wanted.difference(known)):
            await self.add(Group(name=name, stamp=stamp))

    async def put(self, group: Group) -> None:
        """Keep a changed group."""
        await self._connection.execute(update(tables.groups).where(_GROUP.name == group.name).values(_columns(group)))
        await _EXPANSIONS.put(self._connection, group.name, group.expands_to)

    async def remove(self, name: str, stamp: Stamp) -> None:
        """Forget a group and take it out of every list that names it."""
        await _EXPANSIONS.drop_owner(self._connection, name)
        for links, documents in (
            (_EXPANSIONS, _GROUP.name),
            (_MEMBERS, tables.users.c.id),
            (_APP_ACCESS, tables.apps.c.name),
            (_LAYOUT_ACCESS, tables.layouts.c.id),
        ):
            await links.drop_value(self._connection, name, documents, stamp)
        await self._connection.execute(delete(tables.groups).where(_GROUP.name == name))

    async def _records(self, rows: Sequence[Row[Any]]) -> list[Group]:
        expansions = await _EXPANSIONS.of(self._connection, [row.name for row in rows])
        return [
            Group(name=row.name, priority=row.priority, expands_to=expansions[row.name], stamp=stamp_of(row))
            for row in rows
        ]


def _columns(group: Group) -> dict[str, Any]:
    return {"name": group.name, "priority": group.priority, **stamp_columns(group.stamp)}
