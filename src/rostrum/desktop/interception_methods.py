"""Interception on the gateway: an app names a method of its own that sees an operation before it is done."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.arguments import text
from rostrum.desktop.services.interception import Operation
from rostrum.gateway.local.methods import Invocation, RemoteMethod

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["INTERCEPTION_METHODS", "CallerService", "operation_of"]

_log = logging.getLogger(__name__)
_PATIENCE = 10.0
"""Seconds in which an app says what becomes of an operation; after that it is done as it was asked for."""

CallerService = Callable[["Platform", Invocation], Awaitable[Any]]


def operation_of(method: str, arguments: Mapping[str, Any], caller: str = "") -> Operation:
    """Name what a call of a method asks for: ``Rostrum.Apps.Start`` is the operation Start of the area Apps."""
    _, area, name = method.split(".", 2)
    return Operation(area=area, name=name, arguments=arguments, caller=caller)


async def _register(platform: "Platform", invocation: Invocation) -> Any:
    arguments, caller = invocation.arguments, invocation.caller
    area, name = text(arguments, "area"), text(arguments, "operation")
    method = platform.callers.method(caller, text(arguments, "method"))

    async def handler(operation: Operation) -> Operation | None:
        return await _asked(platform, method, operation)

    app = platform.callers.of(caller)
    platform.interceptors.register(app.application, area, name, handler, caller=caller)
    return {}


async def _remove(platform: "Platform", invocation: Invocation) -> Any:
    area, name = text(invocation.arguments, "area"), text(invocation.arguments, "operation")
    platform.interceptors.remove(area, name, caller=invocation.caller)
    return {}


async def _asked(platform: "Platform", method: RemoteMethod, operation: Operation) -> Operation | None:
    question = {"area": operation.area, "operation": operation.name, "arguments": operation.arguments}
    try:
        answer = await platform.peer.methods.call(method, question, patience=_PATIENCE)
    except RostrumError as error:
        # An app that fails must not keep the whole desk from working.
        _log.warning("%s did not say what becomes of %s.%s: %s", method.name, operation.area, operation.name, error)
        return operation
    if not isinstance(answer, Mapping):
        return operation
    if answer.get("prevent") is True:
        return None
    changed = answer.get("arguments")
    return replace(operation, arguments=dict(changed)) if isinstance(changed, Mapping) else operation


INTERCEPTION_METHODS: dict[str, CallerService] = {
    "Rostrum.Interception.Register": _register,
    "Rostrum.Interception.Remove": _remove,
}
