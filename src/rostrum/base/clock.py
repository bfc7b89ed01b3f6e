"""Clock: where time comes from, so that tests can set it."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The time of day, and a monotonic time."""

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for measuring spans."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for measuring spans."""
        return time.monotonic()


class SettableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = now
        self._monotonic = 0.0

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        return self._now

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for measuring spans."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.jump(seconds)
        self._monotonic += seconds

    def jump(self, seconds: float) -> None:
        """Set the time of day forward or back, as an operator or a time server does: no time passes."""
        self._now += timedelta(seconds=seconds)
