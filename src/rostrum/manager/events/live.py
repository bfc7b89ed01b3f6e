"""LiveUpdates: detects changes and sends them to the clients of this node."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from rostrum.base.clock import Clock
from rostrum.base.tasks import end_tasks
from rostrum.manager.auth.caller import Caller
from rostrum.manager.config import ManagerConfig
from rostrum.manager.events import text
from rostrum.manager.events.hub import Check, Hub, Limits
from rostrum.manager.events.listener import Listener
from rostrum.manager.events.repository import Announcements
from rostrum.manager.events.watch import Watch
from rostrum.manager.storage import Storage

_LONGEST_NUMBER = 18


class LiveUpdates:
    """The parts of a node that notify its clients of changes."""

    def __init__(self, config: ManagerConfig, storage: Storage, clock: Clock, check: Check) -> None:
        self._storage = storage
        self._clock = clock
        self._retry_milliseconds = config.events_retry
        self.slow_seconds = float(config.events_slow)
        self.watch = Watch(storage, poll_seconds=config.events_poll / 1000)
        limits = Limits(
            per_user=config.events_per_user,
            total=config.events_total,
            heartbeat_seconds=config.events_heartbeat,
        )
        self.hub = Hub(clock, limits, check)
        self.watch.connect(self.hub.on_change)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch for changes as long as the block lasts."""
        await self.watch.start()
        tasks = [asyncio.create_task(part.run()) for part in (self.watch, self.hub)]
        try:
            yield
        finally:
            self.close()
            await end_tasks([*tasks, *self.hub.checks])

    def close(self) -> None:
        """End every stream."""
        self.hub.close()

    @contextmanager
    def joined(self, caller: Caller, session: str | None) -> Iterator[Listener]:
        """Register a client from now until the block ends."""
        ends_at = None
        if caller.claims is not None:
            # Determined once, so that later changes of the clock have no effect.
            left = (caller.claims.expires - self._clock.now()).total_seconds()
            ends_at = self._clock.monotonic() + left
        listener = Listener(caller, session, self.watch.revision, ends_at)
        with self.hub.joined(listener):
            yield listener

    async def opening(self, listener: Listener, last_event_id: str | None) -> bytes:
        """Create the first text for a client: the changes since its last event."""
        retry = text.opening(int(self._retry_milliseconds * random.uniform(0.2, 1)))  # noqa: S311
        if last_event_id is None:
            return retry + text.ready(listener.heard)
        last = _revision(last_event_id)
        if last == listener.heard:
            return retry
        async with self._storage.read() as work:
            newest = await work.of(Announcements).newest()
            kinds = {}
            if last is not None:
                kinds = await work.of(Announcements).concerning(
                    listener.user, listener.session, last, administers=listener.administers
                )
        listener.knows(newest)
        if last is None or last > newest:
            return retry + text.reset(newest)
        return retry + text.changed(kinds)


def _revision(event_id: str) -> int | None:
    is_number = event_id.isascii() and event_id.isdigit() and len(event_id) <= _LONGEST_NUMBER
    return int(event_id) if is_number else None
