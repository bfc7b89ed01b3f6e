"""Titles of instances: the format of the settings, and what goes over it."""

from collections.abc import Mapping
from typing import Any

__all__ = ["InstanceCounter", "title_of"]

_OWN_TITLE_TYPES = frozenset({"window", "workspaces"})


class InstanceCounter:
    """Numbers the instances of each app: from 1 on, and again from 1 when all are closed."""

    def __init__(self) -> None:
        """Start with nothing running."""
        self._next: dict[str, int] = {}
        self._running: dict[str, int] = {}

    def start(self, app: str) -> int:
        """Return the number of a new instance."""
        number = self._next.get(app, 1)
        self._next[app] = number + 1
        self._running[app] = self._running.get(app, 0) + 1
        return number

    def end(self, app: str) -> None:
        """Take note that an instance is closed."""
        self._running[app] -= 1
        if self._running[app] == 0:
            del self._running[app], self._next[app]

    def running(self, app: str) -> int:
        """Count the running instances of an app."""
        return self._running.get(app, 0)


def title_of(definition: Mapping[str, Any], index: int, title_format: str | None) -> str:
    """Return the title of a new instance."""
    title = str(definition.get("title") or definition["name"])
    details = definition.get("details")
    follows = isinstance(details, Mapping) and details.get("syncTitleWithDocumentTitle")
    if not title_format or (follows and definition.get("type") in _OWN_TITLE_TYPES):
        return title
    return title_format.replace("{title}", title).replace("{instanceIndex}", str(index))
