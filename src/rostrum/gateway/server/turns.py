"""Messages that wait for a later turn of the event loop: each user gets a limited part of each turn."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from picows import WSCloseCode

from rostrum.gateway.costs import RESUMED, Costs
from rostrum.gateway.server.large_messages import DENSE, MOST_ELEMENTS, LargeMessage
from rostrum.gateway.server.source import SocketSource
from rostrum.gateway.wire import Opened

_VERY_MANY = 80
"""Waiting messages of a connection that were read at once: each is shorter than any message of a real client."""
_LONGEST_DELAY = 0.1
_HELD_DELAY = 0.005
"""Interval of checks whether a service has processed the messages of a user."""


class Turns:
    """The waiting connections of each user, which take turns."""

    def __init__(self, process: Callable[[SocketSource, bytes, Opened | None], None]) -> None:
        self._process = process
        self._waiting: dict[Costs, deque[SocketSource]] = {}

    def add(self, source: SocketSource) -> None:
        """Continue with a connection in a later turn."""
        costs = source.costs
        waiting = self._waiting.get(costs)
        if waiting is None:
            waiting = self._waiting[costs] = deque()
            self._schedule(costs)
        waiting.append(source)

    def _process_first(self, source: SocketSource) -> None:
        first = source.inbox[0]
        if isinstance(first, bytes):
            source.take()
            self._process(source, first, None)
            return
        began = time.perf_counter()
        self._continue_large(source, first)
        source.costs.worked(time.perf_counter() - began)
        # The rest of this message takes turns of its own.
        source.costs.room = -1

    def _continue_large(self, source: SocketSource, message: LargeMessage) -> None:
        if not message.is_complete:
            message.step()
            if message.is_dense:
                reason = f"a message above {DENSE >> 20} MiB may have {MOST_ELEMENTS} elements at most"
                source.close(WSCloseCode.MESSAGE_TOO_BIG, reason)
        elif source.opened is None:
            source.opened = Opened(message.text, message.error)
        else:
            opened, source.opened = source.opened, None
            source.take()
            self._process(source, message.text, opened)
            source.received_large()

    def _schedule(self, costs: Costs) -> None:
        loop = asyncio.get_running_loop()
        delay = min(_LONGEST_DELAY, costs.delay)
        if delay:
            loop.call_later(delay, self._continue, costs)
        elif costs.is_held:
            loop.call_later(_HELD_DELAY, self._continue, costs)
        else:
            loop.call_soon(self._continue, costs)

    def _continue(self, costs: Costs) -> None:
        costs.renew()
        waiting = self._waiting[costs]
        while waiting and not costs.must_wait:
            source = waiting.popleft()
            if len(source.inbox) > _VERY_MANY:
                costs.read_less()
            if source.inbox:
                self._process_first(source)
            if source.inbox:
                waiting.append(source)
            else:
                source.is_queued = False
                source.continue_reading()
                costs.room -= RESUMED
                if source.farewell is not None:
                    source.leave(source.farewell)
        if waiting:
            self._schedule(costs)
        else:
            del self._waiting[costs]
