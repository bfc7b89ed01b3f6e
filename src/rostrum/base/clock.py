"""Source of time, replaceable in tests."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The time of day, and a monotonic time."""

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never decrease, for measuring durations."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never decrease, for measuring durations."""
        return time.monotonic()


class SettableClock:
    """A clock for tests that only changes when it is set."""

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
        self.jump(seconds)
        self._monotonic += seconds

    def jump(self, seconds: float) -> None:
        """Change the time of day without advancing the monotonic time, as an operator or a time server does."""
        self._now += timedelta(seconds=seconds)
