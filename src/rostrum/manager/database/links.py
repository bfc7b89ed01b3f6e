"""Lists of names that belong to documents, stored in tables with two columns."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.database.many_rows import ByKeys, ManyKeys, ManyRows
from rostrum.manager.database.rows import in_slices
from rostrum.manager.document import Stamp

_BATCH = 1000
_MOST_STATEMENTS = 3
"""Up to this number of new values, each is one statement for all its owners."""


class Links:
    """The lists of one kind, for example the groups of users."""

    def __init__(self, table: Table) -> None:
        """Use the table: owner first, value second."""
        self.table = table
        self.owner: Column[Any]
        self.value: Column[Any]
        self.owner, self.value = table.columns
        self._everything = select(self.owner, self.value).order_by(self.owner, self.value)
        self._of = ByKeys(self._everything.where, self.owner)
        self._add = insert(table)
        self._drop_owner = delete(table).where(self.owner == bindparam("its_owner"))
        self._drop_value = delete(table).where(self.value == bindparam("its_value"))
        which = (self.owner == bindparam("its_owner"), self.value == bindparam("its_value"))
        self._remove = ManyRows(delete(table).where(*which), table.name, ("its_owner", "its_value"))
        self._insert = ManyRows(insert(table), table.name, (self.owner.name, self.value.name))
        names = f"{table.name} ({self.owner.name}, {self.value.name})"
        self._insert_one = ManyKeys(f"INSERT INTO {names} SELECT its.key, :{self.value.name} FROM {{keys}}", table)  # noqa: S608 - names of columns

    async def of(self, connection: AsyncConnection, owners: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Read the lists of several owners, each in alphabetical order."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        wanted = list(owners)
        for start in range(0, len(wanted), _BATCH):
            for owner, value in await self._of.rows(connection, wanted[start : start + _BATCH]):
                found[owner].append(value)
        lists: dict[str, tuple[str, ...]] = dict.fromkeys(wanted, ())
        lists.update((owner, tuple(values)) for owner, values in found.items())
        return lists

    async def everything(self, connection: AsyncConnection) -> Mapping[str, tuple[str, ...]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        async for owner, value in in_slices((await connection.execute(self._everything)).all()):
            found[owner].append(value)
        return {owner: tuple(values) for owner, values in found.items()}

    async def of_all(self, connection: AsyncConnection, owners: Iterable[str] | None) -> Mapping[str, tuple[str, ...]]:
        """Read the lists of several owners, or all lists; owners without a list may be omitted."""
        return await self.everything(connection) if owners is None else await self.of(connection, owners)

    async def add(self, connection: AsyncConnection, lists: Mapping[str, Iterable[str]]) -> None:
        """Add the lists of owners without a list."""
        rows = [
            {self.owner.name: owner, self.value.name: value}
            for owner, values in lists.items()
            for value in sorted(set(values))
        ]
        if rows:
            await connection.execute(self._add, rows)

    async def change(
        self, connection: AsyncConnection, lists: Iterable[tuple[str, Iterable[str], Iterable[str]]]
    ) -> None:
        """Change the lists of several owners: each owner with the values before and after."""
        gone: list[tuple[str, str]] = []
        new: defaultdict[str, list[str]] = defaultdict(list)
        for owner, before, after in lists:
            old, values = set(before), set(after)
            gone += ((owner, value) for value in old - values)
            for value in values - old:
                new[value].append(owner)
        await self._remove.execute(connection, sorted(gone))
        if len(new) > _MOST_STATEMENTS:
            rows = sorted((owner, value) for value, owners in new.items() for owner in owners)
            await self._insert.execute(connection, rows)
            return
        # Mostly, many owners get the same value.
        for value, owners in new.items():
            await self._insert_one.execute(connection, owners, {self.value.name: value})

    async def drop_owner(self, connection: AsyncConnection, owner: str) -> None:
        await connection.execute(self._drop_owner, {"its_owner": owner})

    async def drop_value(self, connection: AsyncConnection, value: str, documents: Column[Any], stamp: Stamp) -> None:
        """Remove a value from every list, and set the stamp of the documents whose lists contained it."""
        owners = select(self.owner).where(self.value == value)
        changed = {"revision": stamp.revision, "modified": stamp.modified, "modified_by": stamp.modified_by}
        await connection.execute(update(documents.table).where(documents.in_(owners)).values(changed))
        await connection.execute(self._drop_value, {"its_value": value})

    def among(self, owner: ColumnElement[Any], value: str) -> ColumnElement[bool]:
        """Return the same condition as ``holds`` for one value, in a form that finds the owners with the index."""
        return owner.in_(select(self.owner).where(self.value == value))

    def holds_its_value(self, owner: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return the same condition as ``holds`` for one value, the parameter ``its_value`` of the statement."""
        return exists().where(self.owner == owner, self.value == bindparam("its_value"))

    def holds(self, owner: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
        """Return the SQL condition that the owner's list contains one of these values."""
        return exists().where(self.owner == owner, self.value.in_(list(values)))
