"""The work of one user's agent: in order of arrival, and in small steps, so that other users do not wait for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rostrum.gateway.costs import Costs

LARGE = 32 * 1024
"""Messages of this size are processed in a turn of their own."""
_LONGEST_PAUSE = 0.1


async def pause(costs: Costs) -> None:
    """Let other users have their turn, and wait until the user's byte budget is not overdrawn."""
    await asyncio.sleep(0)
    while delay := costs.delay:  # noqa: ASYNC110 - the budget is refilled by time alone
        await asyncio.sleep(min(delay, _LONGEST_PAUSE))


class UserWork:
    """The calls of one user, which are processed one after the other."""

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._lock = asyncio.Lock()
        self._size = 0

    @property
    def is_idle(self) -> bool:
        """Return whether no call is in progress."""
        return not self._lock.locked()

    @asynccontextmanager
    async def turn(self, size: int) -> AsyncIterator[None]:
        """Wait for earlier calls; count the size of this one until it is processed."""
        self._costs.hold(size)
        try:
            async with self._lock:
                yield
        finally:
            self._costs.release(size)

    async def pause(self, size: int) -> None:
        """Wait after messages of some size."""
        self._size += size
        if self._size >= LARGE:
            self._size = 0
            await pause(self._costs)
