"""The in-memory app store on the gateway: allowed apps import, export and remove definitions."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["APP_DEFINITION_METHODS"]

_MODES = ("replace", "merge")


async def _add(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    app = _app(caller)
    store = platform.memory_store()
    store.add(app, _definitions(arguments), programs=platform.may_define_programs(app, caller.instance))
    return {}


async def _import(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    mode = arguments.get("mode", _MODES[0])
    if mode not in _MODES:
        raise DesktopError("mode must be replace or merge")
    app = _app(caller)
    imported = platform.memory_store().add(
        app,
        _definitions(arguments),
        programs=platform.may_define_programs(app, caller.instance),
        replace=mode == "replace",
    )
    return {"imported": list(imported)}


async def _export(platform: "Platform", _: Mapping[str, Any], caller: Caller) -> Any:
    return {"definitions": [dict(one) for one in platform.memory_store().export(_app(caller))]}


async def _remove(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    names = arguments.get("names")
    if names is None:
        names = [text(arguments, "name")]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DesktopError("names must be an array of app names")
    return {"removed": list(platform.memory_store().remove(_app(caller), names))}


async def _clear(platform: "Platform", _: Mapping[str, Any], caller: Caller) -> Any:
    return {"removed": list(platform.memory_store().clear(_app(caller)))}


def _app(caller: Caller) -> str:
    if caller.application is None:
        raise DesktopError("only apps that the platform has started may define apps")
    return caller.application


def _definitions(arguments: Mapping[str, Any]) -> list[Any]:
    definitions = arguments.get("definitions")
    if not isinstance(definitions, list):
        raise DesktopError("definitions must be an array")
    return definitions


APP_DEFINITION_METHODS: dict[str, Callable[["Platform", Mapping[str, Any], Caller], Awaitable[Any]]] = {
    "Rostrum.Apps.Add": _add,
    "Rostrum.Apps.Import": _import,
    "Rostrum.Apps.Export": _export,
    "Rostrum.Apps.Remove": _remove,
    "Rostrum.Apps.Clear": _clear,
}
"""Methods that only apps of ``allowedApps`` may call."""
