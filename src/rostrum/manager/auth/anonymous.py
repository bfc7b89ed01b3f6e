"""Uploads without credentials: a setting must allow them, and their number is limited."""

from collections import OrderedDict
from math import ceil

from rostrum.base.clock import Clock
from rostrum.base.errors import TooManyAttempts
from rostrum.manager.errors import Unauthenticated

_MOST_ADDRESSES = 10_000


class AnonymousUploads:
    """Counts uploads of each address, for each minute."""

    def __init__(self, clock: Clock, *, allowed: bool, per_minute: int = 30) -> None:
        self._clock = clock
        self._allowed = allowed
        self._per_minute = per_minute
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def enter(self, address: str) -> None:
        if not self._allowed:
            raise Unauthenticated
        now = self._clock.monotonic()
        began, count = self._windows.get(address, (now, 0))
        if now - began >= 60:
            began, count = now, 0
        if count >= self._per_minute:
            raise TooManyAttempts(ceil(60 - (now - began)))
        self._windows[address] = (began, count + 1)
        self._windows.move_to_end(address)
        while len(self._windows) > _MOST_ADDRESSES:
            self._windows.popitem(last=False)
