"""Guards: which running apps hold up the shutdown of the platform or the closing of their window."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Guarded", "Guards", "Hold"]

Guarded = Literal["shutdown", "close"]
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """An app that holds something up, and why."""

    instance: str
    reason: str


class Guards:
    """What apps have asked to be held up, until they say otherwise or end."""

    def __init__(self) -> None:
        """Start with nothing held up."""
        self._holds: dict[Guarded, dict[str, Hold]] = {"shutdown": {}, "close": {}}

    def hold(self, what: Guarded, instance: str, reason: str) -> None:
        """Hold something up for an instance."""
        self._holds[what][instance] = Hold(instance=instance, reason=reason[:_LONGEST_REASON])

    def let_go(self, what: Guarded, instance: str) -> None:
        """Hold it up no more."""
        self._holds[what].pop(instance, None)

    def forget(self, instance: str) -> None:
        """Forget an instance that has ended."""
        for holds in self._holds.values():
            holds.pop(instance, None)

    @property
    def shutdown(self) -> tuple[Hold, ...]:
        """Return who holds up the shutdown."""
        return tuple(self._holds["shutdown"].values())

    def closing(self, instance: str) -> Hold | None:
        """Return what holds up the closing of an instance's window."""
        return self._holds["close"].get(instance)
