"""How services offer methods on the gateway: declared beside the code, intercepted, refused with a reason."""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.desktop.callers import RESERVED_METHODS, Callers
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import Invocation

__all__ = ["REFUSED", "Declared", "Interception", "MethodRegistrar", "Operation", "Phase", "method", "operation_of"]

REFUSED = "rostrum.errors.refused"
"""The URI of the error with which the platform refuses a call."""

_DECLARED = "__gateway_method__"
Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])


Phase = Literal["before", "after"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What the platform, or a client library, is about to do, and for which peer.

    Attributes:
        phase: Whether it is still to be done; after it, the arguments are its result.
        result: The result that an app gives in its place; None for none.

    """

    area: str
    name: str
    arguments: Any = field(default=None, repr=False)
    caller: str = ""
    phase: Phase = "before"
    result: Any = field(default=None, repr=False)


def operation_of(method: str, arguments: Mapping[str, Any], caller: str = "") -> Operation:
    """Name what a call of a method asks for: ``Rostrum.Apps.Start`` is the operation Start of the area Apps."""
    _, area, name = method.split(".", 2)
    return Operation(area=area, name=name, arguments=arguments, caller=caller)


class Interception(Protocol):
    """Shows operations to the apps that intercept them."""

    def add_operation(self, operation: str) -> None:
        """Let apps intercept an operation, such as Layouts.Save."""
        ...

    async def passed(self, operation: Operation) -> Operation:
        """Return the operation to carry out; raise Prevented when an app prevents it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A method of a service that is offered on the gateway.

    Attributes:
        name: Its name there.
        takes_caller: Whether its outcome depends on who calls: it is given the verified caller.
        interceptable: Whether apps may intercept calls of it, as an operation.
        intercepted_here: Whether the registrar shows a call to the app that intercepts it; otherwise the service does.

    """

    name: str
    takes_caller: bool
    interceptable: bool
    intercepted_here: bool


def method(name: str, *, interceptable: bool = True, intercepted_here: bool = True) -> Callable[[Function], Function]:
    """Declare that a coroutine method, with ``arguments`` or ``arguments, caller``, is offered on the gateway."""

    def declare(function: Function) -> Function:
        declared = Declared(
            name=name,
            takes_caller="caller" in inspect.signature(function).parameters,
            interceptable=interceptable,
            intercepted_here=interceptable and intercepted_here,
        )
        setattr(function, _DECLARED, declared)
        return function

    return declare


class MethodRegistrar:
    """Offers the declared methods of services.

    Attributes:
        offered: The methods that were offered, by name.

    """

    def __init__(self, peer: LocalPeer, callers: Callers, interception: Interception) -> None:
        self.offered: dict[str, Declared] = {}
        self._peer = peer
        self._callers = callers
        self._interception = interception

    async def offer(self, *services: object) -> None:
        """Offer every declared method of some services."""
        for service in services:
            for declared, function in _declared(service):
                if declared.interceptable:
                    self._interception.add_operation(declared.name.removeprefix(RESERVED_METHODS))
                await self._peer.methods.register(declared.name, self._handler(declared, function))
                self.offered[declared.name] = declared

    def _handler(
        self, declared: Declared, function: Callable[..., Awaitable[Any]]
    ) -> Callable[[Invocation], Awaitable[Any]]:
        async def handle(invocation: Invocation) -> Any:
            # Before the operation is shown to an app: the caller may be gone afterwards.
            known = (self._callers.of(invocation.caller),) if declared.takes_caller else ()
            arguments: Mapping[str, Any] = invocation.arguments
            try:
                if declared.intercepted_here:
                    operation = operation_of(declared.name, arguments, invocation.caller)
                    arguments = (await self._interception.passed(operation)).arguments
                return await function(arguments, *known)
            except RostrumError as error:
                raise CallFailed(REFUSED, str(error)) from error

        return handle


def _declared(service: object) -> Iterator[tuple[Declared, Callable[..., Awaitable[Any]]]]:
    for name, member in vars(type(service)).items():
        declared = getattr(member, _DECLARED, None)
        if isinstance(declared, Declared):
            yield declared, getattr(service, name)
