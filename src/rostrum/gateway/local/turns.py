"""The turns of the peers of this process: those of one user work for a short time, then others have their turn."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from rostrum.gateway.costs import Costs
from rostrum.gateway.local.source import LocalSource

_STEP = 0.002
_LONG = 0.001
"""Seconds above which a turn counts as work of its user."""
_LONGEST_DELAY = 0.1


class LocalTurns:
    """The local peers of each user that have received frames."""

    def __init__(self, costs_of: Callable[[str], Costs | None]) -> None:
        """Count the time of users with costs: those that are connected from outside."""
        self._costs_of = costs_of
        self._waiting: dict[str, deque[LocalSource]] = {}

    def add(self, source: LocalSource) -> None:
        """Process the frames of a peer in a later iteration of the event loop."""
        waiting = self._waiting.get(source.owner)
        if waiting is None:
            waiting = self._waiting[source.owner] = deque()
            self._schedule(source.owner)
        waiting.append(source)

    def _schedule(self, owner: str) -> None:
        costs = self._costs_of(owner)
        loop = asyncio.get_running_loop()
        if costs is not None and costs.delay:
            loop.call_later(min(_LONGEST_DELAY, costs.delay), self._continue, owner)
        else:
            loop.call_soon(self._continue, owner)

    def _continue(self, owner: str) -> None:
        waiting = self._waiting[owner]
        began = time.perf_counter()
        try:
            while waiting and time.perf_counter() < began + _STEP:
                waiting.popleft().hand_over(lambda: time.perf_counter() >= began + _STEP)
        finally:
            taken, costs = time.perf_counter() - began, self._costs_of(owner)
            if costs is not None and taken > _LONG:
                costs.worked(taken)
            if waiting:
                self._schedule(owner)
            else:
                del self._waiting[owner]
