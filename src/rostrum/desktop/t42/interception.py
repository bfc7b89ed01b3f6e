"""T42.GD.Interception: apps that intercept operations of the platform and of other apps' client libraries."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.interception import CLIENT_OPERATIONS, Interceptors
from rostrum.desktop.services.methods import Operation, Phase
from rostrum.desktop.t42.commands import commands
from rostrum.gateway import LocalPeer

_METHOD = "T42.GD.Interception.Execute"
_APP_METHOD = "T42.GD.Interception.Handler"
_MOST_AT_ONCE = 100


async def offer(peer: LocalPeer, interceptors: Interceptors, callers: Callers, calls: AppCalls) -> None:
    """Register the method; handlers are methods of the apps themselves."""
    methods = _Methods(interceptors, callers, calls)
    known = {
        "register": methods.register,
        "unregister": methods.unregister,
        "raiseInterception": methods.show,
        "filterHandlersInterception": methods.show,
    }
    await peer.methods.register(_METHOD, commands(callers, _METHOD, known, data=None))


class _Methods:
    def __init__(self, interceptors: Interceptors, callers: Callers, calls: AppCalls) -> None:
        self._interceptors = interceptors
        self._callers = callers
        self._calls = calls

    async def register(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        async def handler(operation: Operation) -> Operation | None:
            return await self._asked(caller.peer, operation)

        done: list[tuple[str, str]] = []
        try:
            for one in _interceptions(arguments):
                area, name = self._interceptors.find(text(one, "domain"), text(one, "operation"))
                phases = _phases(one, both=f"{area}.{name}" in CLIENT_OPERATIONS)
                self._interceptors.register(caller.application, area, name, handler, caller=caller.peer, phases=phases)
                done.append((area, name))
        except DesktopError:
            for area, name in done:
                self._interceptors.remove(area, name, caller=caller.peer)
            raise
        return {}

    async def unregister(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        for one in _interceptions(arguments):
            area, name = self._interceptors.find(text(one, "domain"), text(one, "operation"))
            self._interceptors.remove(area, name, caller=caller.peer)
        return {}

    async def show(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Pass an operation of a client library to the app that intercepts it; return the operation to perform."""
        one = _interceptions(arguments)[0]
        area, name = self._interceptors.find(text(one, "domain"), text(one, "operation"))
        if f"{area}.{name}" not in CLIENT_OPERATIONS:
            raise DesktopError(f"{area}.{name} is intercepted by the platform itself")
        phase: Phase = "after" if one.get("phase") == "after" else "before"
        asked = Operation(area=area, name=name, arguments=one.get("operationArgs"), caller=caller.peer, phase=phase)
        answer = await self._interceptors.shown(asked)
        if answer is asked:
            return {}
        return {"operationResult": answer.result} if answer.result is not None else {"operationArgs": answer.arguments}

    async def _asked(self, peer: str, operation: Operation) -> Operation | None:
        methods = self._calls.of_peer(peer, _APP_METHOD)
        if not methods:
            return operation
        is_client = f"{operation.area}.{operation.name}" in CLIENT_OPERATIONS
        question = {
            "domain": operation.area[:1].lower() + operation.area[1:],
            "operation": operation.name[:1].lower() + operation.name[1:],
            "phase": operation.phase,
            "operationArgs": operation.arguments if is_client else [operation.arguments],
            "callerId": self._callers.of(operation.caller).instance or operation.caller,
        }
        answer = await self._calls.ask(methods[0], {"interception": question})
        if not isinstance(answer, Mapping):
            # An app that fails or does not respond must not block others.
            return operation
        if answer.get("operationResult") is not None:
            return replace(operation, result=answer["operationResult"])
        changed = answer.get("operationArgs")
        if not isinstance(changed, list):
            return operation
        if is_client:
            return replace(operation, arguments=changed)
        return replace(operation, arguments=changed[0]) if changed and isinstance(changed[0], Mapping) else operation


def _interceptions(arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = arguments.get("interceptions")
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_AT_ONCE:
        raise DesktopError(f"interceptions must be an array of 1 to {_MOST_AT_ONCE} objects")
    if not all(isinstance(one, Mapping) for one in listed):
        raise DesktopError("interceptions must be an array of objects")
    return listed


def _phases(one: Mapping[str, Any], *, both: bool) -> tuple[Phase, ...]:
    phase = one.get("phase")
    if phase not in (None, "all", "before", "after"):
        raise DesktopError("phase must be all, before or after")
    if phase == "after":
        return ("after",)
    return ("before", "after") if both and phase != "before" else ("before",)
