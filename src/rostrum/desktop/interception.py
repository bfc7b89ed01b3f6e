"""Interception: apps that step between an operation of the platform and its doing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.settings.sections.interception import Interception as InterceptionSettings

__all__ = ["Interceptors", "Operation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What the platform is about to do."""

    area: str
    name: str
    arguments: Any = field(default=None, repr=False)


Handler = Callable[[Operation], Awaitable[Operation | None]]
"""Returns the operation to do, changed or not; None when the handler has prevented it."""


class Interceptors:
    """The handlers that apps have registered, one for each operation."""

    def __init__(self, settings: InterceptionSettings) -> None:
        """Take who may register."""
        self._enabled = settings.enabled
        self._allowed = frozenset(settings.applications or ())
        self._handlers: dict[tuple[str, str], tuple[str, Handler]] = {}

    def register(self, app: str, area: str, name: str, handler: Handler) -> Callable[[], None]:
        """Register a handler; refuse apps that are not listed, and operations that have one."""
        if not self._enabled:
            raise DesktopError("interception is switched off (interception.enabled)")
        if app not in self._allowed:
            raise DesktopError(f"{app} may not intercept operations (interception.applications does not name it)")
        key = (area, name)
        if key in self._handlers:
            raise DesktopError(f"{area}.{name} is intercepted by {self._handlers[key][0]} already")
        self._handlers[key] = (app, handler)

        def remove() -> None:
            if self._handlers.get(key) == (app, handler):
                del self._handlers[key]

        return remove

    async def passed(self, operation: Operation) -> Operation | None:
        """Let a handler see an operation; return what is to be done, or None when it was prevented."""
        found = self._handlers.get((operation.area, operation.name))
        return operation if found is None else await found[1](operation)
