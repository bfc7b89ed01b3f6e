"""Counts the data of a user inside the writing transaction, so that concurrent requests cannot exceed quotas."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import BindParameter, ColumnElement, FromClause, Integer, Select, bindparam, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from rostrum.manager.database import tables
from rostrum.manager.database.transaction import Repository


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


_ITS_USER: BindParameter[str] = bindparam("user", type_=tables.users.c.id.type)


def _amount(source: FromClause, size: ColumnElement[int], condition: ColumnElement[bool]) -> Select[Any, Any]:
    return select(func.count(), func.coalesce(func.sum(size), 0)).select_from(source).where(condition)


def _amount_of_reports(table: Any, condition: ColumnElement[bool]) -> Select[Any, Any]:
    joined = table.outerjoin(tables.files, tables.files.c.id == table.c.file_id)
    return _amount(joined, tables.files.c.size, condition)


def _count(table: FromClause, condition: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).select_from(table).where(condition)


_PREFERENCES = _amount(
    tables.preferences, _Octets(tables.preferences.c.data), tables.preferences.c.user_id == _ITS_USER
)
_LAYOUTS = _amount(tables.layouts, _Octets(tables.layouts.c.definition), tables.layouts.c.owner == _ITS_USER)
_FEEDBACK = _amount_of_reports(tables.feedback, tables.feedback.c.user_id == _ITS_USER)
_CRASHES = _amount_of_reports(tables.crashes, tables.crashes.c.user_id == _ITS_USER)
_CRASHES_OF_NOBODY = _amount_of_reports(tables.crashes, tables.crashes.c.user_id.is_(None))
_MACHINES = _count(tables.machines, tables.machines.c.owner == _ITS_USER)
_IS_OPEN = (tables.sessions.c.user_id == _ITS_USER) & tables.sessions.c.ended.is_(None)
_OPEN_SESSIONS = _count(tables.sessions, _IS_OPEN)
_SESSIONS = _count(tables.sessions, tables.sessions.c.user_id == _ITS_USER)
_SILENT_SESSIONS = (
    select(tables.sessions.c.id)
    .where(_IS_OPEN, tables.sessions.c.last_seen < bindparam("since"))
    .order_by(tables.sessions.c.last_seen, tables.sessions.c.id)
    .limit(bindparam("most"))
)


class Usage(Repository):
    """The stored data of users in one transaction."""

    async def lock(self, user_id: str) -> None:
        """Make other transactions that count for this user wait until this one ends.

        Work that takes a revision needs no such lock: no other writer runs beside it.
        """
        if self._connection.dialect.name == "postgresql":
            wanted = select(tables.users.c.id).where(tables.users.c.id == user_id).with_for_update(key_share=True)
            await self._connection.execute(wanted)

    async def preferences(self, user_id: str) -> Amount:
        return await self._amount(_PREFERENCES, {"user": user_id})

    async def layouts(self, user_id: str) -> Amount:
        return await self._amount(_LAYOUTS, {"user": user_id})

    async def feedback(self, user_id: str) -> Amount:
        """Count the feedback of a user, and the bytes of its attachments."""
        return await self._amount(_FEEDBACK, {"user": user_id})

    async def crashes(self, user_id: str | None) -> Amount:
        """Count the crash reports of a user, or those without one, and the bytes of their minidumps."""
        if user_id is None:
            return await self._amount(_CRASHES_OF_NOBODY, {})
        return await self._amount(_CRASHES, {"user": user_id})

    async def machines(self, user_id: str) -> int:
        """Count the machines that a user described first."""
        return await self._connection.scalar(_MACHINES, {"user": user_id}) or 0

    async def sessions(self, user_id: str) -> int:
        """Count the sessions of a user that have not ended."""
        return await self._connection.scalar(_OPEN_SESSIONS, {"user": user_id}) or 0

    async def kept_sessions(self, user_id: str) -> int:
        """Count all sessions of a user, including ended ones."""
        return await self._connection.scalar(_SESSIONS, {"user": user_id}) or 0

    async def silent_sessions(self, user_id: str, since: datetime, limit: int) -> list[str]:
        """Return the open sessions of a user without contact since a time, the longest inactive ones first."""
        values = {"user": user_id, "since": since, "most": limit}
        return list(await self._connection.scalars(_SILENT_SESSIONS, values))

    async def _amount(self, statement: Select[Any, Any], values: Mapping[str, Any]) -> Amount:
        count, total = (await self._connection.execute(statement, values)).one()
        return Amount(count, int(total))
