"""The status of the running process: version, database, health and settings, for full administrators."""

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from rostrum import __version__
from rostrum.base.clock import Clock
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require_admin
from rostrum.manager.config import SettingInForce
from rostrum.manager.errors import Unavailable
from rostrum.manager.storage import Storage


class Health(Struct, frozen=True):
    """The results of the health checks, by part."""

    is_ready: bool
    checks: Mapping[str, str]

    @property
    def status(self) -> str:
        """Return the overall result."""
        return "ok" if self.is_ready else "unavailable"


async def health_of(storage: Storage) -> Health:
    try:
        await storage.ping()
    except Unavailable:
        return Health(is_ready=False, checks={"database": "does not respond"})
    return Health(is_ready=True, checks={"database": "ok"})


class ServerState(Struct, frozen=True, kw_only=True):
    """The status of one process of the server.

    Attributes:
        node: Host name and process ID.
        database: The type of the database.
        migration: The current migration; ``None`` if the database does not respond.

    """

    version: str
    node: str
    started: datetime
    uptime_seconds: int
    database: str
    migration: str | None
    newest_migration: str
    health: Health
    settings: Sequence[SettingInForce]


class ServerService:
    """This process."""

    def __init__(self, storage: Storage, clock: Clock, settings: Callable[[], Sequence[SettingInForce]]) -> None:
        """Prepare the reports; the uptime is measured from now. The settings are read when they are requested."""
        self._storage = storage
        self._clock = clock
        self._settings = settings
        self._started = clock.now()
        self._begun = clock.monotonic()

    async def read(self, identity: Identity) -> ServerState:
        require_admin(identity)
        health = await health_of(self._storage)
        return ServerState(
            version=__version__,
            node=f"{socket.gethostname()}:{os.getpid()}",
            started=self._started,
            uptime_seconds=int(self._clock.monotonic() - self._begun),
            database=self._storage.kind,
            migration=await self._storage.version() if health.is_ready else None,
            newest_migration=self._storage.newest_version,
            health=health,
            settings=self._settings(),
        )
