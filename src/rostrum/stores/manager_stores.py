"""The server stores: apps, layouts and preferences of the manager, updated by its change notifications."""

import asyncio
import hashlib
from pathlib import Path

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.retry import Sleep
from rostrum.client.changes import ChangeFeed, Connection
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.apps.remote_store import RemoteAppStore, Timing
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.preferences.remote_store import RemotePreferenceStore

POLL_INTERVAL = 30.0
"""Polling interval in seconds while the event stream of the manager is not available."""


def folder_of(user: str, folder: Path) -> Path:
    """Return the folder of one user; the name of the user may contain any characters."""
    return folder / hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:12]


class ManagerAppStore(RemoteAppStore):
    """Fetches apps when the manager reports a change; polls only while the manager cannot report changes."""

    def __init__(
        self,
        manager: Connection,
        cache: Path,
        *,
        user: str,
        required: bool = True,
        overrides: AppDefinitionOverrides | None = None,
        timing: Timing | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            manager.name,
            manager.client.apps,
            timing=timing or Timing(poll_interval=POLL_INTERVAL),
            kept=KeptAnswer(cache, manager.client.service.address, user, clock or SystemClock()),
            required=required,
            overrides=overrides,
            feed=ChangeFeed(manager.changes, "apps"),
            sleep=sleep,
        )


class ManagerLayoutStore(RemoteLayoutStore):
    """Fetches layouts when the manager reports a change; polls only while the manager cannot report changes."""

    def __init__(self, manager: Connection, folder: Path, user: str, *, interval: float = POLL_INTERVAL) -> None:
        """Use the connection of the signed-in user and a polling interval; each user has a separate copy."""
        super().__init__(
            manager.name,
            manager.client.layouts,
            folder_of(user, folder),
            interval=interval,
            feed=ChangeFeed(manager.changes, "layouts"),
        )


class ManagerPreferenceStore(RemotePreferenceStore):
    """Fetches preferences when the manager reports a change; polls only while the manager cannot report changes."""

    def __init__(self, manager: Connection, folder: Path, user: str, *, interval: float = POLL_INTERVAL) -> None:
        """Use the connection of the signed-in user and a polling interval; each user has a separate copy."""
        super().__init__(
            manager.name,
            manager.client.preferences,
            folder_of(user, folder),
            interval=interval,
            retries=0,
            feed=ChangeFeed(manager.changes, "prefs"),
        )
