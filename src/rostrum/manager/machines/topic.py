"""Machines: the computers that desktops run on, as clients have reported them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Update, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import found
from rostrum.manager.kinds import Kind
from rostrum.manager.records import JSON_TEXT, Records, described, listing
from rostrum.manager.storage import Storage
from rostrum.manager.topic import Purge, Topic, older_than

_MACHINE = tables.machines.c
_SESSION = tables.sessions.c

_SEE = update(tables.machines).where(_MACHINE.id == bindparam("its_id"))
_DESCRIBE = _SEE.where(_MACHINE.owner.is_(None) | (_MACHINE.owner == bindparam("its_owner")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A computer on which clients run, as they described it.

    Attributes:
        owner: The user who described it first; only this user can change the description.

    """

    id: str
    name: str
    info: str = field(metadata=JSON_TEXT)
    owner: str | None = field(
        metadata=described("The user who described it first, and whose sessions alone update it.")
    )
    first_seen: datetime
    last_seen: datetime


class Machines(Records[Machine]):
    """The machines of one transaction."""

    kind = Kind.MACHINE
    table = tables.machines
    record = Machine
    listing = listing(
        Machine,
        tables.machines,
        "id",
        "name",
        lists={"user": lambda name: exists().where(_SESSION.machine_id == _MACHINE.id, _SESSION.user_id == name)},
    )

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

    async def purge(self, before: datetime) -> int:
        """Delete machines without a session that were last seen before a time; return their number."""
        used = exists().where(_SESSION.machine_id == _MACHINE.id)
        gone = await self._connection.execute(delete(tables.machines).where(_MACHINE.last_seen < before, ~used))
        return gone.rowcount

    async def _update(self, statement: Update, machine_id: str, values: dict[str, Any]) -> bool:
        return (await self._connection.execute(statement, {"its_id": machine_id, **values})).rowcount > 0


class MachineService:
    """The machines that were seen."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, query: Query) -> Page[Machine]:
        require(identity, Permission.MACHINES_READ)
        async with self._storage.read() as work:
            return await work.of(Machines).page(query)

    async def get(self, identity: Identity, machine_id: str) -> Machine:
        require(identity, Permission.MACHINES_READ)
        async with self._storage.read() as work:
            return found(await work.of(Machines).get(machine_id), "machine", machine_id)

    async def remove(self, identity: Identity, machine_id: str) -> None:
        """Delete a machine. It is listed again when one of its clients starts."""
        require(identity, Permission.MACHINES_WRITE)
        async with self._storage.write(identity.user) as work:
            found(await work.of(Machines).get(machine_id), "machine", machine_id)
            await work.of(Machines).remove(machine_id)


TOPIC = Topic(
    services=lambda parts: {"machines": MachineService(parts.storage)},
    routes=("machines.routes",),
    repositories={Kind.MACHINE: Machines},
    on_removed={Kind.USER: lambda work, user: work.of(Machines).disown(user)},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_sessions_after_days, work.of(Machines).purge),
            "machines",
            Kind.MACHINE,
        ),
    ),
)
