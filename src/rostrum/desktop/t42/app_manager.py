"""T42.ACS: apps and their instances for the app manager of the client libraries."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_catalog import AppCatalog, CatalogChange, shown_definition
from rostrum.desktop.services.app_control import AppControl
from rostrum.desktop.services.apps import may_define_programs
from rostrum.desktop.services.instances import Ended, Instance, Instances
from rostrum.desktop.services.readiness import Readiness
from rostrum.desktop.t42.app_info import app_properties, instance_properties, intents_info, started_by_info
from rostrum.desktop.t42.calls import offer_method, shown
from rostrum.desktop.t42.commands import Command, mapping
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber
from rostrum.stores.apps.memory_store import MemoryAppStore

STREAM = "T42.ACS.OnEvent"
_CONFIGURATION = {"throwErrors": True}
_WITH_ICONS, _WITHOUT_ICONS = "icons", "noIcons"
_CONNECTED = frozenset({"window", "node", "workspaces", "webgroup"})
"""Types of app that usually connect to the gateway, so that a start is complete when they have."""
_MOST_NAMES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AppServices:
    """The services that both interfaces to apps use.

    Attributes:
        memory_store: Returns the store that apps may change; raises DesktopError if there is none.
    """

    catalog: AppCatalog
    control: AppControl
    instances: Instances
    readiness: Readiness
    callers: Callers
    peer: LocalPeer
    memory_store: Callable[[], MemoryAppStore]

    def import_apps(self, caller: Caller, definitions: object, *, replace: bool) -> dict[str, Any]:
        """Define apps for a caller."""
        app = self.defining(caller)
        programs = may_define_programs(self.instances, caller)
        imported, errors = self.control.import_apps(
            self.memory_store(), app, definitions, programs=programs, replace=replace
        )
        return {"imported": imported, "errors": errors}

    def defining(self, caller: Caller) -> str:
        """Return the app of a caller; raise DesktopError for programs that the platform has not started."""
        if caller.application is None:
            raise DesktopError("Only apps that the platform has started may define apps.")
        return caller.application


async def offer_app_manager(services: AppServices) -> None:
    """Register the methods and the stream on the gateway."""
    handlers: dict[str, Callable[[AppServices, Mapping[str, Any], Caller], Any]] = {
        "GetApplications": _get_applications,
        "StartApplication": _start,
        "StopApplication": _stop,
        "ActivateApplication": _activate,
        "Execute": _execute,
        "InMemoryStoreCommand": _in_memory,
    }
    for name, handler in handlers.items():
        bound: Command = partial(handler, services)
        await offer_method(services.peer, services.callers, f"T42.ACS.{name}", bound)
    stream = await services.peer.methods.stream(STREAM, _branch)
    _Events(stream, services)


def _branch(subscriber: Subscriber) -> str:
    return _WITHOUT_ICONS if subscriber.arguments.get("skipIcon") is True else _WITH_ICONS


class _Events:
    """The stream of app events, which begins with a snapshot."""

    def __init__(self, stream: LocalStream, services: AppServices) -> None:
        self._stream = stream
        self._catalog = services.catalog
        self._instances = services.instances
        self._readiness = services.readiness
        stream.subscribed.connect(self._snapshot)
        services.catalog.changed.connect(self._changed)
        services.instances.started.connect(self._started)
        services.instances.retitled.connect(self._updated)
        services.instances.context_changed.connect(self._updated)
        services.instances.ended.connect(self._ended)
        services.readiness.ready.connect(self._ready)

    def _snapshot(self, subscriber: Subscriber) -> None:
        skip_icon = subscriber.branch == _WITHOUT_ICONS
        apps = [app_properties(one.definition, skip_icon=skip_icon) for one in self._catalog.all.values()]
        running = [instance_properties(one, self._readiness) for one in self._listed()]
        snapshot = {"OnApplicationAdded": apps, "OnApplicationStarted": running}
        self._stream.send(subscriber, {"isSnapshot": True, "configuration": _CONFIGURATION, **snapshot})

    def _changed(self, change: CatalogChange) -> None:
        for branch in (_WITH_ICONS, _WITHOUT_ICONS):
            describe = partial(app_properties, skip_icon=branch == _WITHOUT_ICONS)
            for kind, names in (("OnApplicationAdded", change.added), ("OnApplicationChanged", change.updated)):
                found = [definition for name in names if (definition := self._catalog.get(name))]
                if found:
                    self._stream.push({kind: [describe(one) for one in found]}, branch)
        if change.removed:
            self._stream.push({"OnApplicationRemoved": [{"Name": name} for name in change.removed]})

    def _started(self, instance: Instance) -> None:
        self._push("OnApplicationStarted", instance)

    def _updated(self, instance: Instance) -> None:
        self._push("OnApplicationUpdated", instance)

    def _ready(self, instance: Instance) -> None:
        self._push("OnApplicationAgmServerReady", instance)

    def _ended(self, ended: Ended) -> None:
        if ended.failure:
            self._push("OnApplicationStartFailed", ended.instance)
        self._push("OnApplicationStopped", ended.instance)

    def _push(self, kind: str, instance: Instance) -> None:
        if self._catalog.get(instance.app) is not None:
            self._stream.push({kind: [instance_properties(instance, self._readiness)]})

    def _listed(self) -> list[Instance]:
        # Clients fail on instances of an unknown app.
        return [one for one in self._instances.all if self._catalog.get(one.app) is not None]


async def _get_applications(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    known = [one.definition for one in services.catalog.all.values()]
    if arguments.get("withIntentsInfo") is True:
        return {"applications": [intents_info(one) for one in known]}
    if "v2" in arguments:
        wanted = _names(mapping(arguments, "v2"))
        chosen = known if wanted is None else [one for one in known if one["name"] in wanted]
        return {"applications": [shown_definition(one) for one in chosen]}
    skip_icon = arguments.get("skipIcon") is True
    applications = [app_properties(one, skip_icon=skip_icon) for one in known]
    return {"applications": applications, "configuration": _CONFIGURATION}


async def _start(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    # The intents API writes options in lower case.
    options = mapping(arguments, "Options" if "Options" in arguments else "options")
    by_intent = options.get("startedByIntentAPI") is True
    name, context = text(arguments, "Name"), mapping(arguments, "Context")
    if not context:
        context = mapping(options, "context")
    started = await services.control.start(caller, name, context, options, by_intent=by_intent)
    answer = {"Id": started.id, "Name": started.app}
    if started.type.lower() not in _CONNECTED:
        return {**answer, "waitForInterop": False}
    return answer


async def _stop(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    await services.control.stop(text(arguments, "Id"))
    return {}


async def _activate(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    await services.control.activate(text(arguments, "Id"))
    return {}


async def _execute(services: AppServices, arguments: Mapping[str, Any], _: Caller) -> Any:
    if arguments.get("command") != "getStartedBy":
        raise DesktopError(f"T42.ACS.Execute has no command {shown(arguments.get('command'))}.")
    return started_by_info(services.control.find(text(arguments, "Id")).started_by)


async def _in_memory(services: AppServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    command, given = arguments.get("command"), mapping(arguments, "args")
    if command == "import":
        mode = given.get("mode", "replace")
        if mode not in ("replace", "merge"):
            raise DesktopError("mode must be replace or merge.")
        return services.import_apps(caller, given.get("apps"), replace=mode == "replace")
    store, app = services.memory_store(), services.defining(caller)
    if command == "export":
        return {"apps": [dict(one) for one in store.export(app)]}
    if command == "remove":
        return {"removed": list(store.remove(app, _names(given) or ()))}
    if command == "clear":
        return {"removed": list(store.clear(app))}
    raise DesktopError(f"T42.ACS.InMemoryStoreCommand has no command {shown(command)}.")


def _names(written: Mapping[str, Any]) -> frozenset[str] | None:
    names = written.get("apps")
    if names is None:
        return None
    if not isinstance(names, list) or len(names) > _MOST_NAMES or not all(isinstance(one, str) for one in names):
        raise DesktopError(f"apps must be an array of at most {_MOST_NAMES} app names.")
    return frozenset(names)
