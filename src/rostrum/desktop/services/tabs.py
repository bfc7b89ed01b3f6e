"""TabGroups: the tab groups of the running desktop, kept in step with what the host draws."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.windows.gestures import takes_part
from rostrum.desktop.windows.tabs import TabGroup, add, close, draw, restore, rules_for, select
from rostrum.settings.sections.window_management import WindowManagement

__all__ = ["TabGroups", "TabMethods"]


class TabGroups:
    """Puts windows into one place as tabs; only the selected one takes part in a group of windows."""

    def __init__(
        self,
        settings: WindowManagement,
        host: WindowHost,
        instances: Instances,
        groups: WindowGroups,
        *,
        new_id: Callable[[], str],
    ) -> None:
        """Take the settings, the running desktop and the groups of windows."""
        self.rules = rules_for(settings.group.tabs, settings.group.type)
        self._settings = settings
        self._host = host
        self._instances = instances
        self._groups = groups
        self._new_id = new_id
        self._tabs: dict[str, TabGroup] = {}

    def of(self, instance: str) -> tuple[str, TabGroup] | None:
        """Return the tab group that a window is in, with its id."""
        return next((found for found in self._tabs.items() if instance in found[1].tabs), None)

    async def restore(self, tabs: Sequence[str], selected: str | None) -> None:
        """Make a tab group of windows that a layout has opened."""
        identity = self._new_id()
        self._tabs[identity] = restore(tabs, selected, self.rules)
        await self._redraw(identity)

    async def drop(self, instance: str, into: str, *, alt: bool = False) -> bool:
        """Let a dragged window go on another; say whether it became a tab."""
        if not takes_part("drop in a tab group", self._settings.alternate_behavior, alt=alt):
            return False
        await self.join(instance, into)
        return True

    async def join(self, instance: str, into: str) -> None:
        """Make a window a tab of another."""
        for one in (instance, into):
            if self._instances.get(one) is None:
                raise DesktopError(f"there is no instance {one!r}")
        place = self._host.bounds(into)
        if place is None or self._host.bounds(instance) is None or instance == into:
            raise DesktopError("a window can be a tab of another window only")
        await self.leave(instance)
        await self._groups.leave(instance)
        identity, group = self.of(into) or (self._new_id(), restore((into,), into, self.rules))
        self._tabs[identity] = add(group, instance, self.rules)
        await self._host.move_window(instance, place)
        await self._groups.replace(group.selected, instance)
        await self._redraw(identity)

    async def select(self, instance: str) -> None:
        """Show a tab; its page is loaded if it is not there yet."""
        found = self.of(instance)
        if found is None:
            raise DesktopError(f"{instance!r} is no tab")
        identity, before = found
        self._tabs[identity] = select(before, instance)
        await self._groups.replace(before.selected, instance)
        await self._redraw(identity)

    async def leave(self, instance: str) -> None:
        """Take a window out of its tab group, because it was dragged away or has ended."""
        found = self.of(instance)
        if found is None:
            return
        identity, before = found
        after = close(before, instance, self.rules)
        if after.selected is None:
            del self._tabs[identity]
        else:
            self._tabs[identity] = after
        if before.selected == instance and after.selected is not None:
            await self._groups.replace(instance, after.selected)
        await self._redraw(identity)

    async def redraw(self, instance: str) -> None:
        """Draw the tabs of a window again, because its title is another one."""
        found = self.of(instance)
        if found is not None:
            await self._redraw(found[0])

    async def _redraw(self, identity: str) -> None:
        group = self._tabs.get(identity)
        self._groups.covered = frozenset(
            tab for tabs in self._tabs.values() for tab in tabs.tabs if tab != tabs.selected
        )
        if group is None:
            await self._host.hide_tabs(identity)
            return
        place = self._host.bounds(group.tabs[0])
        around = self._groups.of(str(group.selected))
        named = around.title if around else None
        titles = {one.id: one.title for one in self._instances.all}
        drawing = draw(
            group,
            self.rules,
            identity=identity,
            width=place.width if place else 0,
            titles=titles,
            group_title=self._settings.group.header.default_title if named is None else named,
        )
        await self._host.show_tabs(drawing)


class TabMethods:
    """Tabs on the gateway."""

    def __init__(self, tabs: TabGroups) -> None:
        """Take the tab groups."""
        self._tabs = tabs

    @method("Rostrum.Tabs.Join")
    async def join(self, arguments: Mapping[str, Any]) -> Any:
        """Make a window a tab of another."""
        await self._tabs.join(text(arguments, "instance"), text(arguments, "to"))
        return {}

    @method("Rostrum.Tabs.Select")
    async def select(self, arguments: Mapping[str, Any]) -> Any:
        """Show a tab."""
        await self._tabs.select(text(arguments, "instance"))
        return {}

    @method("Rostrum.Tabs.Leave")
    async def leave(self, arguments: Mapping[str, Any]) -> Any:
        """Take a window out of its tab group."""
        await self._tabs.leave(text(arguments, "instance"))
        return {}
