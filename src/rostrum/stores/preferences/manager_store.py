"""The server store: preferences kept by the manager, told of changes as they happen."""

from pathlib import Path

from rostrum.client.changes import ChangeFeed
from rostrum.client.connection import Connection
from rostrum.stores.manager_copy import POLL_INTERVAL, folder_of
from rostrum.stores.preferences.remote_store import RemotePreferenceStore


class ManagerPreferenceStore(RemotePreferenceStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

    def __init__(self, manager: Connection, folder: Path, user: str, *, interval: float = POLL_INTERVAL) -> None:
        """Take the connection of the signed-in user, and how often to poll; nobody sees the copy of another user."""
        super().__init__(
            manager.name,
            manager.client.preferences,
            folder_of(user, folder),
            interval=interval,
            retries=0,
            feed=ChangeFeed(manager.changes, "prefs"),
        )
