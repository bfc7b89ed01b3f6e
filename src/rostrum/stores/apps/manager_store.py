"""The server store: what the manager lets this user see, told of changes as they happen."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.retry import Sleep
from rostrum.client.changes import Kind
from rostrum.client.connection import Connection
from rostrum.settings.sections.app_stores import AppDefinitionOverrides
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.apps.remote_store import RemoteAppStore, Timing

__all__ = ["ManagerAppStore"]


class ManagerAppStore(RemoteAppStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

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
        """Take the connection of the user who is logged in."""
        super().__init__(
            f"server {manager.client.service.shown}",
            manager.client.apps,
            timing=timing or Timing(poll_interval=30),
            kept=KeptAnswer(cache, manager.client.service.address, user, clock or SystemClock()),
            required=required,
            overrides=overrides,
            needed=lambda: not manager.changes.connected,
            sleep=sleep,
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
        if kind == "apps":
            self.wake()
