"""All apps of the platform, and the methods that list, start and define apps."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instance, Instances, StartedBy, start_arguments
from rostrum.desktop.services.methods import method
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.registry import AppRegistry, KnownApp
from rostrum.stores.apps.rest_store import RestAppStore
from rostrum.stores.apps.store import Definition

_MODES = ("replace", "merge")
_SHOWN = ("name", "title", "type", "caption", "icon", "hidden", "keywords", "customProperties", "intents")


class Apps:
    """The apps of all stores.

    Attributes:
        users: The apps that users may start.
        system: The apps of systemAppStores, which the platform depends on.
    """

    def __init__(self, users: AppRegistry, system: AppRegistry) -> None:
        self.users = users
        self.system = system
        for store in users.stores:
            if isinstance(store, MemoryAppStore):
                store.known = self.startable

    def known(self, name: str) -> KnownApp | None:
        """Return an app of any store."""
        return self.system.apps.get(name) or self.users.apps.get(name)

    def definition(self, name: str) -> Definition | None:
        """Return the definition of an app."""
        known = self.known(name)
        return known.definition if known else None

    def definitions(self) -> dict[str, Definition]:
        """Return all apps that users may start."""
        return {name: known.definition for name, known in self.users.apps.items()}

    def startable(self) -> dict[str, Definition]:
        """Return all apps that a layout may start, including those of the platform."""
        return self.definitions() | {name: known.definition for name, known in self.system.apps.items()}

    def is_system_app(self, name: str) -> bool:
        """Return whether an app is from systemAppStores, so that the platform depends on it."""
        return name in self.system.apps

    def is_trusted(self, name: str) -> bool:
        """Return whether an app is from a trusted store."""
        known = self.known(name)
        return known is not None and known.store.trusted

    def opens_files(self, name: str) -> bool:
        """Return whether the page of an app may be a file: only if this machine's administrator defined the app."""
        known = self.known(name)
        return known is not None and (known.store.trusted or isinstance(known.store, PathAppStore))

    def is_in_memory(self, name: str) -> bool:
        """Return whether an app was defined by another app while the platform runs."""
        known = self.known(name)
        return known is not None and isinstance(known.store, MemoryAppStore)

    def is_limited(self, name: str) -> bool:
        """Return whether a page or a store that is not trusted has defined an app, and not an administrator."""
        known = self.known(name)
        if known is None:
            return True
        return self.is_in_memory(name) or (isinstance(known.store, RestAppStore) and not known.store.trusted)

    def defined_by(self, name: str) -> str | None:
        """Return the app that has defined another app while the platform runs."""
        known = self.known(name)
        return known.store.owner(name) if known is not None and isinstance(known.store, MemoryAppStore) else None

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that define apps."""
        stores = (*self.users.stores, *self.system.stores)
        return tuple(store.folder for store in stores if isinstance(store, PathAppStore))

    def memory_store(self) -> MemoryAppStore:
        """Return the store that apps may change; raise DesktopError if there is none."""
        for store in self.users.stores:
            if isinstance(store, MemoryAppStore):
                return store
        raise DesktopError("there is no in-memory app store; add one to appStores")


def may_define_programs(instances: Instances, caller: Caller) -> bool:
    """Return whether an app may define programs: only a program, which could start others itself."""
    running = instances.get(caller.instance) if caller.instance else None
    return running is not None and running.type.lower() not in PAGE_TYPES


class AppMethods:
    """Apps on the gateway; apps of ``allowedApps`` may define others in the in-memory store."""

    def __init__(self, apps: Apps, instances: Instances) -> None:
        self._apps = apps
        self._instances = instances

    @method("Rostrum.Apps.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the apps that users may start, with their running instances."""
        running = [(one.app, one.id) for one in self._instances.all]
        return {
            "applications": [
                {name: known.definition[name] for name in _SHOWN if name in known.definition}
                | {"store": known.store.name, "instances": [instance for app, instance in running if app == name]}
                for name, known in self._apps.users.apps.items()
            ]
        }

    # Intercepted where apps are started, like starts by layouts, the tray and the manager.
    @method("Rostrum.Apps.Start", intercepted_here=False)
    async def start(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Start an app."""
        name, context = start_arguments(arguments)
        by = StartedBy(kind="application", app=caller.application or "", instance=caller.instance or "")
        return _view(await self._instances.start(name, context, caller=caller.peer, started_by=by))

    @method("Rostrum.Instances.List")
    async def list_instances(self, _: Mapping[str, Any]) -> Any:
        """List the running instances of all apps."""
        return {"instances": [_view(one) for one in self._instances.all]}

    @method("Rostrum.Apps.Add")
    async def add(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Add definitions of the calling app."""
        app = _app(caller)
        programs = may_define_programs(self._instances, caller)
        self._apps.memory_store().add(app, _definitions(arguments), programs=programs)
        return {}

    @method("Rostrum.Apps.Import")
    async def import_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Replace the definitions of the calling app, or merge others into them."""
        mode = arguments.get("mode", _MODES[0])
        if mode not in _MODES:
            raise DesktopError("mode must be replace or merge")
        app = _app(caller)
        imported = self._apps.memory_store().add(
            app,
            _definitions(arguments),
            programs=may_define_programs(self._instances, caller),
            replace=mode == "replace",
        )
        return {"imported": [*imported]}

    @method("Rostrum.Apps.Export")
    async def export(self, _: Mapping[str, Any], caller: Caller) -> Any:
        """Return the definitions of the calling app."""
        return {"definitions": [dict(one) for one in self._apps.memory_store().export(_app(caller))]}

    @method("Rostrum.Apps.Remove")
    async def remove(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Remove definitions of the calling app."""
        names = arguments.get("names")
        if names is None:
            names = [text(arguments, "name")]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise DesktopError("names must be an array of app names")
        return {"removed": [*self._apps.memory_store().remove(_app(caller), names)]}

    @method("Rostrum.Apps.Clear")
    async def clear(self, _: Mapping[str, Any], caller: Caller) -> Any:
        """Remove all definitions of the calling app."""
        return {"removed": [*self._apps.memory_store().clear(_app(caller))]}


def _view(instance: Instance) -> dict[str, Any]:
    return {
        "id": instance.id,
        "app": instance.app,
        "type": instance.type,
        "title": instance.title,
        "index": instance.index,
        "process": instance.process,
    }


def _app(caller: Caller) -> str:
    if caller.application is None:
        raise DesktopError("only apps that the platform has started may define apps")
    return caller.application


def _definitions(arguments: Mapping[str, Any]) -> Any:
    definitions = arguments.get("definitions")
    if not isinstance(definitions, list):
        raise DesktopError("definitions must be an array")
    return definitions
