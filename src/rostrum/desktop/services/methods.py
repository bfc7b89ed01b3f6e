"""The platform's services as methods on the gateway, so that any client can use them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.app_definition_methods import APP_DEFINITION_METHODS
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import RESERVED_METHODS, Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.instances import Instance, start_arguments
from rostrum.desktop.interception_methods import INTERCEPTION_METHODS, CallerService, operation_of
from rostrum.desktop.message_methods import MESSAGE_IDENTITY_METHODS, MESSAGE_METHODS
from rostrum.desktop.services.preferences import STREAM, PreferenceChanges
from rostrum.desktop.window_methods import WINDOW_IDENTITY_METHODS, WINDOW_METHODS
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import Invocation, LocalStream
from rostrum.stores.layouts.store import LayoutKey

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["IDENTITY_METHODS", "METHODS", "OPERATIONS", "offer_services", "restore_layout"]

Service = Callable[["Platform", Mapping[str, Any]], Awaitable[Any]]
IdentityService = Callable[["Platform", Mapping[str, Any], Caller], Awaitable[Any]]
_REFUSED = "rostrum.errors.refused"


async def _list_apps(platform: "Platform", _: Mapping[str, Any]) -> Any:
    shown = ("name", "title", "type", "caption", "icon", "hidden", "keywords", "customProperties", "intents")
    running = [(one.app, one.id) for one in platform.instances.all]
    return {
        "applications": [
            {name: known.definition[name] for name in shown if name in known.definition}
            | {"store": known.store.name, "instances": [instance for app, instance in running if app == name]}
            for name, known in platform.apps.apps.items()
        ]
    }


async def _start_app(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    # Intercepted where apps are started, as the starts of layouts, of the tray and of the manager are.
    name, context = start_arguments(arguments)
    return _instance(await platform.instances.start(name, context, caller=caller.peer))


async def _stop_instance(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    instance = text(arguments, "instance")
    if not await platform.windows.may_close(instance):
        raise DesktopError("the app keeps its window open")
    ran = platform.instances.get(instance) is not None
    await platform.instances.stop(instance)
    return {"stopped": ran}


async def _list_instances(platform: "Platform", _: Mapping[str, Any]) -> Any:
    return {"instances": [_instance(one) for one in platform.instances.all]}


async def _list_layouts(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    default = platform.stores.layouts.default()
    return {
        "layouts": [
            {"name": one["name"], "type": one["type"]} | ({"default": True} if LayoutKey.of(one) == default else {})
            for one in platform.layouts.export(arguments.get("type"))
        ]
    }


async def _save_layout(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    layout = await platform.layouts.save(
        text(arguments, "name"), context=arguments.get("context"), metadata=arguments.get("metadata")
    )
    return {"layout": dict(layout)}


async def _restore_layout(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    return {"notes": list(await platform.layouts.restore(_key(arguments)))}


async def _rename_layout(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.layouts.rename(_key(arguments), text(arguments, "newName"))
    return {}


async def _remove_layout(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    key = _key(arguments)
    there = key in platform.stores.layouts.layouts()
    await platform.layouts.remove(key)
    return {"removed": there}


async def _set_default(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.layouts.set_default(_key(arguments) if arguments.get("name") else None)
    return {}


async def _hibernate(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    done = await platform.layouts.hibernate(_key(arguments))
    return {"closed": list(done.closed), "open": list(done.open)}


async def _export_layouts(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    return {"layouts": [dict(one) for one in platform.layouts.export(arguments.get("type"))]}


async def _import_layouts(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    layouts = arguments.get("layouts")
    if not isinstance(layouts, list):
        raise DesktopError("layouts must be an array of layouts")
    return {"imported": await platform.layouts.import_all(layouts, replace=arguments.get("mode") != "merge")}


async def _get_preferences(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    # Not who calls, but whose preferences are meant: apps may read and change those of others of the same user.
    return {"data": dict(await platform.preferences.get(text(arguments, "app")))}


async def _set_preferences(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    change = platform.preferences.update if arguments.get("merge") else platform.preferences.set
    await change(text(arguments, "app"), arguments.get("data") or {})
    return {}


async def _search(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    limit = arguments.get("limit")
    found = platform.search.find(
        text(arguments, "text"), arguments.get("types"), limit if isinstance(limit, int) else 20
    )
    return {"results": [asdict(one) for one in found]}


async def _list_channels(platform: "Platform", _: Mapping[str, Any]) -> Any:
    described = platform.channels.described
    return {
        "channels": list(described),
        "definitions": [{"name": name, "meta": meta} for name, meta in described.items()],
    }


async def _list_themes(platform: "Platform", _: Mapping[str, Any]) -> Any:
    return platform.themes.listed()


async def _select_theme(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.themes.select(text(arguments, "name"))
    return {}


async def _join_channel(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    platform.channels.join(text(arguments, "instance"), text(arguments, "channel"))
    return {}


async def _status(platform: "Platform", _: Mapping[str, Any]) -> Any:
    return platform.status()


METHODS: dict[str, Service] = {
    "Rostrum.Apps.List": _list_apps,
    "Rostrum.Instances.List": _list_instances,
    "Rostrum.Instances.Stop": _stop_instance,
    "Rostrum.Layouts.List": _list_layouts,
    "Rostrum.Layouts.Save": _save_layout,
    "Rostrum.Layouts.Restore": _restore_layout,
    "Rostrum.Layouts.Rename": _rename_layout,
    "Rostrum.Layouts.Remove": _remove_layout,
    "Rostrum.Layouts.SetDefault": _set_default,
    "Rostrum.Layouts.Hibernate": _hibernate,
    "Rostrum.Layouts.Export": _export_layouts,
    "Rostrum.Layouts.Import": _import_layouts,
    "Rostrum.Preferences.Get": _get_preferences,
    "Rostrum.Preferences.Set": _set_preferences,
    "Rostrum.Search.Find": _search,
    "Rostrum.Channels.List": _list_channels,
    "Rostrum.Channels.Join": _join_channel,
    "Rostrum.Themes.List": _list_themes,
    "Rostrum.Themes.Select": _select_theme,
    "Rostrum.Platform.Status": _status,
    **MESSAGE_METHODS,
    **WINDOW_METHODS,
}

IDENTITY_METHODS: dict[str, IdentityService] = {
    "Rostrum.Apps.Start": _start_app,
    **APP_DEFINITION_METHODS,
    **MESSAGE_IDENTITY_METHODS,
    **WINDOW_IDENTITY_METHODS,
}
"""Methods whose outcome depends on who calls: they are given the verified caller."""

OPERATIONS = frozenset(name.removeprefix(RESERVED_METHODS) for name in (*METHODS, *IDENTITY_METHODS))
"""What apps may intercept, as area and operation: Apps.Start."""
_INTERCEPTED_ELSEWHERE = ("Rostrum.Apps.Start",)


async def offer_services(platform: "Platform", peer: LocalPeer) -> LocalStream:
    """Register every method, and the streams of what changes."""
    for name, service in METHODS.items():
        await peer.methods.register(name, _handler(platform, _interceptable(name, _of_anyone(service))))
    for name, identity_service in IDENTITY_METHODS.items():
        await peer.methods.register(name, _handler(platform, _interceptable(name, identity_service)))
    for name, caller_service in INTERCEPTION_METHODS.items():
        await peer.methods.register(name, _handler(platform, caller_service))
    preferences = await peer.methods.stream(STREAM, lambda asked: _app_of_subscriber(platform, asked))
    PreferenceChanges(platform.preferences, preferences)
    return await peer.methods.stream("Rostrum.Platform.Changes")


def _app_of_subscriber(platform: "Platform", asked: Invocation) -> str:
    """Return the app whose preferences a subscriber wants: the one it names, else its own."""
    app = asked.arguments.get("app", platform.callers.of(asked.caller).application)
    if not isinstance(app, str) or not app:
        raise CallFailed(_REFUSED, "app must be the name of the app whose preferences are followed")
    return app


async def restore_layout(platform: "Platform", key: LayoutKey) -> list[str]:
    """Restore a layout for the platform itself, or for the manager; an app may change or prevent it, too."""
    asked = operation_of("Rostrum.Layouts.Restore", {"name": key.name, "type": key.type})
    operation = await platform.interceptors.passed(asked)
    return list(await platform.layouts.restore(_key(operation.arguments)))


def _of_anyone(service: Service) -> IdentityService:
    async def serve(platform: "Platform", arguments: Mapping[str, Any], _: Caller) -> Any:
        return await service(platform, arguments)

    return serve


def _interceptable(name: str, service: IdentityService) -> CallerService:
    async def serve(platform: "Platform", invocation: Invocation) -> Any:
        caller = platform.callers.of(invocation.caller)
        if name in _INTERCEPTED_ELSEWHERE:
            return await service(platform, invocation.arguments, caller)
        operation = await platform.interceptors.passed(operation_of(name, invocation.arguments, invocation.caller))
        return await service(platform, operation.arguments, caller)

    return serve


def _handler(platform: "Platform", service: CallerService) -> Callable[[Invocation], Awaitable[Any]]:
    async def handle(invocation: Invocation) -> Any:
        try:
            return await service(platform, invocation)
        except RostrumError as error:
            raise CallFailed(_REFUSED, str(error)) from error

    return handle


def _instance(instance: Instance) -> dict[str, Any]:
    return {
        "id": instance.id,
        "app": instance.app,
        "type": instance.type,
        "title": instance.title,
        "index": instance.index,
        "process": instance.process,
    }


def _key(arguments: Mapping[str, Any]) -> LayoutKey:
    return LayoutKey(str(arguments.get("type") or "Global"), text(arguments, "name"))
