"""The work of one user's agent: in order of arrival, and in small steps, so that other users do not wait for it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rostrum.gateway.costs import Costs

LARGE = 32 * 1024
"""Messages of this size are processed in a turn of their own."""
_STEP = 0.002
"""Seconds after which smaller messages continue in another turn as well: some cause much work."""
_LONGEST_PAUSE = 0.1
_READING_PAUSE = 0.005
_MOST_WAITING = 4 * 1024 * 1024
"""Bytes of events that wait to be sent, above which no further call is processed."""


async def pause(costs: Costs) -> None:
    """Let other users have their turn, and wait until the user's budgets are not overdrawn."""
    await asyncio.sleep(0)
    while (delay := costs.delay) or costs.is_behind:  # noqa: ASYNC110 - time refills the budget, and clients read
        await asyncio.sleep(min(delay or _READING_PAUSE, _LONGEST_PAUSE))


class Turns:
    """Short work of many tasks of one user: one after the other, and after a while in another turn."""

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._lock = asyncio.Lock()
        self._taken = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for earlier work; what is done in the turn counts, and must not wait for anything."""
        async with self._lock:
            if self._taken >= _STEP:
                self._costs.worked(self._taken)
                self._taken = 0.0
                await pause(self._costs)
            began = time.perf_counter()
            try:
                yield
            finally:
                self._taken += time.perf_counter() - began


class UserWork:
    """The calls of one user, which are processed one after the other."""

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._lock = asyncio.Lock()
        self._size = 0
        self._calls = 0
        self._began = 0.0

    @property
    def is_idle(self) -> bool:
        """Return whether no call is in progress."""
        return not self._lock.locked()

    @asynccontextmanager
    async def turn(self, size: int) -> AsyncIterator[None]:
        """Wait for earlier calls; count the size of this one until it is processed."""
        self._costs.hold(size)
        self._calls += size
        try:
            async with self._lock:
                self._began = time.perf_counter()
                yield
        finally:
            self._calls -= size
            self._costs.release(size)

    async def pause(self, size: int, began: float | None = None) -> None:
        """Wait after messages of some size, or some time; if events wait to be sent, wait for them as well."""
        self._size += size
        taken = time.perf_counter() - (began or self._began)
        if self._size < LARGE and taken < _STEP:
            return
        self._size = 0
        self._costs.worked(taken)
        await pause(self._costs)
        while self._costs.held - self._calls > _MOST_WAITING:  # noqa: ASYNC110 - other tasks send them
            await asyncio.sleep(_READING_PAUSE)
        self._began = time.perf_counter()
