"""Commands to client sessions, and their results."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.commands.model import Command
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.events.model import EventKind
from rostrum.manager.history.journal import Journal
from rostrum.manager.kinds import Action, Kind

_COMMAND = tables.commands.c

_LISTING = Listing(
    fields={
        "id": _COMMAND.id,
        "session": _COMMAND.session_id,
        "user": _COMMAND.user_id,
        "command": _COMMAND.command,
        "status": _COMMAND.status,
        "created": _COMMAND.created,
        "createdBy": _COMMAND.created_by,
        "delivered": _COMMAND.delivered,
        "finished": _COMMAND.finished,
    },
    searched=("command", "user", "session"),
    key="id",
)


class Commands:
    """The commands of one transaction."""

    def __init__(self, connection: AsyncConnection, journal: Journal) -> None:
        self._connection = connection
        self._journal = journal

    async def get(self, command_id: str) -> Command | None:
        row = (await self._connection.execute(select(tables.commands).where(_COMMAND.id == command_id))).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Command]:
        found = await _LISTING.page(self._connection, select(tables.commands), query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all commands that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def unanswered(self, session_id: str) -> list[Command]:
        """Read the commands of a session without a result, oldest first."""
        statement = (
            select(tables.commands)
            .where(_COMMAND.session_id == session_id, _COMMAND.finished.is_(None))
            .order_by(_COMMAND.created, _COMMAND.id)
        )
        return [_record(row) for row in await self._connection.execute(statement)]

    async def add(self, *commands: Command) -> None:
        for command in commands:
            told = {"session": command.session, "user": command.user, "command": command.command}
            params = {"params": msgspec.Raw(command.params.encode())}
            self._journal.announce(EventKind.COMMANDS, command.user, command.session)
            self._journal.noted(Kind.COMMAND, command.id, Action.CREATED, after={**told, **params})
        rows = [
            {
                "id": command.id,
                "session_id": command.session,
                "user_id": command.user,
                "command": command.command,
                "params": command.params,
                "status": command.status,
                "data": command.data,
                "created": command.created,
                "created_by": command.created_by,
                "delivered": command.delivered,
                "finished": command.finished,
            }
            for command in commands
        ]
        if rows:
            await self._connection.execute(insert(tables.commands), rows)

    async def deliver(self, session_id: str, delivered: datetime) -> None:
        """Record that a session has fetched its commands."""
        await self._connection.execute(
            update(tables.commands)
            .where(_COMMAND.session_id == session_id, _COMMAND.delivered.is_(None), _COMMAND.finished.is_(None))
            .values(delivered=delivered, status="delivered")
        )

    async def finish(self, command_id: str, status: str, data: str | None, finished: datetime) -> bool:
        """Store the result of a command, unless it has one; return whether it was stored."""
        changed = await self._connection.execute(
            update(tables.commands)
            .where(_COMMAND.id == command_id, _COMMAND.finished.is_(None))
            .values(status=status, data=data, finished=finished)
        )
        if changed.rowcount:
            # The result is stored only with the command, because it can be a complete log.
            self._journal.noted(Kind.COMMAND, command_id, Action.CHANGED, {"status": None}, {"status": status})
        return changed.rowcount > 0

    async def remove(self, command_id: str) -> None:
        statement = delete(tables.commands).where(_COMMAND.id == command_id)
        for row in await self._connection.execute(statement.returning(_COMMAND.user_id, _COMMAND.session_id)):
            self._journal.announce(EventKind.COMMANDS, row.user_id, row.session_id)
            self._journal.noted(Kind.COMMAND, command_id, Action.DELETED)

    async def purge(self, before: datetime) -> int:
        """Delete commands from before a time, and return their number."""
        gone = await self._connection.execute(delete(tables.commands).where(_COMMAND.created < before))
        return gone.rowcount


def _record(row: Row[Any]) -> Command:
    return Command(
        id=row.id,
        session=row.session_id,
        user=row.user_id,
        command=row.command,
        params=row.params,
        status=row.status,
        data=row.data,
        created=row.created,
        created_by=row.created_by,
        delivered=row.delivered,
        finished=row.finished,
    )
