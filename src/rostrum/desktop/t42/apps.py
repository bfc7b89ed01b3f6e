"""apps.command and apps.event: the newer interface to apps and their instances."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError, UnknownApp
from rostrum.desktop.services.app_catalog import CatalogChange
from rostrum.desktop.services.instances import Ended, Instance
from rostrum.desktop.t42.app_info import app_info, instance_info
from rostrum.desktop.t42.app_manager import AppServices
from rostrum.desktop.t42.calls import offer_method, shown
from rostrum.desktop.t42.commands import mapping
from rostrum.gateway import CallFailed
from rostrum.gateway.local.methods import LocalStream, Subscriber

_REFUSED = "rostrum.errors.refused"
_MOST_NAMES = 10_000
_FLAGS = {"isHidden": "isHidden", "isInMemory": "isInMemory"}
EVENTS = (
    "applications-added",
    "applications-removed",
    "applications-updated",
    "instance-started",
    "instance-stopped",
    "instance-state-changed",
)

Command = Callable[[AppServices, Mapping[str, Any], Caller], Awaitable[Any]]


async def offer_apps(services: AppServices) -> None:
    """Register the method and the stream on the gateway."""

    async def command(arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("command")
        found = COMMANDS.get(name) if isinstance(name, str) else None
        if found is None:
            raise DesktopError(f"apps.command has no command {shown(name)}.")
        return await found(services, mapping(arguments, "args"), caller)

    stream = await services.peer.methods.stream("apps.event", _branch)
    _Events(stream, services)
    # The libraries use the interface as soon as the method exists, so it is registered last.
    await offer_method(services.peer, services.callers, "apps.command", command)


def _branch(subscriber: Subscriber) -> str:
    event = subscriber.arguments.get("event")
    if event not in EVENTS:
        raise CallFailed(_REFUSED, f"apps.event has no event {shown(event)}. Events: {', '.join(EVENTS)}.")
    return str(event)


class _Events:
    """One branch of the stream for each event."""

    def __init__(self, stream: LocalStream, services: AppServices) -> None:
        self._stream = stream
        self._services = services
        services.catalog.changed.connect(self._changed)
        services.instances.started.connect(self._started)
        services.instances.ended.connect(self._ended)
        services.readiness.ready.connect(lambda one: self._state(one, "ready"))

    def _changed(self, change: CatalogChange) -> None:
        catalog = self._services.catalog
        self._push("applications-added", [{"app": app_info(name, catalog)} for name in change.added])
        self._push("applications-removed", [{"appName": name} for name in change.removed])
        updated = [{"app": app_info(name, catalog), "changes": app_info(name, catalog)} for name in change.updated]
        self._push("applications-updated", updated)

    def _started(self, instance: Instance) -> None:
        self._push("instance-started", [{"instance": instance_info(instance, "started")}])
        self._state(instance, "started")

    def _ended(self, ended: Ended) -> None:
        state = "failed" if ended.crashed or ended.failure else "stopped"
        self._push("instance-stopped", [{"instance": instance_info(ended.instance, state)}])
        self._state(ended.instance, state)

    def _state(self, instance: Instance, state: str) -> None:
        self._push("instance-state-changed", [{"instance": instance_info(instance, state), "state": state}])

    def _push(self, event: str, items: list[dict[str, Any]]) -> None:
        if items:
            self._stream.push({"event": event, "data": items}, event)


async def _announce(services: AppServices, _: Mapping[str, Any], caller: Caller) -> Any:
    running = services.instances.get(caller.instance) if caller.instance else None
    # A program that the platform has not started is not an instance.
    return {} if running is None else _instance(services, running)


async def _get_app(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    name = text(arguments, "name")
    return {} if services.catalog.get(name) is None else _app(services, name, arguments)


async def _get_apps(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    wanted = mapping(arguments, "filter")
    names = [name for name in services.catalog.all if _fits(services, name, wanted)]
    return {"apps": [_app(services, name, wanted) for name in names]}


async def _has_app(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    return {"result": services.catalog.get(text(arguments, "name")) is not None}


async def _start(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    name = text(arguments, "name")
    if arguments.get("reuseInstance") is True:
        for running in services.instances.all:
            if running.app == name:
                return _instance(services, running)
    override = mapping(arguments, "definitionOverride")
    options = {**override, **mapping(override, "details")}
    try:
        started = await services.control.start(caller, name, mapping(arguments, "context"), options)
    except UnknownApp as error:
        # The libraries recognize the error by this text.
        raise DesktopError(f"application not found: {error}") from error
    return _instance(services, started)


async def _stop(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    await services.control.stop(text(arguments, "id"), force=arguments.get("force") is True)
    return {}


async def _restart(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    context = arguments.get("context")
    if context in (None, "preserve"):
        context = None
    elif context == "clear":
        context = {}
    elif not isinstance(context, Mapping):
        raise DesktopError("context must be an object, preserve or clear.")
    return _instance(services, await services.control.restart(caller, text(arguments, "id"), context))


async def _wait_for_ready(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    instance = services.control.find(text(arguments, "id"))
    if not await services.readiness.wait(instance.id):
        raise DesktopError(f"{instance.app} has ended before it was ready.")
    return {}


async def _get_instance(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    found = services.instances.get(text(arguments, "id"))
    return {} if found is None else _instance(services, found)


async def _get_instances(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    wanted = mapping(arguments, "filter")
    ids, apps = _texts(wanted, "ids"), _texts(wanted, "appNames")
    after, before = _moment(wanted, "startedAfter"), _moment(wanted, "startedBefore")
    return {
        "instances": [
            _instance(services, one)
            for one in services.instances.all
            if (ids is None or one.id in ids)
            and (apps is None or one.app in apps)
            and (after is None or one.started_at.timestamp() * 1000 > after)
            and (before is None or one.started_at.timestamp() * 1000 < before)
        ]
    }


async def _get_state(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    return {"state": services.readiness.state(text(arguments, "id"))}


async def _get_context(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    return {"context": services.control.find(text(arguments, "id")).context}


async def _import(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    mode = arguments.get("mode", "replace")
    if mode not in ("replace", "merge"):
        raise DesktopError("mode must be replace or merge.")
    return services.import_apps(caller, arguments.get("apps"), replace=mode == "replace")


async def _in_memory_has(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    return {"result": services.catalog.is_in_memory(text(arguments, "name"))}


async def _in_memory_remove(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    name = arguments.get("name")
    names = _texts({"name": [name] if isinstance(name, str) else name}, "name") or ()
    removed = services.memory_store().remove(services.defining(caller), names)
    await _stop_instances(services, removed, stop=arguments.get("stopInstances") is True)
    return {"removed": list(removed)}


async def _in_memory_clear(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    removed = services.memory_store().clear(services.defining(caller))
    await _stop_instances(services, removed, stop=arguments.get("stopAllInstances") is True)
    return {"removed": list(removed)}


async def _stop_instances(services: AppServices, apps: tuple[str, ...], *, stop: bool) -> None:
    for one in services.instances.all if stop else ():
        if one.app in apps:
            await services.instances.stop(one.id)


COMMANDS: Mapping[str, Command] = {
    "announce": _announce,
    "get-app": _get_app,
    "get-apps": _get_apps,
    "has-app": _has_app,
    "start-app": _start,
    "stop-app": _stop,
    "restart-instance": _restart,
    "wait-for-ready": _wait_for_ready,
    "get-instance": _get_instance,
    "get-instances": _get_instances,
    "get-instance-state": _get_state,
    "get-instance-context": _get_context,
    "in-memory-import": _import,
    "in-memory-has": _in_memory_has,
    "in-memory-remove": _in_memory_remove,
    "in-memory-clear": _in_memory_clear,
}
"""The handler of each command."""


def _instance(services: AppServices, instance: Instance) -> dict[str, Any]:
    return instance_info(instance, services.readiness.state(instance.id))


def _app(services: AppServices, name: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    running = None
    if wanted.get("includeInstances") is True:
        running = [_instance(services, one) for one in services.instances.all if one.app == name]
    return app_info(name, services.catalog, with_definition=wanted.get("includeDefinition") is True, instances=running)


def _fits(services: AppServices, name: str, wanted: Mapping[str, Any]) -> bool:
    definition = services.catalog.find(name)
    described = app_info(name, services.catalog)
    names, types, keywords = (_texts(wanted, one) for one in ("names", "types", "keywords"))
    custom, own = mapping(wanted, "customProperties"), definition.get("customProperties") or {}
    is_fdc3 = wanted.get("isFdc3Definition")
    return (
        (names is None or name in names)
        and (types is None or definition["type"] in types)
        and (keywords is None or bool(keywords & {*(definition.get("keywords") or ())}))
        and all(wanted.get(flag) in (None, described[flag]) for flag in _FLAGS)
        and (is_fdc3 is None or (definition.get("fdc3") is not None) == is_fdc3)
        and all(own.get(key) == value for key, value in custom.items())
    )


def _texts(wanted: Mapping[str, Any], name: str) -> frozenset[str] | None:
    value = wanted.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > _MOST_NAMES or not all(isinstance(one, str) for one in value):
        raise DesktopError(f"{name} must be an array of at most {_MOST_NAMES} texts.")
    return frozenset(value)


def _moment(wanted: Mapping[str, Any], name: str) -> float | None:
    value = wanted.get(name)
    if value is None:
        return None
    written = value.removeprefix("#T42_DATE#") if isinstance(value, str) else ""
    if not written.isdecimal() or len(written) > 15:
        raise DesktopError(f"{name} must be a date.")
    return float(written)
