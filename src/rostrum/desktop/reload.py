"""Reloading: configuration read again while the platform runs, and what of it counts at once."""

import asyncio
import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rostrum.base.errors import RostrumError
from rostrum.client.changes import Kind
from rostrum.client.connection import Connection
from rostrum.sources.live import needs_restart
from rostrum.sources.load import Loaded, Start, load_all, load_early

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["Reloading"]

_log = logging.getLogger(__name__)


class Reloading:
    """Reads every source again, whoever asks for it."""

    def __init__(self, platform: "Platform", start: Start) -> None:
        """Take the running platform, and where it started from."""
        self._platform = platform
        self._start = start
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, kind: Kind) -> None:
        """Take a change that the manager tells of."""
        if kind == "systemConfig":
            task = asyncio.create_task(self.reload(), name="configuration changed")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """End the reading of changed configuration."""
        for task in self._tasks:
            task.cancel()

    async def reload(self) -> None:
        """Read every source again, and apply what may change while the platform runs."""
        manager = self._platform.manager
        heard = manager.changes.revision if manager else 0
        try:
            early = await asyncio.to_thread(load_early, self._start)
            loaded = await load_all(early, clock=self._platform.clock)
        except RostrumError as error:
            _log.warning("the configuration stays as it is: %s", error)
            return
        self._platform.live.apply(loaded.settings)
        if manager is not None and self._is_in_use(loaded, manager):
            manager.changes.note("systemConfig", heard)

    def _is_in_use(self, loaded: Loaded, manager: Connection) -> bool:
        """Say whether what the manager has now is what runs here: it was asked, and nothing waits for a restart."""
        asked = any(
            one.source.type == "rest" and _is_below(one.source.source, manager.client.service.address)
            for one in loaded.combined.sources
            if one.fetched.status == "ok"
        )
        return asked and not needs_restart(self._platform.loaded.settings, loaded.settings)


def _is_below(address: str, base: str) -> bool:
    # An address of a source may carry credentials.
    one, other = urlsplit(address), urlsplit(base)
    return (one.scheme, one.hostname, one.port) == (other.scheme, other.hostname, other.port) and one.path.startswith(
        other.path
    )
