"""The computers on which clients run."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Update, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.machines.model import Machine

_MACHINE = tables.machines.c
_SESSION = tables.sessions.c

_LISTING = Listing(
    fields={
        "id": _MACHINE.id,
        "name": _MACHINE.name,
        "owner": _MACHINE.owner,
        "firstSeen": _MACHINE.first_seen,
        "lastSeen": _MACHINE.last_seen,
    },
    searched=("id", "name"),
    key="id",
    lists={"user": lambda name: exists().where(_SESSION.machine_id == _MACHINE.id, _SESSION.user_id == name)},
)


_ALL = select(tables.machines)
_SEE = update(tables.machines).where(_MACHINE.id == bindparam("its_id"))
_DESCRIBE = _SEE.where(_MACHINE.owner.is_(None) | (_MACHINE.owner == bindparam("its_owner")))


class Machines(Repository):
    """The machines of one transaction."""

    async def get(self, machine_id: str) -> Machine | None:
        row = (await self._connection.execute(select(tables.machines).where(_MACHINE.id == machine_id))).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Machine]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all machines that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def see(self, machine_id: str, name: str, info: str, seen: datetime, owner: str) -> None:
        """Save the data that a client sends about its machine.

        Ids come from clients, so anybody can name any machine: what one user described, no other user changes. A
        session of another user still counts as contact.
        """
        if await self.note(machine_id, name, info, seen, owner):
            return
        values = {"name": name, "info": info, "last_seen": seen, "owner": owner}
        try:
            async with self._connection.begin_nested():
                await self._connection.execute(insert(tables.machines).values(id=machine_id, first_seen=seen, **values))
        except IntegrityError:
            # Two clients of a new machine started at the same time, and the other one was first.
            await self.note(machine_id, name, info, seen, owner)

    async def note(self, machine_id: str, name: str, info: str, seen: datetime, owner: str) -> bool:
        """Do the same for a known machine; return whether it is known."""
        described = {"its_owner": owner, "name": name, "info": info, "last_seen": seen, "owner": owner}
        return await self._update(_DESCRIBE, machine_id, described) or await self._update(
            _SEE, machine_id, {"last_seen": seen}
        )

    async def disown(self, owner: str) -> None:
        """Allow the next user of these machines to describe them, because their owner is deleted."""
        await self._connection.execute(update(tables.machines).where(_MACHINE.owner == owner).values(owner=None))

    async def remove_unused(self, owner: str, limit: int) -> int:
        """Delete machines of a user without an open session, the longest unseen ones first; return their number."""
        in_use = exists().where(_SESSION.machine_id == _MACHINE.id, _SESSION.ended.is_(None))
        oldest = (
            select(_MACHINE.id)
            .where(_MACHINE.owner == owner, ~in_use)
            .order_by(_MACHINE.last_seen, _MACHINE.id)
            .limit(limit)
        )
        gone = list((await self._connection.execute(oldest)).scalars())
        for machine_id in gone:
            await self.remove(machine_id)
        return len(gone)

    async def remove(self, machine_id: str) -> None:
        gone = await self._connection.execute(delete(tables.machines).where(_MACHINE.id == machine_id))
        if gone.rowcount:
            self._journal.noted(Kind.MACHINE, machine_id, Action.DELETED)

    async def purge(self, before: datetime) -> int:
        """Delete machines without a session that were last seen before a time; return their number."""
        used = exists().where(_SESSION.machine_id == _MACHINE.id)
        gone = await self._connection.execute(delete(tables.machines).where(_MACHINE.last_seen < before, ~used))
        return gone.rowcount

    async def _update(self, statement: Update, machine_id: str, values: dict[str, Any]) -> bool:
        return (await self._connection.execute(statement, {"its_id": machine_id, **values})).rowcount > 0


def _record(row: Row[Any]) -> Machine:
    return Machine(
        id=row.id, name=row.name, info=row.info, owner=row.owner, first_seen=row.first_seen, last_seen=row.last_seen
    )
