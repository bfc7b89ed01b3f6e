"""Saves and restores layouts of the running desktop."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.dialogs import Dialogs, Unsaved
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.layout_components import (
    LayoutComponents,
    RunningDesktop,
    comparable,
    is_chosen,
    is_left_out,
    with_context,
)
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_placeholders import Placeholders
from rostrum.desktop.services.layout_plan import Plan, plan_restore
from rostrum.desktop.services.layout_records import (
    GLOBAL,
    RESTORE_ALL,
    SAVE_ALL,
    WORKSPACE,
    CurrentModified,
    RestoredLayout,
    RestoreOptions,
    SaveContexts,
    SaveOptions,
)
from rostrum.desktop.services.layout_restore import LayoutRestore
from rostrum.desktop.services.methods import Operation, operation_of
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.stored_layouts import StoredLayouts
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.windows.loader import Loader
from rostrum.stores.layouts.store import Layout, LayoutKey, LayoutStore

_log = logging.getLogger(__name__)
RESTORE = "Rostrum.Layouts.Restore"
"""The method that restores a layout, also for intercepting apps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hibernated:
    """The apps of a hibernated layout: those that were closed, and those that stay open."""

    closed: tuple[str, ...]
    open: tuple[str, ...]


class LayoutService(StoredLayouts):
    """Saves, restores and hibernates layouts, in addition to the operations of the store.

    Attributes:
        restored: Emitted with the key of each restored layout.
        modified: Emitted when an instance starts or stops while a layout is the current one.
        current: The Global layout that was last saved or restored.
        restored_layouts: The layouts restored in this run, in their last restored version.
        open_workspace: Opens a layout of type Workspace by its name, with a ``context``; None if not supported.
        save_contexts: Requests contexts for layouts from apps; None requests none.
    """

    def __init__(
        self,
        store: LayoutStore,
        instances: Instances,
        host: WindowHost,
        apps: Callable[[], Mapping[str, Any]],
        *,
        max_size: float,
        close_on_hibernate: bool,
        channels: Channels | None = None,
        dialogs: Dialogs | None = None,
        loader: Loader | None = None,
        grouping: Grouping | None = None,
        registry: WindowRegistry | None = None,
        placeholders: Placeholders | None = None,
        native: NativeWindows | None = None,
        docking: Docking | None = None,
        workspaces: Workspaces | None = None,
        is_critical: Callable[[str], bool] = lambda _: False,
        intercept: Callable[[Operation], Awaitable[Operation]] | None = None,
    ) -> None:
        """Use the store and the running desktop; ``apps`` returns all apps by name.

        ``dialogs`` prompts for unsaved changes, ``loader`` is shown while a layout is restored, ``grouping`` has the
        groups and tabs, ``registry`` the state of windows, ``native`` that of windows of programs, ``docking`` docks
        windows, ``workspaces`` shows windows in frames, ``is_critical`` returns whether layouts must not close an app.
        ``placeholders`` replace apps that do not start. ``intercept`` passes every restore to the app that intercepts
        restores; it raises Prevented if that app prevents it.
        """
        super().__init__(store)
        self.restored: Signal[LayoutKey] = Signal()
        self.modified: Signal[CurrentModified] = Signal()
        self.current: LayoutKey | None = None
        self.restored_layouts: dict[LayoutKey, RestoredLayout] = {}
        self.save_contexts: SaveContexts | None = None
        self.open_workspace: Callable[..., Awaitable[object]] | None = None
        self._workspaces = workspaces
        self._instances = instances
        self._host = host
        self._apps = apps
        self._max_size = max_size
        self._close_on_hibernate = close_on_hibernate
        self._dialogs = dialogs
        self._loader = loader
        self._grouping = grouping
        self._placeholders = placeholders
        self._is_critical = is_critical
        self._intercept = intercept
        desktop = RunningDesktop(
            instances=instances,
            host=host,
            channels=channels,
            grouping=grouping,
            registry=registry,
            placeholders=placeholders,
            native=native,
            docking=docking,
            workspaces=workspaces,
        )
        self._components = LayoutComponents(desktop)
        self._restoring = LayoutRestore(desktop)
        self._saved: list[dict[str, Any]] = []
        self._quiet = 0
        instances.started.connect(lambda one: self._modified(one, "started"))
        instances.ended.connect(lambda one: self._modified(one.instance, "stopped"))

    @property
    def changed(self) -> bool:
        """Return whether the desktop differs from the layout that was last saved or restored."""
        return self.current is not None and comparable(self._components.all()) != comparable(self._saved)

    async def save(
        self,
        name: str,
        *,
        context: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        options: SaveOptions = SAVE_ALL,
    ) -> Layout:
        """Save the running apps as a Global layout, with contexts from the apps."""
        key = LayoutKey(GLOBAL, name)
        chosen = [one for one in self._components.kept() if is_chosen(one, options)]
        contexts = await self._contexts(chosen, key, context or {}, options)
        components = [self._components.of(one) for one in chosen if self._instances.get(one.id) is not None]
        if options.instances is None:
            components += self._components.not_started()
        layout: dict[str, Any] = {
            "name": name,
            "type": GLOBAL,
            "components": [with_context(one, contexts, options) for one in components],
        }
        layout |= {"context": dict(context)} if context else {}
        layout |= {"metadata": dict(metadata)} if metadata else {}
        await self._store.save(layout)
        if options.set_current:
            self.current, self._saved = key, components
        return layout

    async def confirm_unsaved_changes(self) -> bool:
        """Prompt whether changes are saved or discarded; False if the user cancels."""
        if self._dialogs is None or self.current is None or not self.changed:
            return True
        answer = await self._dialogs.unsaved(self.current.name)
        if answer is Unsaved.SAVE:
            await self.save_changes()
        return answer is not Unsaved.STAY

    async def save_changes(self) -> None:
        """Save the current layout again, if the desktop differs from it."""
        if self.current is not None and self.changed:
            known = self._store.layouts().get(self.current, {})
            await self.save(self.current.name, context=known.get("context"), metadata=known.get("metadata"))

    def plan(self, key: LayoutKey) -> Plan:
        """Plan the restoring of a layout."""
        return plan_restore(
            self.get(key),
            self._components.kept(),
            screens=self._host.screens(),
            max_size=self._max_size,
            known=self._apps(),
            stays=[one.id for one in self._instances.all if self._is_never_closed(one)],
            tab_rules=self._grouping.tab_rules if self._grouping else None,
            can_collapse=self._grouping is not None and self._grouping.can_collapse,
        )

    async def restore(
        self, key: LayoutKey, *, caller: str = "", options: RestoreOptions = RESTORE_ALL
    ) -> tuple[str, ...]:
        """Restore a layout; return the problems.

        ``caller`` is the peer that requested it; empty for the platform itself and for the manager.
        """
        if self._intercept is not None:
            asked = operation_of(RESTORE, {"name": key.name, "type": key.type}, caller)
            key = key_of((await self._intercept(asked)).arguments)
        if key.type == WORKSPACE and self.open_workspace is not None:
            # It replaces nothing, so no running app is closed.
            await self.open_workspace(key.name, context=options.context)
            self.restored.emit(key)
            return ()
        self.plan(key)
        if not await self.confirm_unsaved_changes():
            raise DesktopError(f"{key.name} was not restored, and the desktop was not changed")
        self._quiet += 1
        try:
            if self._loader is None:
                return await self._restore(key, options)
            await self._host.show_loader(self._loader)
            try:
                return await self._restore(key, options)
            finally:
                await self._host.hide_loader()
        finally:
            self._quiet -= 1

    async def _restore(self, key: LayoutKey, options: RestoreOptions) -> tuple[str, ...]:
        opened, notes = await self._restoring.run(self.plan(key), options)
        for note in notes:
            _log.warning("layout %s: %s", key.name, note)
        if key.type == GLOBAL:
            self.current, self._saved = key, self._components.all()
        self.restored_layouts[key] = RestoredLayout(
            key=key, instances={identity: planned.app for identity, planned in opened}
        )
        self.restored.emit(key)
        return tuple(notes)

    async def retry(self, placeholder: str) -> None:
        """Start the app of a placeholder in its place; raise RostrumError if that fails again."""
        was_changed = self.changed
        self._quiet += 1
        try:
            await self._restoring.retry(placeholder)
        finally:
            self._quiet -= 1
        if not was_changed:
            self._saved = self._components.all()

    async def hibernate(
        self, key: LayoutKey, *, context: Mapping[str, Any] | None = None, metadata: Mapping[str, Any] | None = None
    ) -> Hibernated:
        """Save the layout and close its apps, except those that stay open; return both."""
        if key.type != GLOBAL:
            raise DesktopError("only Global layouts can be hibernated")
        await self.save(key.name, context=context, metadata=metadata)
        there = [one for one in self._instances.all if not is_left_out(one)]
        for instance in there:
            closes = instance.definition.get("closeOnHibernate")
            if not self._is_critical(instance.app) and (self._close_on_hibernate if closes is None else closes):
                await self._instances.stop(instance.id)
        if self._placeholders is not None:
            await self._placeholders.close_all()
        open_now = {one.id for one in self._instances.all}
        return Hibernated(
            closed=tuple(one.app for one in there if one.id not in open_now),
            open=tuple(one.app for one in there if one.id in open_now),
        )

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Rename a layout."""
        await super().rename(key, new_name)
        if self.current == key:
            self.current = LayoutKey(key.type, new_name)

    async def update_context(self, instance: str, context: Mapping[str, Any]) -> None:
        """Replace the saved context of an instance in the current layout."""
        if self.current is None:
            raise DesktopError("there is no current layout; save or restore one first")
        layout = self.get(self.current)
        components = [with_context(one, {instance: context}, SAVE_ALL) for one in layout["components"]]
        if all((one.get("state") or {}).get("instanceId") != instance for one in components):
            raise DesktopError(f"the app is not part of the layout {self.current.name}")
        await self._store.save({**layout, "components": components})

    async def update_default_context(self, instance: str, context: Mapping[str, Any]) -> None:
        """Store the context with which the app of an instance starts by default."""
        running = self._instances.get(instance)
        if running is None:
            raise DesktopError("only apps that the platform has started have a default context")
        await self.set_default_context(running, context)

    async def _contexts(
        self, chosen: Sequence[Instance], key: LayoutKey, context: Mapping[str, Any], options: SaveOptions
    ) -> Mapping[str, Mapping[str, Any]]:
        if self.save_contexts is None or options.without_contexts:
            return {}
        return await self.save_contexts(chosen, key, context)

    def _modified(self, instance: Instance, action: Literal["started", "stopped"]) -> None:
        if self.current is not None and not self._quiet and not is_left_out(instance):
            self.modified.emit(CurrentModified(key=self.current, instance=instance.id, app=instance.app, action=action))

    def _is_never_closed(self, instance: Instance) -> bool:
        return is_left_out(instance) or bool(instance.definition.get("service")) or self._is_critical(instance.app)


def key_of(arguments: Mapping[str, Any]) -> LayoutKey:
    """Read the key of a layout from the arguments of a call."""
    return LayoutKey(str(arguments.get("type") or GLOBAL), text(arguments, "name"))
