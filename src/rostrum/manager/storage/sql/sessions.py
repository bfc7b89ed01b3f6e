"""Client sessions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import Session
from rostrum.manager.storage.sql import tables
from rostrum.manager.storage.sql.paging import Listing

__all__ = ["Sessions"]

_SESSION = tables.sessions.c

_LISTING = Listing(
    fields={
        "id": _SESSION.id,
        "user": _SESSION.user_id,
        "machine": _SESSION.machine_id,
        "version": _SESSION.version,
        "env": _SESSION.env,
        "region": _SESSION.region,
        "product": _SESSION.product,
        "started": _SESSION.started,
        "lastSeen": _SESSION.last_seen,
        "ended": _SESSION.ended,
    },
    searched=("id", "user", "machine"),
    key="id",
    lists={},
)


class Sessions:
    """The client sessions of one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def get(self, session_id: str) -> Session | None:
        """Read one session."""
        row = (await self._connection.execute(select(tables.sessions).where(_SESSION.id == session_id))).one_or_none()
        return None if row is None else _record(row)

    async def get_many(self, session_ids: Iterable[str]) -> list[Session]:
        """Read several sessions; unknown ones are left out."""
        statement = select(tables.sessions).where(_SESSION.id.in_(list(session_ids)))
        return [_record(row) for row in await self._connection.execute(statement)]

    async def page(self, query: Query, *, seen_since: datetime | None = None) -> Page[Session]:
        """Read one page of sessions; with ``seen_since`` only the active ones."""
        statement = select(tables.sessions)
        if seen_since is not None:
            statement = statement.where(_SESSION.ended.is_(None), _SESSION.last_seen >= seen_since)
        rows, total = await _LISTING.page(self._connection, statement, query)
        return Page(items=tuple(map(_record, rows)), total=total)

    async def add(self, session: Session) -> None:
        """Keep a new session."""
        await self._connection.execute(
            insert(tables.sessions).values(
                id=session.id,
                user_id=session.user,
                machine_id=session.machine,
                version=session.version,
                env=session.env,
                region=session.region,
                product=session.product,
                commands=session.commands,
                started=session.started,
                last_seen=session.last_seen,
                ended=session.ended,
            )
        )

    async def touch(self, session_id: str, seen: datetime, commands: str | None = None) -> None:
        """Note a sign of life, and the commands the client now supports."""
        values: dict[str, Any] = {"last_seen": seen}
        if commands is not None:
            values["commands"] = commands
        await self._connection.execute(update(tables.sessions).where(_SESSION.id == session_id).values(values))

    async def end(self, session_id: str, ended: datetime) -> None:
        """Note that a session is over."""
        await self._connection.execute(
            update(tables.sessions).where(_SESSION.id == session_id, _SESSION.ended.is_(None)).values(ended=ended)
        )

    async def end_of_user(self, user_id: str, ended: datetime) -> None:
        """Note that every session of a user is over."""
        await self._connection.execute(
            update(tables.sessions).where(_SESSION.user_id == user_id, _SESSION.ended.is_(None)).values(ended=ended)
        )

    async def purge(self, before: datetime) -> int:
        """Forget the sessions last seen before a time, and say how many."""
        gone = await self._connection.execute(delete(tables.sessions).where(_SESSION.last_seen < before))
        return gone.rowcount


def _record(row: Row[Any]) -> Session:
    return Session(
        id=row.id,
        user=row.user_id,
        machine=row.machine_id,
        version=row.version,
        env=row.env,
        region=row.region,
        product=row.product,
        commands=row.commands,
        started=row.started,
        last_seen=row.last_seen,
        ended=row.ended,
    )
