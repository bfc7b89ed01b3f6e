"""Stores groups, and the groups that they inherit from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.links import Links
from rostrum.manager.database.many_rows import ByKeys
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import later, stamp_columns, stamp_of
from rostrum.manager.document import Stamp
from rostrum.manager.groups.model import Group, problems_of_new_groups, refuse_new_groups
from rostrum.manager.kinds import Kind

_EXPANSIONS = Links(tables.group_expansions)
_MEMBERS = Links(tables.user_groups)
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
    links={"expandsTo": _EXPANSIONS},
)


_ALL = select(tables.groups)
_ONE = _ALL.where(_GROUP.name == bindparam("its_name"))
_ADD = insert(tables.groups)
_PUT = update(tables.groups).where(_GROUP.name == bindparam("its_name"))
_REMOVE = delete(tables.groups).where(_GROUP.name == bindparam("its_name"))
_HOLDERS = _ALL.where(_EXPANSIONS.holds_its_value(_GROUP.name))
_PRIORITIES = ByKeys(select(_GROUP.name, _GROUP.priority).where, _GROUP.name)
_MEMBER_COUNTS = ByKeys(select(_MEMBERS.value, func.count()).group_by(_MEMBERS.value).where, _MEMBERS.value)


class Groups(Documents[Group]):
    """The groups of one transaction."""

    kind = Kind.GROUP
    key_column = _GROUP.name
    listing = _LISTING

    async def get(self, name: str) -> Group | None:
        row = (await self._connection.execute(_ONE, {"its_name": name})).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def page(self, query: Query) -> Page[Group]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(await self._records(found.rows))

    async def graph(self) -> Mapping[str, tuple[str, ...]]:
        return await _EXPANSIONS.everything(self._connection)

    async def priorities(self, names: Iterable[str] | None = None) -> Mapping[str, int]:
        """Read the priorities of several groups, or of all; unknown groups are left out."""
        if names is not None:
            return dict(await _PRIORITIES.rows(self._connection, list(names)))
        rows = await self._connection.execute(select(_GROUP.name, _GROUP.priority))
        return {row.name: row.priority for row in rows}

    async def member_counts(self, names: Iterable[str]) -> Mapping[str, int]:
        """Count the direct members of each of these groups."""
        return dict(await _MEMBER_COUNTS.rows(self._connection, list(names)))

    async def problems_of_new(self, names: Iterable[str]) -> dict[str, str]:
        """Return, by name, why those of these groups that do not exist cannot be created."""
        wanted = set(names)
        if wanted <= (await self.priorities(wanted)).keys():
            return {}
        return problems_of_new_groups(wanted, await self.priorities())

    async def add(self, group: Group) -> None:
        refuse_new_groups(await self.problems_of_new([group.name]))
        self._journal.wrote(group)
        await self._insert(group)

    async def add_missing(self, names: Iterable[str], stamp: Stamp, *, as_stored: bool = False) -> None:
        """Create the groups that do not exist yet; ``as_stored`` accepts names that another server has already."""
        wanted = set(names)
        known = await self.priorities(wanted) if wanted else {}
        new = sorted(wanted.difference(known))
        if new and not as_stored:
            refuse_new_groups(await self.problems_of_new(new))
        for name in new:
            group = Group(name=name, stamp=stamp)
            self._journal.wrote(group, implied=True)
            await self._insert(group)

    async def put(self, group: Group) -> None:
        await self._about_to_change(group.name)
        await self._put_lists(group, expands_to=_EXPANSIONS)
        self._journal.wrote(group)
        await self._connection.execute(_PUT, {"its_name": group.name, **_columns(group)})

    async def remove(self, name: str) -> None:
        """Delete a group, and remove it from every list that names it."""
        await self._forget([name])
        await _EXPANSIONS.drop_owner(self._connection, name)
        await self._drop_expansion(name, self._work.stamp())
        await self._work.removed(Kind.GROUP, name)
        await self._connection.execute(_REMOVE, {"its_name": name})

    async def _insert(self, group: Group) -> None:
        await self._connection.execute(_ADD, _columns(group))
        await _EXPANSIONS.add(self._connection, {group.name: group.expands_to})

    async def _drop_expansion(self, name: str, stamp: Stamp) -> None:
        holders = await self._records((await self._connection.execute(_HOLDERS, {"its_value": name})).all())
        for group in holders:
            left = tuple(other for other in group.expands_to if other != name)
            self._journal.wrote(replace(group, expands_to=left, stamp=later(group.stamp, stamp)), implied=True)
        if holders:
            await _EXPANSIONS.drop_value(self._connection, name, _GROUP.name, stamp)

    async def _records(self, rows: Sequence[Row[Any]]) -> list[Group]:
        expansions = await _EXPANSIONS.of(self._connection, [row.name for row in rows])
        return self._read(
            Group(name=row.name, priority=row.priority, expands_to=expansions[row.name], stamp=stamp_of(row))
            for row in rows
        )


def _columns(group: Group) -> dict[str, Any]:
    return {"name": group.name, "priority": group.priority, **stamp_columns(group.stamp)}
