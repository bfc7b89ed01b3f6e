"""Apps that intercept operations of the platform."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError, Prevented
from rostrum.desktop.services.methods import Operation, Phase, method
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import RemoteMethod
from rostrum.settings.sections.applications import Interception as InterceptionSettings
from rostrum.settings.unknown import close_to

_log = logging.getLogger(__name__)
_TIMEOUT = 10.0
"""Time limit in seconds for an intercepting app; after it, the operation continues unchanged."""


CLIENT_OPERATIONS = ("Intents.Raise", "Intents.FilterHandlers")
"""Operations of client libraries, which call the platform before and after them."""
Handler = Callable[[Operation], Awaitable[Operation | None]]
"""Returns the operation to perform, changed or not; None if the handler has prevented it."""


@dataclass(frozen=True, slots=True)
class _Registered:
    app: str
    caller: str
    handler: Handler
    phases: tuple[Phase, ...]


class Interceptors:
    """The handlers that apps have registered, one for each operation.

    Attributes:
        registered: Emitted with the name of the app after each registration.

    """

    def __init__(self, settings: InterceptionSettings, operations: Iterable[str] = ()) -> None:
        """Start with the built-in operations; services add theirs when they are registered."""
        self.registered: Signal[str] = Signal()
        self._enabled = settings.enabled
        self._allowed = frozenset(settings.applications or ())
        self._operations = set(operations)
        self._handlers: dict[tuple[str, str], _Registered] = {}

    @property
    def apps(self) -> frozenset[str]:
        """Return the apps that intercept operations."""
        return frozenset(one.app for one in self._handlers.values())

    def add_operation(self, operation: str) -> None:
        """Let apps intercept an operation, such as Apps.Start."""
        self._operations.add(operation)

    def may_register(self, app: str) -> bool:
        """Return whether the settings allow an app to intercept operations."""
        return self._enabled and app in self._allowed

    def find(self, area: str, name: str) -> tuple[str, str]:
        """Return area and name of an operation, ignoring case; raise DesktopError if it does not exist."""
        wanted = f"{area}.{name}"
        for known in self._operations:
            if known.lower() == wanted.lower():
                found_area, _, found_name = known.partition(".")
                return found_area, found_name
        close = close_to(wanted, self._operations)
        raise DesktopError(f"there is no operation {wanted}{f'; did you mean {close}?' if close else ''}")

    def register(
        self,
        app: str | None,
        area: str,
        name: str,
        handler: Handler,
        *,
        caller: str,
        phases: tuple[Phase, ...] = ("before",),
    ) -> None:
        """Register a handler of a peer; reject apps that are not listed, and operations that already have one.

        ``app`` is the verified name; programs that the platform did not start have none, and may not intercept.
        """
        if not self._enabled:
            raise DesktopError("interception is disabled (interception.enabled)")
        if app is None:
            raise DesktopError("only apps that the platform has started may intercept operations")
        if app not in self._allowed:
            raise DesktopError(f"{app} may not intercept operations (interception.applications does not name it)")
        if self.find(area, name) != (area, name):
            raise DesktopError(f"there is no operation {area}.{name}; did you mean {'.'.join(self.find(area, name))}?")
        if "after" in phases and f"{area}.{name}" not in CLIENT_OPERATIONS:
            raise DesktopError(f"{area}.{name} can be intercepted before it is done, not after")
        known = self._handlers.get((area, name))
        if known is not None:
            raise DesktopError(f"{area}.{name} is intercepted by {known.app} already")
        self._handlers[area, name] = _Registered(app, caller, handler, phases)
        self.registered.emit(app)

    def remove(self, area: str, name: str, *, caller: str) -> None:
        """Remove a handler; only the peer that registered it may."""
        known = self._handlers.get((area, name))
        if known is None or known.caller != caller:
            raise DesktopError(f"this app does not intercept {area}.{name}")
        del self._handlers[area, name]

    def forget(self, caller: str) -> None:
        """Remove the handlers of a peer that has left."""
        self._handlers = {key: one for key, one in self._handlers.items() if one.caller != caller}

    async def passed(self, operation: Operation) -> Operation:
        """Call the handler of an operation; return the operation to perform.

        Raises Prevented if the handler prevents it, or provides a result instead.

        Requests of the handler's own app are not intercepted: it would wait for itself.
        """
        answer = await self.shown(operation)
        if answer.result is not None:
            known = self._handlers.get((operation.area, operation.name))
            app = "an app that has ended" if known is None else known.app
            raise Prevented(f"{operation.area}.{operation.name}", app)
        return answer

    async def shown(self, operation: Operation) -> Operation:
        """Call the handler of an operation, which may provide its result; raise Prevented if it prevents it."""
        found = self._handlers.get((operation.area, operation.name))
        if found is None or found.caller == operation.caller or operation.phase not in found.phases:
            return operation
        answer = await found.handler(operation)
        if answer is None:
            raise Prevented(f"{operation.area}.{operation.name}", found.app)
        return answer


class InterceptionMethods:
    """Interception on the gateway: an app names one of its methods, which is called before an operation."""

    def __init__(self, interceptors: Interceptors, callers: Callers, peer: LocalPeer) -> None:
        self._interceptors = interceptors
        self._callers = callers
        self._peer = peer

    @method("Rostrum.Interception.Register", interceptable=False)
    async def register(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Register a method of the calling app that intercepts an operation."""
        area, name = text(arguments, "area"), text(arguments, "operation")
        asked = self._callers.method(caller.peer, text(arguments, "method"))

        async def handler(operation: Operation) -> Operation | None:
            return await self._ask(asked, operation)

        self._interceptors.register(caller.application, area, name, handler, caller=caller.peer)
        return {}

    @method("Rostrum.Interception.Remove", interceptable=False)
    async def remove(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Remove the interception of the calling app."""
        area, name = text(arguments, "area"), text(arguments, "operation")
        self._interceptors.remove(area, name, caller=caller.peer)
        return {}

    async def _ask(self, asked: RemoteMethod, operation: Operation) -> Operation | None:
        question = {"area": operation.area, "operation": operation.name, "arguments": operation.arguments}
        try:
            answer = await self._peer.methods.call(asked, question, timeout_seconds=_TIMEOUT)
        except RostrumError as error:
            # An app that fails must not block the whole desktop.
            _log.warning("%s did not answer for %s.%s: %s", asked.name, operation.area, operation.name, error)
            return operation
        if not isinstance(answer, Mapping):
            return operation
        if answer.get("prevent") is True:
            return None
        changed = answer.get("arguments")
        return replace(operation, arguments=dict(changed)) if isinstance(changed, Mapping) else operation
