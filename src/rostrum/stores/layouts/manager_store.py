"""The server store: layouts kept by the manager, told of changes as they happen."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from rostrum.client.changes import Kind
from rostrum.client.connection import Connection
from rostrum.stores.layouts.remote_store import RemoteLayoutStore

__all__ = ["ManagerLayoutStore"]

_INTERVAL = 30.0


class ManagerLayoutStore(RemoteLayoutStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

    def __init__(self, manager: Connection, folder: Path, user: str) -> None:
        """Take the connection of the user who is logged in; nobody sees the copy of another."""
        mark = hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        super().__init__(
            f"server {manager.client.service.shown}",
            manager.client.layouts,
            folder / mark,
            interval=_INTERVAL,
            needed=lambda: not manager.changes.connected,
        )
        self._changes = manager.changes
        self._deaf: Callable[[], None] = lambda: None

    async def open(self) -> None:
        """Ask, and listen from the same moment on."""
        self._deaf = self._changes.changed.connect(self._hear)
        await super().open()

    async def close(self) -> None:
        """Stop listening and asking."""
        self._deaf()
        await super().close()

    def _hear(self, kind: Kind) -> None:
        if kind == "layouts":
            self.wake()
