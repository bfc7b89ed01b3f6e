"""Counts the data of a user inside the writing transaction, so that concurrent requests cannot exceed quotas."""

from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, FromClause, Integer, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from rostrum.manager.database import tables


class Amount(Struct, frozen=True):
    """The number of items, and their size in bytes."""

    count: int
    bytes: int


class _Octets(GenericFunction[int]):
    """The bytes of a text; the databases have different names for it."""

    type = Integer()
    name = "octet_length"
    inherit_cache = True


@compiles(_Octets, "sqlite")
def _octets_in_sqlite(element: _Octets, compiler: SQLCompiler, **options: Any) -> str:
    # Older versions have no octet_length; the length of a text counts characters.
    return f"length(CAST({compiler.process(element.clauses, **options)} AS BLOB))"


class Usage:
    """The stored data of users in one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def lock(self, user_id: str) -> None:
        """Make other transactions that count for this user wait until this one ends.

        Work that takes a revision needs no such lock: no other writer runs beside it.
        """
        if self._connection.dialect.name == "postgresql":
            wanted = select(tables.users.c.id).where(tables.users.c.id == user_id).with_for_update(key_share=True)
            await self._connection.execute(wanted)

    async def preferences(self, user_id: str) -> Amount:
        table = tables.preferences
        return await self._amount(table, _Octets(table.c.data), table.c.user_id == user_id)

    async def layouts(self, user_id: str) -> Amount:
        table = tables.layouts
        return await self._amount(table, _Octets(table.c.definition), table.c.owner == user_id)

    async def feedback(self, user_id: str) -> Amount:
        """Count the feedback of a user, and the bytes of its attachments."""
        return await self._reports(tables.feedback, tables.feedback.c.user_id == user_id)

    async def crashes(self, user_id: str | None) -> Amount:
        """Count the crash reports of a user, or those without one, and the bytes of their minidumps."""
        return await self._reports(tables.crashes, tables.crashes.c.user_id == user_id)

    async def machines(self, user_id: str) -> int:
        """Count the machines that a user described first."""
        return await self._count(tables.machines, tables.machines.c.owner == user_id)

    async def sessions(self, user_id: str) -> int:
        """Count the sessions of a user that have not ended."""
        return await self._count(tables.sessions, _open_sessions(user_id))

    async def kept_sessions(self, user_id: str) -> int:
        """Count all sessions of a user, including ended ones."""
        return await self._count(tables.sessions, tables.sessions.c.user_id == user_id)

    async def silent_sessions(self, user_id: str, since: datetime, limit: int) -> list[str]:
        """Return the open sessions of a user without contact since a time, the longest inactive ones first."""
        session = tables.sessions.c
        statement = (
            select(session.id)
            .where(_open_sessions(user_id), session.last_seen < since)
            .order_by(session.last_seen, session.id)
            .limit(limit)
        )
        return list((await self._connection.execute(statement)).scalars())

    async def _reports(self, table: Any, condition: ColumnElement[bool]) -> Amount:
        joined = table.outerjoin(tables.files, tables.files.c.id == table.c.file_id)
        return await self._amount(joined, tables.files.c.size, condition)

    async def _amount(self, source: FromClause, size: ColumnElement[int], condition: ColumnElement[bool]) -> Amount:
        statement = select(func.count(), func.coalesce(func.sum(size), 0)).select_from(source).where(condition)
        count, total = (await self._connection.execute(statement)).one()
        return Amount(count, int(total))

    async def _count(self, table: FromClause, condition: ColumnElement[bool]) -> int:
        return await self._connection.scalar(select(func.count()).select_from(table).where(condition)) or 0


def _open_sessions(user_id: str) -> ColumnElement[bool]:
    return (tables.sessions.c.user_id == user_id) & tables.sessions.c.ended.is_(None)
