"""What is kept of documents and of their revisions, to be held against what the audit says of them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Select, exists, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.audit.chain import ChangeFeed
from rostrum.manager.database import tables
from rostrum.manager.kinds import Kind

_ROW = tables.history.c
_OTHER = tables.history.alias().c
_FEW = 50
"""Bodies may be large: only so many are held at once."""

_KEYS: Mapping[Kind, Column[str]] = {
    Kind.APP: tables.apps.c.name,
    Kind.LAYOUT: tables.layouts.c.id,
    Kind.PREFERENCE: tables.preferences.c.id,
    Kind.CONFIG: tables.config_files.c.id,
    Kind.USER: tables.users.c.id,
    Kind.GROUP: tables.groups.c.name,
}


class Evidence:
    """Revisions of documents as one transaction sees them."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def kept(self, told: Sequence[ChangeFeed]) -> AsyncIterator[tuple[ChangeFeed, str]]:
        """Read what is kept of revisions that entries tell of; those that were forgotten are passed over."""
        for start in range(0, len(told), _FEW):
            some = {(one.kind, one.key, one.revision): one for one in told[start : start + _FEW]}
            statement = select(_ROW.kind, _ROW.key, _ROW.revision, _ROW.body).where(
                tuple_(_ROW.kind, _ROW.key, _ROW.revision).in_(list(some))
            )
            for row in await self._connection.execute(statement):
                yield some[row.kind, row.key, row.revision], row.body or ""

    async def newest(self, kind: Kind, keys: Sequence[str]) -> Mapping[str, tuple[int, str | None]]:
        """Read the newest revision of some documents: its number and body."""
        rows = await self._connection.execute(
            _newest(kind, _ROW.key, _ROW.revision, _ROW.body).where(_ROW.key.in_(keys))
        )
        return {row.key: (row.revision, row.body) for row in rows}

    async def vanished(self, kind: Kind) -> tuple[str, int] | None:
        """Find a document that is gone although its newest revision is no deletion."""
        there = exists().where(_KEYS[kind] == _ROW.key)
        statement = _newest(kind, _ROW.key, _ROW.revision).where(_ROW.body.is_not(None), ~there).limit(1)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else (row.key, row.revision)

    async def entry_of(self, revision: int) -> int:
        """Tell the number of the entry that tells of a revision; 0 when it is not there any more."""
        entry = tables.audit.c
        return await self._connection.scalar(select(entry.number).where(entry.revision == revision)) or 0


def _newest(kind: Kind, *columns: Any) -> Select[Any]:
    last = select(func.max(_OTHER.revision)).where(_OTHER.kind == kind, _OTHER.key == _ROW.key).scalar_subquery()
    return select(*columns).where(_ROW.kind == kind, _ROW.revision == last)
