"""Methods with commands: parsed, executed, or rejected with a reason."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.gateway import CallFailed
from rostrum.gateway.local.methods import Invocation
from rostrum.settings.unknown import close_to

_REFUSED = "rostrum.errors.refused"
_MOST_ENTRIES = 10_000

Command = Callable[[Mapping[str, Any], Caller], Awaitable[Any]]
"""Executes a command, with its data and the verified caller."""
Method = Callable[[Invocation], Awaitable[Any]]


def refusing(callers: Callers, command: Command) -> Method:
    """Convert a function to a method: its errors are errors of the call."""

    async def handle(invocation: Invocation) -> Any:
        try:
            return await command(invocation.arguments, callers.of(invocation.caller))
        except RostrumError as error:
            raise CallFailed(_REFUSED, str(error)) from error

    return handle


def commands(
    callers: Callers,
    method: str,
    known: Mapping[str, Command],
    *,
    data: str | None = "data",
    beside: tuple[str, ...] = (),
) -> Method:
    """Convert commands to a method: the member ``command`` names one, the member ``data`` has its arguments.

    ``beside`` names arguments outside the data; without a member for data, all arguments are outside.
    """

    async def dispatch(arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("command")
        command = known.get(name) if isinstance(name, str) else None
        if command is None:
            close = close_to(name, known) if isinstance(name, str) else None
            hint = f"; did you mean {close}?" if close else f"; it has: {', '.join(known)}"
            raise DesktopError(f"{method} has no command {name!r}{hint}")
        if data is None:
            return await command(arguments, caller)
        more = {one: arguments[one] for one in beside if one in arguments}
        return await command({**mapping(arguments, data), **more}, caller)

    return refusing(callers, dispatch)


def mapping(arguments: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an argument that must be an object; empty if it is missing."""
    value = arguments.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DesktopError(f"{name} must be an object")
    return value


def optional_text(arguments: Mapping[str, Any], name: str) -> str | None:
    """Return an optional argument that must be a string; None if it is missing or empty."""
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise DesktopError(f"{name} must be text")
    return value or None


def flag(arguments: Mapping[str, Any], name: str) -> bool | None:
    """Return an optional argument that must be a boolean."""
    value = arguments.get(name)
    if value is not None and not isinstance(value, bool):
        raise DesktopError(f"{name} must be true or false")
    return value


def text_list(arguments: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Return an optional argument that must be an array of strings."""
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > _MOST_ENTRIES or not all(isinstance(one, str) for one in value):
        raise DesktopError(f"{name} must be an array of strings")
    return tuple(value)
