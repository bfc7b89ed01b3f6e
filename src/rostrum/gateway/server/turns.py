"""Messages that wait for a later turn of the event loop: each user gets a limited part of each turn."""

import asyncio
from collections import deque
from collections.abc import Callable

from rostrum.gateway.account import Account
from rostrum.gateway.server.source import SocketSource

_LONGEST_DELAY = 0.1
_HELD_DELAY = 0.005
"""Interval of checks whether a service has processed the messages of a user."""


class Turns:
    """The waiting connections of each user, which take turns."""

    def __init__(self, process: Callable[[SocketSource, bytes], None]) -> None:
        self._process = process
        self._waiting: dict[Account, deque[SocketSource]] = {}

    def add(self, source: SocketSource) -> None:
        """Continue with a connection in a later turn."""
        account = source.account
        waiting = self._waiting.get(account)
        if waiting is None:
            waiting = self._waiting[account] = deque()
            self._schedule(account)
        waiting.append(source)

    def _schedule(self, account: Account) -> None:
        loop = asyncio.get_running_loop()
        delay = min(_LONGEST_DELAY, account.delay)
        if delay:
            loop.call_later(delay, self._continue, account)
        elif account.is_held:
            loop.call_later(_HELD_DELAY, self._continue, account)
        else:
            loop.call_soon(self._continue, account)

    def _continue(self, account: Account) -> None:
        account.spent = 0
        waiting = self._waiting[account]
        while waiting and not account.must_wait:
            source = waiting.popleft()
            if source.inbox:
                self._process(source, source.inbox.popleft())
            if source.inbox:
                waiting.append(source)
            else:
                source.is_queued = False
                source.continue_reading()
                if source.farewell is not None:
                    source.leave(source.farewell)
        if waiting:
            self._schedule(account)
        else:
            del self._waiting[account]
