"""A result that is not available yet."""

from collections.abc import Callable
from typing import Any


class Later:
    """A result that is set once, with ``resolve`` or ``fail``; further calls have no effect."""

    def __init__(self) -> None:
        self._done: tuple[Any, str | None] | None = None
        self._waiting: list[Callable[[Any, str | None], None]] = []

    def resolve(self, value: Any = None) -> None:
        """Set the result."""
        self._finish(value, None)

    def fail(self, reason: str) -> None:
        """Set the reason of the failure."""
        self._finish(None, reason or "unknown error")

    def then(self, done: Callable[[Any, str | None], None]) -> None:
        """Call back with the result and None, or with None and the reason, as soon as it is available."""
        if self._done is not None:
            done(*self._done)
        else:
            self._waiting.append(done)

    def _finish(self, value: Any, reason: str | None) -> None:
        if self._done is not None:
            return
        self._done = (value, reason)
        waiting, self._waiting = self._waiting, []
        for done in waiting:
            done(value, reason)


def resolved(value: Any) -> Later:
    """Return an available result."""
    later = Later()
    later.resolve(value)
    return later
