"""Addresses of app directories that are read without credentials."""

from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, select

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.directories.model import DirectoryAddress
from rostrum.manager.kinds import Action, Kind

_ADDRESS = tables.directory_addresses.c

_LISTING = Listing(
    fields={
        "id": _ADDRESS.id,
        "user": _ADDRESS.user_id,
        "group": _ADDRESS.group_name,
        "description": _ADDRESS.description,
        "created": _ADDRESS.created,
        "createdBy": _ADDRESS.created_by,
    },
    searched=("description",),
    key="id",
)
_ALL = select(tables.directory_addresses)


class DirectoryAddresses(Repository):
    """The directory addresses of one transaction."""

    async def get(self, address_id: str) -> DirectoryAddress | None:
        statement = select(tables.directory_addresses).where(_ADDRESS.id == address_id)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else _record(row)

    async def find(self, key_hash: str) -> DirectoryAddress | None:
        """Read the address with this key, of which only the hash is stored."""
        statement = select(tables.directory_addresses).where(_ADDRESS.key_hash == key_hash)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[DirectoryAddress]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all addresses that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def count(self) -> int:
        number: int = await self._connection.scalar(select(func.count()).select_from(tables.directory_addresses)) or 0
        return number

    async def add(self, address: DirectoryAddress) -> None:
        await self._connection.execute(
            insert(tables.directory_addresses).values(
                id=address.id,
                key_hash=address.key_hash,
                user_id=address.user,
                group_name=address.group,
                description=address.description,
                created=address.created,
                created_by=address.created_by,
            )
        )
        self._journal.noted(Kind.DIRECTORY, address.id, Action.CREATED, after=_shown(address))

    async def remove(self, address_id: str) -> bool:
        return bool(await self._remove(_ADDRESS.id == address_id))

    async def remove_of_user(self, user_id: str) -> None:
        await self._remove(_ADDRESS.user_id == user_id)

    async def remove_of_group(self, name: str) -> None:
        await self._remove(_ADDRESS.group_name == name)

    async def _remove(self, which: ColumnElement[bool]) -> int:
        found = (await self._connection.execute(select(tables.directory_addresses).where(which))).all()
        for address in map(_record, found):
            self._journal.noted(Kind.DIRECTORY, address.id, Action.DELETED, before=_shown(address))
        await self._connection.execute(delete(tables.directory_addresses).where(which))
        return len(found)


def _shown(address: DirectoryAddress) -> dict[str, Any]:
    """Return the data for the audit, without the key."""
    return {"user": address.user, "group": address.group, "description": address.description}


def _record(row: Row[Any]) -> DirectoryAddress:
    return DirectoryAddress(
        id=row.id,
        key_hash=row.key_hash,
        user=row.user_id,
        group=row.group_name,
        description=row.description,
        created=row.created,
        created_by=row.created_by,
    )
