"""Interception: apps that step between an operation of the platform and its doing."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError, Prevented
from rostrum.settings.sections.interception import Interception as InterceptionSettings
from rostrum.settings.unknown import close_to

__all__ = ["Handler", "Interceptors", "Operation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What the platform is about to do, and for which peer."""

    area: str
    name: str
    arguments: Any = field(default=None, repr=False)
    caller: str = ""


Handler = Callable[[Operation], Awaitable[Operation | None]]
"""Returns the operation to do, changed or not; None when the handler has prevented it."""


@dataclass(frozen=True, slots=True)
class _Registered:
    app: str
    caller: str
    handler: Handler


class Interceptors:
    """The handlers that apps have registered, one for each operation.

    Attributes:
        registered: Emitted with the name of the app after each registration.

    """

    def __init__(self, settings: InterceptionSettings, operations: Collection[str]) -> None:
        """Take who may register, and the operations that there are, such as Apps.Start."""
        self.registered: Signal[str] = Signal()
        self._enabled = settings.enabled
        self._allowed = frozenset(settings.applications or ())
        self._operations = frozenset(operations)
        self._handlers: dict[tuple[str, str], _Registered] = {}

    @property
    def apps(self) -> frozenset[str]:
        """Return the apps that intercept something."""
        return frozenset(one.app for one in self._handlers.values())

    def may_register(self, app: str) -> bool:
        """Say whether the settings let an app intercept operations."""
        return self._enabled and app in self._allowed

    def register(self, app: str | None, area: str, name: str, handler: Handler, *, caller: str) -> None:
        """Register a handler of a peer; refuse apps that are not listed, and operations that have one.

        ``app`` is the verified name; a program that the platform did not start has none, and no such right.
        """
        if not self._enabled:
            raise DesktopError("interception is switched off (interception.enabled)")
        if app is None:
            raise DesktopError("only apps that the platform has started may intercept operations")
        if app not in self._allowed:
            raise DesktopError(f"{app} may not intercept operations (interception.applications does not name it)")
        if f"{area}.{name}" not in self._operations:
            close = close_to(f"{area}.{name}", self._operations)
            hint = f"; did you mean {close}?" if close else ""
            raise DesktopError(f"there is no operation {area}.{name}{hint}")
        known = self._handlers.get((area, name))
        if known is not None:
            raise DesktopError(f"{area}.{name} is intercepted by {known.app} already")
        self._handlers[area, name] = _Registered(app, caller, handler)
        self.registered.emit(app)

    def remove(self, area: str, name: str, *, caller: str) -> None:
        """Take a handler away; only the peer that registered it may."""
        known = self._handlers.get((area, name))
        if known is None or known.caller != caller:
            raise DesktopError(f"this app does not intercept {area}.{name}")
        del self._handlers[area, name]

    def forget(self, caller: str) -> None:
        """Forget the handlers of a peer that has left."""
        self._handlers = {key: one for key, one in self._handlers.items() if one.caller != caller}

    async def passed(self, operation: Operation) -> Operation:
        """Let a handler see an operation; return what is to be done, or raise Prevented.

        What the handler's own app asks for is not shown to it: it would wait for itself.
        """
        found = self._handlers.get((operation.area, operation.name))
        if found is None or found.caller == operation.caller:
            return operation
        answer = await found.handler(operation)
        if answer is None:
            raise Prevented(f"{operation.area}.{operation.name}", found.app)
        return answer
