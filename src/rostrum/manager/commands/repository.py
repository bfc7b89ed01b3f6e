"""Commands to client sessions, and their results."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, bindparam, delete, insert, select, update

from rostrum.base import json_text
from rostrum.manager.audiences import EventKind
from rostrum.manager.commands.model import Command
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import ByKeys, one_of
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.history.journal import Change
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

# Built once: thousands of desktops report in the same seconds.
_ALL = select(tables.commands)
_ONE = _ALL.where(_COMMAND.id == bindparam("command"))
_LOCK = ByKeys(select(tables.commands).order_by(_COMMAND.id).with_for_update().where, _COMMAND.id)
_RESULT = {name: bindparam(f"its_{name}", type_=_COMMAND[name].type) for name in ("status", "data", "finished")}
_FINISH = ByKeys(
    lambda which: (
        update(tables.commands).values(_RESULT).where(which, _COMMAND.finished.is_(None)).returning(_COMMAND.id)
    ),
    _COMMAND.id,
)


_UNANSWERED = (
    select(tables.commands)
    .where(_COMMAND.session_id == bindparam("session"), _COMMAND.finished.is_(None))
    .order_by(_COMMAND.created, _COMMAND.id)
)
_ADD = insert(tables.commands)
_DELIVER = (
    update(tables.commands)
    .where(_COMMAND.session_id == bindparam("session"), _COMMAND.delivered.is_(None), _COMMAND.finished.is_(None))
    .values(delivered=bindparam("its_delivered", type_=_COMMAND.delivered.type), status="delivered")
)


class Commands(Repository):
    """The commands of one transaction."""

    async def get(self, command_id: str) -> Command | None:
        row = (await self._connection.execute(_ONE, {"command": command_id})).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Command]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all commands that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def unanswered(self, session_id: str) -> list[Command]:
        """Read the commands of a session without a result, oldest first."""
        found = await self._connection.execute(_UNANSWERED, {"session": session_id})
        return [_record(row) for row in found]

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
            await self._connection.execute(_ADD, rows)

    async def withdraw(self, *authors: str) -> int:
        """Delete the commands of users that no desktop has fetched, and return their number."""
        if not authors:
            return 0
        of_users = one_of(self._connection, _COMMAND.created_by, authors)
        unfetched = (of_users, _COMMAND.status == "pending", _COMMAND.delivered.is_(None))
        commands = list(await self._connection.scalars(select(_COMMAND.id).where(*unfetched)))
        for command in commands:
            await self.remove(command)
        return len(commands)

    async def deliver(self, session_id: str, delivered: datetime) -> None:
        """Record that a session has fetched its commands."""
        await self._connection.execute(_DELIVER, {"session": session_id, "its_delivered": delivered})

    async def lock(self, command_ids: Sequence[str]) -> dict[str, Command]:
        """Read commands by their ID, in an order in which two transactions cannot wait for each other."""
        return {row.id: _record(row) for row in await _LOCK.rows(self._connection, command_ids)}

    async def finish(
        self, command_ids: Sequence[str], status: str, data: str | None, finished: datetime
    ) -> dict[str, Change]:
        """Store the same result of commands that have none; return the changes of these, which the caller audits."""
        result = {"its_status": status, "its_data": data, "its_finished": finished}
        changed = await _FINISH.execute(self._connection, command_ids, result)
        # The result is stored only with the command, because it can be a complete log.
        before, after = (json_text.dump({"status": value}).decode() for value in (None, status))
        return {
            command_id: Change(
                kind=Kind.COMMAND, key=command_id, action=Action.CHANGED, text_before=before, after=after
            )
            for command_id in changed.scalars()
        }

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
