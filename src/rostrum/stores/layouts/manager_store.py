"""The server store: layouts kept by the manager, told of changes as they happen."""

from pathlib import Path

from rostrum.client.changes import ChangeFeed
from rostrum.client.connection import Connection
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.manager_copy import POLL_INTERVAL, folder_of


class ManagerLayoutStore(RemoteLayoutStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

    def __init__(self, manager: Connection, folder: Path, user: str, *, interval: float = POLL_INTERVAL) -> None:
        """Take the connection of the signed-in user, and how often to poll; nobody sees the copy of another user."""
        super().__init__(
            manager.name,
            manager.client.layouts,
            folder_of(user, folder),
            interval=interval,
            feed=ChangeFeed(manager.changes, "layouts"),
        )
