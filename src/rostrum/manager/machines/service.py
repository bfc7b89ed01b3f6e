"""Machines: the computers that clients reported."""

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import found
from rostrum.manager.machines.model import Machine
from rostrum.manager.machines.repository import Machines
from rostrum.manager.storage import Storage


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
