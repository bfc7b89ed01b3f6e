"""The server store: layouts kept by the manager, told of changes as they happen."""

from pathlib import Path

from rostrum.client.changes import Told
from rostrum.client.connection import Connection
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.manager_copy import POLL_INTERVAL, folder_of

__all__ = ["ManagerLayoutStore"]


class ManagerLayoutStore(RemoteLayoutStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

    def __init__(self, manager: Connection, folder: Path, user: str) -> None:
        """Take the connection of the user who is logged in; nobody sees the copy of another."""
        super().__init__(
            manager.name,
            manager.client.layouts,
            folder_of(user, folder),
            interval=POLL_INTERVAL,
            told=Told(manager.changes, "layouts"),
        )
