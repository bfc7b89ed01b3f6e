"""Declaration and registration of service methods on the gateway, with interception and errors."""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.desktop.callers import RESERVED_METHODS, Callers
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import Invocation

REFUSED = "rostrum.errors.refused"
"""The URI of the error with which the platform rejects a call."""

_DECLARED = "__gateway_method__"
Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])


Phase = Literal["before", "after"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation of the platform or of a client library, and the peer that requested it.

    Attributes:
        phase: Whether it is before or after the operation; afterwards, the arguments are its result.
        result: The result that an intercepting app provides; None for none.
    """

    area: str
    name: str
    arguments: Any = field(default=None, repr=False)
    caller: str = ""
    phase: Phase = "before"
    result: Any = field(default=None, repr=False)


def operation_of(method: str, arguments: Mapping[str, Any], caller: str = "") -> Operation:
    """Return the operation of a method: ``Rostrum.Apps.Start`` is the operation Start of the area Apps."""
    _, area, name = method.split(".", 2)
    return Operation(area=area, name=name, arguments=arguments, caller=caller)


class Interception(Protocol):
    """Passes operations to the apps that intercept them."""

    def add_operation(self, operation: str) -> None:
        """Let apps intercept an operation, such as Layouts.Save."""
        ...

    async def passed(self, operation: Operation) -> Operation:
        """Return the operation to perform; raise Prevented if an app prevents it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A method of a service on the gateway.

    Attributes:
        name: Its name there.
        takes_caller: Whether it gets the verified caller.
        interceptable: Whether apps may intercept its calls, as an operation.
        intercepted_here: Whether the registrar passes calls to the intercepting app; otherwise the service does.
    """

    name: str
    takes_caller: bool
    interceptable: bool
    intercepted_here: bool


def method(name: str, *, interceptable: bool = True, intercepted_here: bool = True) -> Callable[[Function], Function]:
    """Declare a coroutine method, with ``arguments`` or ``arguments, caller``, as a method on the gateway."""

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
    """Registers the declared methods of services.

    Attributes:
        offered: The registered methods, by name.
    """

    def __init__(self, peer: LocalPeer, callers: Callers, interception: Interception) -> None:
        self.offered: dict[str, Declared] = {}
        self._peer = peer
        self._callers = callers
        self._interception = interception

    async def offer(self, *services: object) -> None:
        """Register all declared methods of some services."""
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
            # Before the operation is passed to an app: the caller may have left afterwards.
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
