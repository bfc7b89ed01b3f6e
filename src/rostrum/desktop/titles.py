"""Titles of instances: the format of the settings, and overrides."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rostrum.base.shown_text import shown_text

_OWN_TITLE_TYPES = frozenset({"window", "workspaces"})
_PRESERVE = "preserveCustomTitle"


class TitledBy(StrEnum):
    """The origin of an instance's title."""

    FORMAT = "format"
    DOCUMENT = "document"
    CODE = "code"
    PERSON = "person"


_CUSTOM = frozenset({TitledBy.CODE, TitledBy.PERSON})


class InstanceCounter:
    """Numbers the instances of each app from 1; starts again at 1 when all are closed."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}
        self._running: dict[str, int] = {}

    def start(self, app: str) -> int:
        """Return the number of a new instance."""
        number = self._next.get(app, 1)
        self._next[app] = number + 1
        self._running[app] = self._running.get(app, 0) + 1
        return number

    def end(self, app: str) -> None:
        """Record that an instance is closed."""
        self._running[app] -= 1
        if self._running[app] == 0:
            del self._running[app], self._next[app]

    def running(self, app: str) -> int:
        """Count the running instances of an app."""
        return self._running.get(app, 0)


def title_of(definition: Mapping[str, Any], index: int, title_format: str | None) -> str:
    """Return the title of a new instance, without characters that disguise it."""
    details = definition.get("details")
    # Older definitions use tabTitle.
    older = details.get("tabTitle") if isinstance(details, Mapping) else None
    title = shown_text(str(definition.get("title") or older or definition["name"]))
    if not title_format or _synchronisation(definition):
        return title
    return title_format.replace("{title}", title).replace("{instanceIndex}", str(index))


def takes_title(definition: Mapping[str, Any], now: TitledBy, new: TitledBy) -> bool:
    """Return whether a new title replaces the title of an instance.

    Titles that code or a user sets always do. The title of a document does if the definition enables it, and with
    ``preserveCustomTitle`` only until another title was set.
    """
    if new is not TitledBy.DOCUMENT:
        return True
    wanted = _synchronisation(definition)
    return bool(wanted) and not (wanted == _PRESERVE and now in _CUSTOM)


def _synchronisation(definition: Mapping[str, Any]) -> object:
    """Return syncTitleWithDocumentTitle, which only apps with their own document have."""
    details = definition.get("details")
    if not isinstance(details, Mapping) or str(definition.get("type")).lower() not in _OWN_TITLE_TYPES:
        return None
    return details.get("syncTitleWithDocumentTitle")
