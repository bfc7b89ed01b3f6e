"""The pace of work that concerns many peers: it is done in steps, so that other users do not wait for it."""

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")

Partly = Generator[None, None, T]
"""A function that yields where its work may continue in a later turn of the event loop."""
Steps = Partly[None]

_STEP = 0.002
_MOST_LOAD = 1024 * 1024
"""The output of a step, in bytes, after which it ends."""


class Pace:
    """Determines when the current step of long work has taken long enough.

    Attributes:
        load: The output of the step, in bytes with a part for each receiver: it is sent at the end of the step.
    """

    __slots__ = ("_now", "_until", "load")

    def __init__(self, now: Callable[[], float] | None) -> None:
        """Use a precise clock; without one, a step never ends early."""
        self._now = now
        self._until = 0.0
        self.load = 0

    def begin(self) -> None:
        """Begin a step."""
        self.load = 0
        if self._now is not None:
            self._until = self._now() + _STEP

    @property
    def is_over(self) -> bool:
        """Return whether the work should continue later."""
        return self._now is not None and (self.load > _MOST_LOAD or self._now() >= self._until)
