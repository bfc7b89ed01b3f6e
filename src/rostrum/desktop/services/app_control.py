"""Starts, stops, activates and restarts apps for callers, and limits the options that callers may set."""

from collections.abc import Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.contracts.addresses import PAGE_TYPES, why_not_opened
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_catalog import AppCatalog
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instance, Instances, StartedBy
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_opener import chosen_options
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.read import read_apps

_PROGRAM_OPTIONS = ("command", "parameters", "env")
_MOST_MEMBERS = 1000
_MOST_IMPORTED = 10_000

Imported = tuple[list[str], list[dict[str, str]]]
"""The names of imported apps, and the apps that were not imported with the reason."""


class AppControl:
    """Operations on apps and their instances."""

    def __init__(
        self,
        catalog: AppCatalog,
        instances: Instances,
        registry: WindowRegistry,
        control: WindowControl,
        guards: Guards,
    ) -> None:
        self._catalog = catalog
        self._instances = instances
        self._registry = registry
        self._control = control
        self._guards = guards

    async def start(
        self,
        caller: Caller,
        name: str,
        context: Mapping[str, Any],
        options: Mapping[str, Any],
        *,
        by_intent: bool = False,
    ) -> Instance:
        """Start an app with options for its window."""
        definition = self._catalog.find(name)
        if len(context) > _MOST_MEMBERS:
            raise DesktopError(f"context must have at most {_MOST_MEMBERS} members.")
        by = StartedBy(
            kind="intent" if by_intent else "application",
            app=caller.application or "",
            instance=caller.instance or "",
        )
        return await self._instances.start(
            name, context, caller=caller.peer, started_by=by, details=_details(definition, options)
        )

    async def stop(self, instance: str, *, force: bool = False) -> None:
        """Stop an instance; raise DesktopError if its app prevents that."""
        running = self.find(instance)
        if not force and not await self._guards.may_close(instance):
            raise DesktopError(f"{running.app} keeps its window open.")
        await self._instances.stop(instance)

    async def activate(self, instance: str) -> None:
        """Bring the window of an instance to the front."""
        running = self.find(instance)
        if self._registry.get(instance) is None:
            raise DesktopError(f"{running.app} has no window.")
        await self._control.focus(instance)

    async def restart(self, caller: Caller, instance: str, context: Mapping[str, Any] | None) -> Instance:
        """Stop an instance and start its app again, by default with the same context.

        The new window has the same position, unless the old one was minimized or maximized.
        """
        running, record = self.find(instance), self._registry.get(instance)
        options = {}
        if record is not None and record.state == "normal":
            bounds = record.bounds
            options = {"left": bounds.left, "top": bounds.top, "width": bounds.width, "height": bounds.height}
        await self.stop(instance)
        whole = {name: round(value) for name, value in options.items()}
        return await self.start(caller, running.app, running.context if context is None else context, whole)

    def find(self, instance: str) -> Instance:
        """Return a running instance; raise DesktopError if there is none with this id."""
        found = self._instances.get(instance)
        if found is None:
            raise DesktopError(f"There is no instance {instance[:100]!r}.")
        return found

    def import_apps(
        self, store: MemoryAppStore, app: str, definitions: object, *, programs: bool, replace: bool
    ) -> Imported:
        """Define apps for one app: valid ones are added, others are returned with the reasons."""
        if not isinstance(definitions, list) or len(definitions) > _MOST_IMPORTED:
            raise DesktopError(f"apps must be an array of at most {_MOST_IMPORTED} app definitions.")
        # Rejects an app that may not define others, before anything is read.
        store.export(app)
        errors: list[dict[str, str]] = []
        valid: dict[str, Any] = {}
        for index, definition in enumerate(definitions):
            found = read_apps([("", definition)])
            name = definition.get("name") if isinstance(definition, Mapping) else None
            if found.problems:
                shown = name if isinstance(name, str) else f"[{index}]"
                errors.append({"app": shown[:200], "error": "; ".join(map(str, found.problems[:3]))})
            else:
                valid |= dict.fromkeys(found.definitions, definition)
        try:
            return list(store.add(app, list(valid.values()), programs=programs, replace=replace)), errors
        except RostrumError as error:
            if not errors:
                raise
            raise DesktopError(f"{error} Also invalid: {errors[0]['app']}: {errors[0]['error']}") from error


def _details(definition: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details that a caller may override: those of windows only, and another address if allowed."""
    if str(definition["type"]).lower() not in PAGE_TYPES:
        for name in _PROGRAM_OPTIONS:
            if options.get(name):
                raise DesktopError(f"{name} of {definition['name']} can be set in its definition only.")
        return {}
    chosen = chosen_options(options)
    url = options.get("url")
    if url is not None:
        allowed = definition["details"].get("allowOverrides")
        if not isinstance(allowed, Mapping) or allowed.get("url") is not True:
            raise DesktopError(f"{definition['name']} is not started with another url: allowOverrides.url is not set.")
        problem = why_not_opened(url, files=False) if isinstance(url, str) else "must be text"
        if problem is not None:
            raise DesktopError(f"url {problem}.")
        chosen["url"] = url
    return chosen
