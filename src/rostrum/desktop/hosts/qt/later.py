"""Later: an answer that is not known yet, because a page, a person or the platform has to give it first."""

from collections.abc import Callable
from typing import Any

__all__ = ["Later", "resolved"]


class Later:
    """Filled once, by ``resolve`` or ``fail``; all further calls change nothing."""

    def __init__(self) -> None:
        self._done: tuple[Any, str | None] | None = None
        self._waiting: list[Callable[[Any, str | None], None]] = []

    def resolve(self, value: Any = None) -> None:
        """Give the answer."""
        self._finish(value, None)

    def fail(self, reason: str) -> None:
        """State why there is no answer."""
        self._finish(None, reason or "unknown error")

    def then(self, done: Callable[[Any, str | None], None]) -> None:
        """Call back with the answer and None, or with None and the reason, as soon as it is known."""
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
    """Return an answer that is known already."""
    later = Later()
    later.resolve(value)
    return later
