"""Detects the changes of all nodes in the database, in order and without gaps.

A notification of the database states only that there is a change; the table of announcements contains the details.
A node that was disconnected therefore misses nothing: it continues from the revision that it knows.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from contextlib import suppress

from rostrum.manager.audiences import Announcement
from rostrum.manager.errors import Unavailable
from rostrum.manager.events.repository import Announcements
from rostrum.manager.storage import Storage

_log = logging.getLogger(__name__)

Hear = Callable[[int, Sequence[Announcement]], None]

_ALIVE_SECONDS = 5.0
"""Seconds between checks of a connection that only listens."""

_LONGEST_PAUSE = 2.0


class Watch:
    """Tracks the revision up to which this node knows all changes."""

    def __init__(self, storage: Storage, *, poll_seconds: float) -> None:
        self._storage = storage
        self._poll_seconds = poll_seconds
        self._wake = asyncio.Event()
        self._listeners: list[Hear] = []
        self._newest = 0
        self._is_watching = False
        self.revision = 0
        storage.on_commit(self._committed)

    @property
    def is_current(self) -> bool:
        """Whether all known changes were announced, and new ones are detected."""
        return self._is_watching and self._newest <= self.revision

    def connect(self, hear: Hear) -> None:
        """Call a function with each new revision and the changes since the previous call."""
        self._listeners.append(hear)

    async def start(self) -> None:
        """Begin at the current revision."""
        async with self._storage.read() as work:
            self.revision, _ = await work.of(Announcements).since(self.revision)
        self._newest = self.revision

    async def run(self) -> None:
        """Detect changes until cancelled, and reconnect if the database is lost."""
        pause = 0.0
        while True:
            try:
                async with self._storage.listening(self._announced, self._wake.set) as ear:
                    if ear is None and not pause:
                        # `start` has just read the revision, and the next poll finds all changes since then.
                        self._is_watching = True
                        await self._wait(self._poll_seconds)
                    while True:
                        self._wake.clear()
                        if ear is not None:
                            await ear.check()
                        await self._catch_up()
                        if pause:
                            _log.info("changes of other nodes are detected again, from revision %d", self.revision)
                        pause, self._is_watching = 0.0, True
                        await self._wait(_ALIVE_SECONDS if ear is not None else self._poll_seconds)
            except Unavailable as error:
                self._is_watching = False
                if not pause:
                    _log.warning("changes of other nodes are not detected until the database responds: %s", error)
                pause = min(_LONGEST_PAUSE, pause * 2 or 0.1)
                # Nodes that lost the same database must not reconnect at the same time.
                await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def _catch_up(self) -> None:
        known = self.revision
        async with self._storage.read() as work:
            newest, changes = await work.of(Announcements).since(known)
        if newest < known:
            _log.warning("the database is back at revision %d, before %d: an older copy of it?", newest, known)
            self._newest = newest
            self._tell(newest, ())
        elif newest > self.revision:
            # Changes that this process wrote in the meantime were announced already.
            self._tell(newest, [change for change in changes if change.revision > self.revision])

    def _announced(self, revision: int) -> None:
        if revision > self.revision:
            self._newest = max(self._newest, revision)
            self._wake.set()

    def _committed(self, revision: int, changes: Sequence[Announcement]) -> None:
        if revision == self.revision + 1:
            self._tell(revision, changes)
        else:
            self._announced(revision)

    def _tell(self, revision: int, changes: Sequence[Announcement]) -> None:
        self.revision = revision
        for hear in self._listeners:
            hear(revision, changes)
