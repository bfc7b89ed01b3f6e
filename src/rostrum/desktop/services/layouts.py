"""LayoutService: layouts saved from the running desktop and put back."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.instances import Instance, Instances
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.dialogs import Dialogs, Unsaved
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_plan import Plan, Planned, plan_restore
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.loader import Loader
from rostrum.stores.layouts.store import Layout, LayoutKey, LayoutStore, no_such_layout

__all__ = ["Hibernated", "LayoutService"]

_log = logging.getLogger(__name__)
_GLOBAL = "Global"
_CUSTOM_TITLES = {TitledBy.CODE: "customTitle", TitledBy.PERSON: "userTitle"}
_COMPONENTS = {"workspaces": "workspaceFrame", "webgroup": "window"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hibernated:
    """The apps of a hibernated layout: those that were closed, and those that stay open."""

    closed: tuple[str, ...]
    open: tuple[str, ...]


class LayoutService:
    """Saves, restores, hibernates, imports and exports layouts.

    Attributes:
        restored: Emitted with the key of each layout that was put back.
        current: The Global layout that was last saved or restored.

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
        is_critical: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Take the store and the running desktop; ``apps`` gives every known app by name.

        ``dialogs`` asks about changes that are not saved, ``loader`` is shown while a layout is restored, ``grouping``
        knows the groups and tabs, ``is_critical`` the apps that no layout may close.
        """
        self.restored: Signal[LayoutKey] = Signal()
        self.current: LayoutKey | None = None
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
        self._is_critical = is_critical
        self._kept: list[dict[str, Any]] = []

    @property
    def changed(self) -> bool:
        """Say whether the desktop differs from the layout that was last saved or restored."""
        return self.current is not None and _without_titles(self._components()) != _without_titles(self._kept)

    async def save(
        self, name: str, *, context: Mapping[str, Any] | None = None, metadata: Mapping[str, Any] | None = None
    ) -> Layout:
        """Save what runs now as a Global layout."""
        components = self._components()
        layout: dict[str, Any] = {"name": name, "type": _GLOBAL, "components": components}
        layout |= {"context": dict(context)} if context else {}
        layout |= {"metadata": dict(metadata)} if metadata else {}
        await self._store.save(layout)
        self.current, self._kept = LayoutKey(_GLOBAL, name), components
        return layout

    async def settle(self) -> bool:
        """Ask what becomes of changes that are not saved; False when the person rather stays."""
        if self._dialogs is None or self.current is None or not self.changed:
            return True
        answer = await self._dialogs.unsaved(self.current.name)
        if answer is Unsaved.SAVE:
            known = self._store.layouts().get(self.current, {})
            await self.save(self.current.name, context=known.get("context"), metadata=known.get("metadata"))
        return answer is not Unsaved.STAY

    def plan(self, key: LayoutKey) -> Plan:
        """Work out what restoring a layout would do."""
        layout = self._store.layouts().get(key)
        if layout is None:
            raise DesktopError(no_such_layout(key, self._store.layouts()))
        return plan_restore(
            layout,
            self._instances.all,
            screens=self._host.screens(),
            max_size=self._max_size,
            known=self._apps(),
            stays=[one.id for one in self._instances.all if self._is_never_closed(one)],
            tab_rules=self._grouping.tab_rules if self._grouping else None,
        )

    async def restore(self, key: LayoutKey) -> tuple[str, ...]:
        """Put a layout back; what could not be done is told, and the rest is done."""
        self.plan(key)
        if not await self.settle():
            raise DesktopError(f"{key.name} is not restored: the desktop stays as it is")
        if self._loader is None:
            return await self._restore(key)
        await self._host.show_loader(self._loader)
        try:
            return await self._restore(key)
        finally:
            await self._host.hide_loader()

    async def _restore(self, key: LayoutKey) -> tuple[str, ...]:
        plan = self.plan(key)
        notes = list(plan.notes)
        for instance in plan.close:
            await self._instances.stop(instance)
        opened: list[tuple[str, Planned]] = []
        for planned in plan.apps:
            try:
                identity = planned.keep or await self._start(planned)
            except RostrumError as error:
                notes.append(f"{planned.app}: {error}")
                continue
            opened.append((identity, planned))
            if planned.bounds is not None:
                await self._host.move_window(identity, planned.bounds)
            if planned.channel and self._channels and planned.channel in self._channels.names:
                self._channels.join(identity, planned.channel)
            if planned.title:
                self._instances.retitle(identity, planned.title, planned.titled_by)
                await self._host.set_title(identity, planned.title)
        if self._grouping is not None:
            notes += await self._grouping.restore(opened)
        for note in notes:
            _log.warning("layout %s: %s", key.name, note)
        if key.type == _GLOBAL:
            self.current, self._kept = key, self._components()
        self.restored.emit(key)
        return tuple(notes)

    async def hibernate(self, key: LayoutKey) -> Hibernated:
        """Save the layout and close its apps, except those that stay open; return both."""
        if key.type != _GLOBAL:
            raise DesktopError("only Global layouts can be hibernated")
        await self.save(key.name)
        there = [one for one in self._instances.all if not _left_out(one)]
        for instance in there:
            closes = instance.definition.get("closeOnHibernate")
            if not self._is_critical(instance.app) and (self._close_on_hibernate if closes is None else closes):
                await self._instances.stop(instance.id)
        open_now = {one.id for one in self._instances.all}
        return Hibernated(
            closed=tuple(one.app for one in there if one.id not in open_now),
            open=tuple(one.app for one in there if one.id in open_now),
        )

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Give a layout another name."""
        await self._store.rename(key, new_name)

    async def remove(self, key: LayoutKey) -> None:
        """Remove a layout."""
        await self._store.remove(key)

    async def set_default(self, key: LayoutKey | None) -> None:
        """Choose what is restored at start-up."""
        if key is not None and key.type != _GLOBAL:
            raise DesktopError("only a Global layout can be the default")
        await self._store.set_default(key)

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

    async def _start(self, planned: Planned) -> str:
        return (await self._instances.start(planned.app, planned.context, load_page=planned.load_page)).id

    def _is_never_closed(self, instance: Instance) -> bool:
        return _left_out(instance) or bool(instance.definition.get("service")) or self._is_critical(instance.app)

    def _components(self) -> list[dict[str, Any]]:
        return [self._component(one) for one in self._instances.all if not _left_out(one)]

    def _component(self, instance: Instance) -> dict[str, Any]:
        state: dict[str, Any] = {"instanceId": instance.id}
        if instance.context:
            state["context"] = dict(instance.context)
        kind = _COMPONENTS.get(instance.type.lower(), instance.type)
        if kind == "node":
            return {"type": kind, "application": instance.app, "componentType": "application", "state": state}
        bounds = self._host.bounds(instance.id)
        if bounds is not None:
            state["bounds"] = {
                "left": bounds.left,
                "top": bounds.top,
                "width": bounds.width,
                "height": bounds.height,
            }
        state |= self._grouping.state(instance.id) if self._grouping else {}
        channel = self._channels.of(instance.id) if self._channels else None
        if kind != "workspaceFrame":
            state["title"] = instance.title
            custom = _CUSTOM_TITLES.get(instance.titled_by)
            state |= {custom: instance.title} if custom else {}
            state |= {"channelId": channel} if channel else {}
        return {"type": kind, "application": instance.app, "componentType": "application", "state": state}


def _without_titles(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the title at saving, which pages change all the time; titles set by code and by people stay."""
    return [
        {**one, "state": {name: value for name, value in one["state"].items() if name != "title"}} for one in components
    ]


def _left_out(instance: Instance) -> bool:
    return bool(instance.definition.get("ignoreFromLayouts"))
