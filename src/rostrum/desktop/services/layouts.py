"""LayoutService: layouts saved from the running desktop and put back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError, Prevented
from rostrum.desktop.hosts.actions import Focus, SetState, SetZoom
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.launch.launcher import Placement
from rostrum.desktop.services.channels import DELIMITER, Channels, channel_names
from rostrum.desktop.services.dialogs import Dialogs, Unsaved
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_placeholders import Placeholders
from rostrum.desktop.services.layout_plan import Plan, Planned, plan_restore
from rostrum.desktop.services.layout_records import (
    RESTORE_ALL,
    SAVE_ALL,
    CurrentModified,
    LayoutsChanged,
    RestoredLayout,
    RestoreOptions,
    SaveContexts,
    SaveOptions,
)
from rostrum.desktop.services.methods import Operation, method, operation_of
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.loader import Loader
from rostrum.stores.layouts.store import Layout, LayoutKey, LayoutStore, no_such_layout

__all__ = ["Hibernated", "LayoutMethods", "LayoutService"]

_log = logging.getLogger(__name__)
T = TypeVar("T")
_GLOBAL = "Global"
_DEFAULT = "ApplicationDefault"
_RESTORE = "Rostrum.Layouts.Restore"
_CUSTOM_TITLES = {TitledBy.CODE: "customTitle", TitledBy.PERSON: "userTitle"}
_VOLATILE = frozenset({"title", "zOrder", "restoreSettings"})
_COMPONENTS = {"workspaces": "workspaceFrame", "webgroup": "window"}
_AT_ONCE = 20
"""Apps of a layout that are started at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hibernated:
    """The apps of a hibernated layout: those that were closed, and those that stay open."""

    closed: tuple[str, ...]
    open: tuple[str, ...]


class LayoutService:
    """Saves, restores, hibernates, imports and exports layouts.

    Attributes:
        restored: Emitted with the key of each layout that was put back.
        stored: Emitted when layouts were added, changed, removed or renamed, by anybody.
        default_changed: Emitted with the layout that is restored at start-up; None for none.
        modified: Emitted when an instance starts or stops while a layout is the current one.
        current: The Global layout that was last saved or restored.
        restored_layouts: The layouts restored in this run, as they were restored last.
        save_contexts: Asks apps for the contexts that layouts keep; None asks nobody.

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
        is_critical: Callable[[str], bool] = lambda _: False,
        intercept: Callable[[Operation], Awaitable[Operation]] | None = None,
    ) -> None:
        """Take the store and the running desktop; ``apps`` gives every known app by name.

        ``dialogs`` asks about changes that are not saved, ``loader`` is shown while a layout is restored, ``grouping``
        knows the groups and tabs, ``registry`` the state of windows, ``native`` that of windows of programs,
        ``is_critical`` the apps that no layout may close. ``placeholders`` stand for apps that do not start.
        ``intercept`` shows every restore to the app that intercepts restores; it raises Prevented when that app
        prevents it.
        """
        self.restored: Signal[LayoutKey] = Signal()
        self.stored: Signal[LayoutsChanged] = Signal()
        self.default_changed: Signal[LayoutKey | None] = Signal()
        self.modified: Signal[CurrentModified] = Signal()
        self.current: LayoutKey | None = None
        self.restored_layouts: dict[LayoutKey, RestoredLayout] = {}
        self.save_contexts: SaveContexts | None = None
        self._store = store
        self._instances = instances
        self._host = host
        self._apps = apps
        self._max_size = max_size
        self._close_on_hibernate = close_on_hibernate
        self._channels = channels
        self._dialogs = dialogs
        self._loader = loader
        self._grouping = grouping
        self._registry = registry
        self._placeholders = placeholders
        self._retrying: set[str] = set()
        self._native = native
        self._is_critical = is_critical
        self._intercept = intercept
        self._saved: list[dict[str, Any]] = []
        self._known = (dict(store.layouts()), store.default())
        self._is_renaming = False
        self._quiet = 0
        store.changed.connect(lambda _: self._compare())
        instances.started.connect(lambda one: self._modified(one, "started"))
        instances.ended.connect(lambda one: self._modified(one.instance, "stopped"))

    @property
    def changed(self) -> bool:
        """Say whether the desktop differs from the layout that was last saved or restored."""
        return self.current is not None and _comparable(self._components()) != _comparable(self._saved)

    async def save(
        self,
        name: str,
        *,
        context: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        options: SaveOptions = SAVE_ALL,
    ) -> Layout:
        """Save what runs now as a Global layout; apps are asked for the contexts that it keeps."""
        key = LayoutKey(_GLOBAL, name)
        chosen = [one for one in self._instances.all if not _left_out(one) and _is_chosen(one.id, options)]
        contexts = await self._contexts(chosen, key, context or {}, options)
        components = [self._component(one) for one in chosen if self._instances.get(one.id) is not None]
        if options.instances is None:
            components += self._components_not_started()
        layout: dict[str, Any] = {
            "name": name,
            "type": _GLOBAL,
            "components": [_with_context(one, contexts, options) for one in components],
        }
        layout |= {"context": dict(context)} if context else {}
        layout |= {"metadata": dict(metadata)} if metadata else {}
        await self._store.save(layout)
        if options.set_current:
            self.current, self._saved = key, components
        return layout

    @property
    def default(self) -> LayoutKey | None:
        """Return the layout that is restored when the platform starts."""
        return self._store.default()

    async def confirm_unsaved_changes(self) -> bool:
        """Ask whether changes are saved or discarded; False when the person rather keeps the desktop as it is."""
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
        """Work out what restoring a layout would do."""
        return plan_restore(
            self.get(key),
            self._instances.all,
            screens=self._host.screens(),
            max_size=self._max_size,
            known=self._apps(),
            stays=[one.id for one in self._instances.all if self._is_never_closed(one)],
            tab_rules=self._grouping.tab_rules if self._grouping else None,
        )

    async def restore(
        self, key: LayoutKey, *, caller: str = "", options: RestoreOptions = RESTORE_ALL
    ) -> tuple[str, ...]:
        """Restore a layout; return what could not be restored.

        ``caller`` is the peer that wants it; none for the platform itself and for the manager.
        """
        if self._intercept is not None:
            asked = operation_of(_RESTORE, {"name": key.name, "type": key.type}, caller)
            key = _key((await self._intercept(asked)).arguments)
        self.plan(key)
        if not await self.confirm_unsaved_changes():
            raise DesktopError(f"{key.name} is not restored: the desktop stays as it is")
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
        plan = self.plan(key)
        if self._placeholders is not None:
            await self._placeholders.close_all()
        closed = plan.close if options.close_running else ()
        _raise_first(await _together(self._instances.stop(one) for one in closed if one not in options.kept))
        notes = [*plan.notes]
        wanted = [replace(one, context={**one.context, **options.context}) for one in plan.apps]
        # Side by side: the pages of all windows load at the same time.
        outcomes = await _together(self._open(one, notes) for one in wanted)
        windows = [one for one in outcomes if isinstance(one, _Restored)]
        opened = [(one.window, one.planned) for one in windows if not one.is_placeholder]
        try:
            _raise_first(outcomes)
            if self._grouping is not None:
                notes += await self._grouping.restore(opened)
        finally:
            # New windows were opened hidden, so that people see none of them before it is at its place.
            await self._show(windows)
        for note in notes:
            _log.warning("layout %s: %s", key.name, note)
        if key.type == _GLOBAL:
            self.current, self._saved = key, self._components()
        self.restored_layouts[key] = RestoredLayout(
            key=key, instances={identity: planned.app for identity, planned in opened}
        )
        self.restored.emit(key)
        return tuple(notes)

    async def hibernate(
        self, key: LayoutKey, *, context: Mapping[str, Any] | None = None, metadata: Mapping[str, Any] | None = None
    ) -> Hibernated:
        """Save the layout and close its apps, except those that stay open; return both."""
        if key.type != _GLOBAL:
            raise DesktopError("only Global layouts can be hibernated")
        await self.save(key.name, context=context, metadata=metadata)
        there = [one for one in self._instances.all if not _left_out(one)]
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
        """Give a layout another name."""
        # The store adds one layout and removes the other: that is one change.
        self._is_renaming = True
        try:
            await self._store.rename(key, new_name)
        finally:
            self._is_renaming = False
            self._compare(renamed=(key, new_name))
        if self.current == key:
            self.current = LayoutKey(key.type, new_name)

    async def remove(self, key: LayoutKey) -> bool:
        """Remove a layout; return whether there was one."""
        is_known = key in self._store.layouts()
        await self._store.remove(key)
        return is_known

    async def set_default(self, key: LayoutKey | None) -> None:
        """Choose what is restored at start-up."""
        if key is not None and key.type != _GLOBAL:
            raise DesktopError("only a Global layout can be the default")
        await self._store.set_default(key)
        self._compare()

    async def refresh(self) -> None:
        """Read the stored layouts again."""
        await self._store.refresh()

    async def update_metadata(self, key: LayoutKey, metadata: Mapping[str, Any]) -> None:
        """Replace the metadata of a layout."""
        await self._store.save({**self.get(key), "metadata": dict(metadata)})

    async def update_context(self, instance: str, context: Mapping[str, Any]) -> None:
        """Replace the saved context of an instance in the current layout."""
        if self.current is None:
            raise DesktopError("there is no current layout; save or restore one first")
        layout = self.get(self.current)
        components = [_with_context(one, {instance: context}, SAVE_ALL) for one in layout["components"]]
        if all((one.get("state") or {}).get("instanceId") != instance for one in components):
            raise DesktopError(f"the app is not part of the layout {self.current.name}")
        await self._store.save({**layout, "components": components})

    async def update_default_context(self, instance: str, context: Mapping[str, Any]) -> None:
        """Store the context with which the app of an instance starts from now on, when nobody gives it another."""
        running = self._instances.get(instance)
        if running is None:
            raise DesktopError("only apps that the platform has started have a default context")
        if _has_no_default(running.definition):
            raise DesktopError(f"the definition of {running.app} sets ignoreSavedLayout: it has no default context")
        known = self._store.layouts().get(LayoutKey(_DEFAULT, running.app), {})
        component = _first_component(known) or {
            "type": _COMPONENTS.get(running.type.lower(), running.type),
            "application": running.app,
            "componentType": "application",
        }
        component = {**component, "state": {**(component.get("state") or {}), "context": dict(context)}}
        await self._store.save({**known, "name": running.app, "type": _DEFAULT, "components": [component]})

    def default_context(self, definition: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the context with which an app starts when nobody gives it another."""
        if _has_no_default(definition):
            return {}
        key = LayoutKey(_DEFAULT, str(definition.get("name")))
        component = _first_component(self._store.layouts().get(key, {})) or {}
        state = component.get("state")
        context = state.get("context") if isinstance(state, Mapping) else None
        return context if isinstance(context, Mapping) else {}

    def get(self, key: LayoutKey) -> Layout:
        """Return a stored layout."""
        layout = self._store.layouts().get(key)
        if layout is None:
            raise DesktopError(no_such_layout(key, self._store.layouts()))
        return layout

    async def import_all(self, layouts: Sequence[Layout], *, replace: bool) -> int:
        """Keep layouts from elsewhere; without ``replace`` the ones at hand stay."""
        known = self._store.layouts()
        wanted = [one for one in layouts if replace or LayoutKey.of(one) not in known]
        for layout in wanted:
            await self._store.save(layout)
        return len(wanted)

    def export(self, kind: str | None = None) -> list[Layout]:
        """Return the layouts, all or of one type."""
        return [layout for key, layout in self._store.layouts().items() if kind is None or key.type == kind]

    async def import_each(self, layouts: Sequence[Layout]) -> list[tuple[Layout, str]]:
        """Save layouts from elsewhere; return those that cannot be saved, and why."""
        failed: list[tuple[Layout, str]] = []
        for layout in layouts:
            try:
                await self._store.save(layout)
            except RostrumError as error:
                failed.append((layout, str(error)))
        return failed

    async def _contexts(
        self, chosen: Sequence[Instance], key: LayoutKey, context: Mapping[str, Any], options: SaveOptions
    ) -> Mapping[str, Mapping[str, Any]]:
        if self.save_contexts is None or options.without_contexts:
            return {}
        return await self.save_contexts(chosen, key, context)

    def _compare(self, renamed: tuple[LayoutKey, str] | None = None) -> None:
        """Find out what is different among the stored layouts, and tell who listens."""
        if self._is_renaming:
            return
        (before, default), now = self._known, dict(self._store.layouts())
        self._known = (now, self._store.default())
        new = None if renamed is None else LayoutKey(renamed[0].type, renamed[1])
        if renamed is not None and (renamed[0] not in before or new not in now):
            renamed = new = None
        change = LayoutsChanged(
            added=tuple(one for key, one in now.items() if key not in before and key != new),
            changed=tuple(one for key, one in now.items() if key in before and before[key] != one),
            removed=tuple(key for key in before if key not in now and (renamed is None or key != renamed[0])),
            renamed=renamed,
        )
        if change != LayoutsChanged():
            self.stored.emit(change)
        if self._known[1] != default:
            self.default_changed.emit(self._known[1])

    def _modified(self, instance: Instance, action: Literal["started", "stopped"]) -> None:
        if self.current is not None and not self._quiet and not _left_out(instance):
            self.modified.emit(CurrentModified(key=self.current, instance=instance.id, app=instance.app, action=action))

    async def _open(self, planned: Planned, notes: list[str]) -> "_Restored | None":
        """Start the app of a component, or keep its instance; open a placeholder if that fails."""
        reason = planned.problem
        if not reason:
            try:
                instance = await self._keep(planned) or await self._start(planned)
            except Prevented as error:
                # An app of the firm has decided so: nothing is missing.
                notes.append(f"{planned.app}: {error}")
                return None
            except RostrumError as error:
                notes.append(f"{planned.app}: {error}")
                reason = str(error)
            else:
                await self._describe(instance, planned)
                return _Restored(instance, planned)
        if self._placeholders is None or planned.component.get("type") == "node":
            return None
        try:
            return _Restored(await self._placeholders.open(planned, reason), planned, is_placeholder=True)
        except RostrumError as error:
            notes.append(f"{planned.app}: the placeholder is not shown: {error}")
            return None

    async def retry(self, placeholder: str) -> None:
        """Start the app of a placeholder in its place; raise RostrumError when that fails again."""
        if self._placeholders is None:
            raise DesktopError("the platform shows no placeholders")
        planned = self._placeholders.find(placeholder).planned
        if placeholder in self._retrying:
            raise DesktopError("the app is being started")
        was_changed = self.changed
        self._retrying.add(placeholder)
        self._quiet += 1
        try:
            planned = replace(planned, bounds=self._host.bounds(placeholder) or planned.bounds)
            instance = await self._start(planned, hidden=False)
            await self._describe(instance, planned)
            await self._placeholders.close(placeholder)
        finally:
            self._quiet -= 1
            self._retrying.discard(placeholder)
        if not was_changed:
            self._saved = self._components()

    async def _start(self, planned: Planned, *, hidden: bool = True) -> str:
        placement = Placement(bounds=planned.bounds, state=planned.state, zoom=planned.zoom or 1, hidden=hidden)
        started = await self._instances.start(
            planned.app, planned.context, load_page=planned.load_page, placement=placement
        )
        return started.id

    async def _keep(self, planned: Planned) -> str | None:
        """Put the window of an instance that stays to its place; return the instance."""
        if planned.keep is None:
            return None
        if planned.bounds is not None:
            await self._host.move_window(planned.keep, planned.bounds)
        if self._native is not None:
            self._native.place(planned.keep, planned.bounds, planned.state)
        record = None if self._registry is None else self._registry.get(planned.keep)
        if record is not None and planned.state not in (None, "collapsed" if record.collapsed else record.state):
            await self._host.act(planned.keep, SetState(state=planned.state))
        if record is not None and planned.zoom not in (None, record.zoom):
            await self._host.act(planned.keep, SetZoom(factor=planned.zoom))
        return planned.keep

    async def _describe(self, instance: str, planned: Planned) -> None:
        if planned.channel and self._channels:
            self._channels.restore(instance, channel_names(planned.channel))
        if planned.title:
            self._instances.retitle(instance, planned.title, planned.titled_by)
            await self._host.set_title(instance, planned.title)

    async def _show(self, windows: Sequence["_Restored"]) -> None:
        """Show the new windows, the lowest first; those that their definition hides stay hidden."""
        windows = sorted(windows, key=lambda one: one.planned.z_order)
        # Sent together, and executed in this order.
        await asyncio.gather(*(self._show_one(one) for one in windows))
        await self._raise_last(windows)

    async def _show_one(self, one: "_Restored") -> None:
        running, bounds = self._instances.get(one.window), self._host.bounds(one.window)
        is_new = one.is_placeholder or (running is not None and not _is_hidden(running) and one.planned.keep is None)
        if is_new and bounds is not None:
            await self._host.show_window(one.window, bounds)

    async def _raise_last(self, windows: Sequence["_Restored"]) -> None:
        """Bring a window that stayed to the front, if the layout has it there; new windows are shown above it."""
        last = windows[-1] if windows else None
        if last is None or self._registry is None or last.planned.keep is None:
            return
        record = self._registry.get(last.window)
        if record is not None and record.state != "minimized" and self._registry.stacked[-1] != record.id:
            await self._host.act(record.id, Focus())

    def _is_never_closed(self, instance: Instance) -> bool:
        return _left_out(instance) or bool(instance.definition.get("service")) or self._is_critical(instance.app)

    def _components(self) -> list[dict[str, Any]]:
        running = [self._component(one) for one in self._instances.all if one.launched and not _left_out(one)]
        return running + self._components_not_started()

    def _components_not_started(self) -> list[dict[str, Any]]:
        return [] if self._placeholders is None else self._placeholders.components()

    def _component(self, instance: Instance) -> dict[str, Any]:
        state: dict[str, Any] = {"instanceId": instance.id}
        if instance.context:
            state["context"] = dict(instance.context)
        kind = _COMPONENTS.get(instance.type.lower(), instance.type)
        if kind == "node":
            return {"type": kind, "application": instance.app, "componentType": "application", "state": state}
        native = None if self._native is None else self._native.window(instance.id)
        bounds = self._host.bounds(instance.id) if native is None else native[0]
        state |= {} if native is None else {"windowState": native[1]}
        if bounds is not None:
            record = None if self._registry is None else self._registry.get(instance.id)
            height = None if record is None else record.expanded_height
            state["bounds"] = {
                "left": bounds.left,
                "top": bounds.top,
                "width": bounds.width,
                "height": height or bounds.height,
            }
        state |= self._grouping.state(instance.id) if self._grouping else {}
        state |= self._window_state(instance.id, kind, state.get("restoreSettings", {}))
        channels = self._channels.of(instance.id) if self._channels else ()
        if kind != "workspaceFrame":
            state["title"] = instance.title
            custom = _CUSTOM_TITLES.get(instance.titled_by)
            state |= {custom: instance.title} if custom else {}
            state |= {"channelId": DELIMITER.join(channels)} if channels else {}
        return {"type": kind, "application": instance.app, "componentType": "application", "state": state}

    def _window_state(self, instance: str, kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a layout says of the state, the zoom and the place among all windows of one that is open."""
        record = None if self._registry is None else self._registry.get(instance)
        if record is None or self._registry is None:
            return {}
        order = self._registry.stacked.index(instance)
        if kind == "workspaceFrame":
            return {"windowState": record.state, "zOrder": order}
        state: dict[str, Any] = {"windowState": record.state, "zoomFactor": round(record.zoom * 100, 2)}
        state |= {"isCollapsed": True} if record.collapsed else {}
        return state | {"restoreSettings": {**settings, "groupZOrder": order}}


@dataclass(frozen=True, slots=True)
class _Restored:
    """A window of a layout: that of an app, or a placeholder."""

    window: str
    planned: Planned
    is_placeholder: bool = False


async def _together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """Run calls side by side, though not too many; return what each has returned or raised."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def run(call: Coroutine[Any, Any, T]) -> T:
        async with free:
            return await call

    return await asyncio.gather(*(run(one) for one in calls), return_exceptions=True)


def _raise_first(outcomes: Iterable[object]) -> None:
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


def _comparable(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what changes all the time: the title at saving, which pages set, and the order of windows."""
    return [{**one, "state": _comparable_state(one["state"])} for one in components]


def _comparable_state(state: Mapping[str, Any]) -> dict[str, Any]:
    settings = {name: value for name, value in state.get("restoreSettings", {}).items() if name != "groupZOrder"}
    return {name: value for name, value in state.items() if name not in _VOLATILE} | settings


def _is_hidden(instance: Instance) -> bool:
    return instance.definition.get("details", {}).get("hidden") is True


def _is_chosen(instance: str, options: SaveOptions) -> bool:
    return instance not in options.ignored and (options.instances is None or instance in options.instances)


def _with_context(
    component: Mapping[str, Any], contexts: Mapping[str, Mapping[str, Any]], options: SaveOptions
) -> dict[str, Any]:
    state = dict(component.get("state") or {})
    context = contexts.get(str(state.get("instanceId")))
    if options.without_contexts:
        state.pop("context", None)
    elif context is not None:
        state["context"] = dict(context)
    return {**component, "state": state}


def _has_no_default(definition: Mapping[str, Any]) -> bool:
    return bool(definition.get("ignoreSavedLayout") or definition.get("ignoreSaveOnClose"))


def _first_component(layout: Mapping[str, Any]) -> Mapping[str, Any] | None:
    components = layout.get("components")
    first = components[0] if isinstance(components, list) and components else None
    return first if isinstance(first, Mapping) else None


def _left_out(instance: Instance) -> bool:
    return bool(instance.definition.get("ignoreFromLayouts"))


class LayoutMethods:
    """Layouts on the gateway."""

    def __init__(self, layouts: LayoutService) -> None:
        """Take the layouts."""
        self._layouts = layouts

    @method("Rostrum.Layouts.List")
    async def list_all(self, arguments: Mapping[str, Any]) -> Any:
        """List the layouts, all or of one type."""
        default = self._layouts.default
        return {
            "layouts": [
                {"name": one["name"], "type": one["type"]} | ({"default": True} if LayoutKey.of(one) == default else {})
                for one in self._layouts.export(arguments.get("type"))
            ]
        }

    @method("Rostrum.Layouts.Save")
    async def save(self, arguments: Mapping[str, Any]) -> Any:
        """Save what runs now as a Global layout."""
        layout = await self._layouts.save(
            text(arguments, "name"), context=arguments.get("context"), metadata=arguments.get("metadata")
        )
        return {"layout": dict(layout)}

    # Intercepted where layouts are restored, as the restores of the start and of the manager are.
    @method(_RESTORE, intercepted_here=False)
    async def restore(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Restore a layout."""
        return {"notes": [*await self._layouts.restore(_key(arguments), caller=caller.peer)]}

    @method("Rostrum.Layouts.Rename")
    async def rename(self, arguments: Mapping[str, Any]) -> Any:
        """Give a layout another name."""
        await self._layouts.rename(_key(arguments), text(arguments, "newName"))
        return {}

    @method("Rostrum.Layouts.Remove")
    async def remove(self, arguments: Mapping[str, Any]) -> Any:
        """Remove a layout."""
        return {"removed": await self._layouts.remove(_key(arguments))}

    @method("Rostrum.Layouts.SetDefault")
    async def set_default(self, arguments: Mapping[str, Any]) -> Any:
        """Choose the layout that is restored when the platform starts; without a name, none."""
        await self._layouts.set_default(_key(arguments) if arguments.get("name") else None)
        return {}

    @method("Rostrum.Layouts.Hibernate")
    async def hibernate(self, arguments: Mapping[str, Any]) -> Any:
        """Save a layout and close its apps."""
        done = await self._layouts.hibernate(_key(arguments))
        return {"closed": [*done.closed], "open": [*done.open]}

    @method("Rostrum.Layouts.Export")
    async def export(self, arguments: Mapping[str, Any]) -> Any:
        """Return layouts with all that they hold."""
        return {"layouts": [dict(one) for one in self._layouts.export(arguments.get("type"))]}

    @method("Rostrum.Layouts.Import")
    async def import_(self, arguments: Mapping[str, Any]) -> Any:
        """Save layouts from elsewhere; with mode merge, existing ones stay."""
        layouts = arguments.get("layouts")
        if not isinstance(layouts, list):
            raise DesktopError("layouts must be an array of layouts")
        return {"imported": await self._layouts.import_all(layouts, replace=arguments.get("mode") != "merge")}


def _key(arguments: Mapping[str, Any]) -> LayoutKey:
    return LayoutKey(str(arguments.get("type") or _GLOBAL), text(arguments, "name"))
