"""What the modules of this package share: offering methods with the verified caller, and the rights of an app."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instances
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import Invocation

__all__ = ["Handler", "date", "member", "offer_method", "require_right", "shown"]

_REFUSED = "rostrum.errors.refused"
_MOST_SHOWN = 100

Handler = Callable[[Mapping[str, Any], Caller], Awaitable[Any]]
"""Answers a call with its arguments and the verified caller; a RostrumError refuses it."""


async def offer_method(peer: LocalPeer, callers: Callers, name: str, handler: Handler) -> None:
    """Offer a method on the gateway."""

    async def handle(invocation: Invocation) -> Any:
        try:
            return await handler(invocation.arguments, callers.of(invocation.caller))
        except RostrumError as error:
            raise CallFailed(_REFUSED, str(error)) from error

    await peer.methods.register(name, handle)


def require_right(instances: Instances, caller: Caller, right: str, what: str) -> None:
    """Refuse a caller whose app definition does not set a right to true, at its top level or in its details."""
    running = instances.get(caller.instance) if caller.instance else None
    if running is None:
        raise DesktopError(f"Only apps that the platform has started may {what}.")
    details = running.definition.get("details") or {}
    if running.definition.get(right, details.get(right)) is not True:
        raise DesktopError(f"{running.app} may not {what}. Set {right} to true in its definition to allow it.")


def member(arguments: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an argument that is an object; an empty one when it is missing."""
    value = arguments.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DesktopError(f"{name} must be an object.")
    return value


def shown(value: object) -> str:
    """Quote what a caller has sent, for a message; hostile values may be long."""
    return repr(str(value)[:_MOST_SHOWN])


def date(moment: datetime) -> str:
    """Write a moment as the client libraries do."""
    return f"#T42_DATE#{round(moment.timestamp() * 1000)}"
