"""Settings that can change while the platform runs, with a signal for each change."""

from dataclasses import dataclass, fields
from typing import Any

from rostrum.base.signal import Signal
from rostrum.settings.sections.user_interface import Spellchecker
from rostrum.settings.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reapplied:
    """The settings that start with local values and are applied again if the fetched values differ."""

    spellchecker: Spellchecker
    response_headers: Any
    url_filter: Any

    @classmethod
    def of(cls, settings: Settings) -> "Reapplied":
        return cls(
            spellchecker=settings.spellchecker,
            response_headers=settings.windows.response_headers,
            url_filter=settings.windows.url_filter,
        )


PATHS = {
    "spellchecker": "spellchecker",
    "response_headers": "windows.responseHeaders",
    "url_filter": "windows.urlFilter",
}
"""Path of each setting in system.json."""


@dataclass(frozen=True, slots=True)
class Change:
    """A setting whose value changed."""

    path: str
    old: Any
    new: Any


class LiveSettings:
    """Holds the current values of these settings; listeners of ``changed`` are notified of each one that differs."""

    def __init__(self, first: Reapplied) -> None:
        self.value = first
        self.changed: Signal[Change] = Signal()

    def apply(self, settings: Settings) -> tuple[Change, ...]:
        """Apply newer settings and notify listeners of differences."""
        before, self.value = self.value, Reapplied.of(settings)
        changes = tuple(
            Change(PATHS[one.name], getattr(before, one.name), getattr(self.value, one.name))
            for one in fields(Reapplied)
            if getattr(before, one.name) != getattr(self.value, one.name)
        )
        for change in changes:
            self.changed.emit(change)
        return changes


def needs_restart(before: Settings, after: Settings) -> bool:
    """Return whether any setting differs that only takes effect after a restart."""
    return _without_reapplied(before) != _without_reapplied(after)


def _without_reapplied(settings: Settings) -> Settings:
    windows = settings.windows.model_copy(update={"response_headers": None, "url_filter": None})
    return settings.model_copy(update={"spellchecker": None, "windows": windows})
