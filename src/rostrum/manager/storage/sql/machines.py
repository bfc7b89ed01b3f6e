"""The computers that clients run on."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.journal import Journal
from rostrum.manager.storage.kinds import Action, Kind
from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import Machine
from rostrum.manager.storage.sql import tables
from rostrum.manager.storage.sql.paging import Listing

__all__ = ["Machines"]

_MACHINE = tables.machines.c
_SESSION = tables.sessions.c

_LISTING = Listing(
    fields={
        "id": _MACHINE.id,
        "name": _MACHINE.name,
        "firstSeen": _MACHINE.first_seen,
        "lastSeen": _MACHINE.last_seen,
    },
    searched=("id", "name"),
    key="id",
    lists={"user": lambda name: exists().where(_SESSION.machine_id == _MACHINE.id, _SESSION.user_id == name)},
)


class Machines:
    """The machines of one transaction."""

    def __init__(self, connection: AsyncConnection, journal: Journal) -> None:
        """Take the connection, and the journal of the transaction."""
        self._connection = connection
        self._journal = journal

    async def get(self, machine_id: str) -> Machine | None:
        """Read one machine."""
        row = (await self._connection.execute(select(tables.machines).where(_MACHINE.id == machine_id))).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Machine]:
        """Read one page of machines."""
        found = await _LISTING.page(self._connection, select(tables.machines), query)
        return found.page(map(_record, found.rows))

    async def see(self, machine_id: str, name: str, info: str, seen: datetime) -> None:
        """Keep what a client tells about its machine."""
        values = {"name": name, "info": info, "last_seen": seen}
        if await self._update(machine_id, values):
            return
        try:
            async with self._connection.begin_nested():
                await self._connection.execute(insert(tables.machines).values(id=machine_id, first_seen=seen, **values))
        except IntegrityError:
            # Two clients of a new machine started at the same moment, and the other one was faster.
            await self._update(machine_id, values)

    async def remove(self, machine_id: str) -> None:
        """Forget a machine."""
        gone = await self._connection.execute(delete(tables.machines).where(_MACHINE.id == machine_id))
        if gone.rowcount:
            self._journal.noted(Kind.MACHINE, machine_id, Action.DELETED)

    async def purge(self, before: datetime) -> int:
        """Forget the machines without a session that were last seen before a time, and say how many."""
        used = exists().where(_SESSION.machine_id == _MACHINE.id)
        gone = await self._connection.execute(delete(tables.machines).where(_MACHINE.last_seen < before, ~used))
        return gone.rowcount

    async def _update(self, machine_id: str, values: dict[str, Any]) -> bool:
        statement = update(tables.machines).where(_MACHINE.id == machine_id).values(values)
        return (await self._connection.execute(statement)).rowcount > 0


def _record(row: Row[Any]) -> Machine:
    return Machine(id=row.id, name=row.name, info=row.info, first_seen=row.first_seen, last_seen=row.last_seen)
