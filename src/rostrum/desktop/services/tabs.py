"""The tab groups of the running desktop, synchronized with the host."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import (
    MayClose,
    Reports,
    TabClosed,
    TabPinned,
    TabReordered,
    TabSelected,
)
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.gestures import takes_part
from rostrum.desktop.windows.tabs import (
    TabGroup,
    add,
    close,
    draw,
    pin,
    reorder,
    restore,
    rules_for,
    select,
    show_header,
)
from rostrum.settings.sections.window_management import WindowManagement

TabReport = TabSelected | TabReordered | TabPinned | TabClosed


class TabGroups:
    """Combines windows into tabs; only the selected tab takes part in a group of windows.

    Attributes:
        changed: Emitted when the tabs, their order or the selected tab of a tab group changed.
    """

    def __init__(
        self,
        settings: WindowManagement,
        host: WindowHost,
        instances: Instances,
        groups: WindowGroups,
        *,
        new_id: Callable[[], str],
    ) -> None:
        self.rules = rules_for(settings.group.tabs, settings.group.type)
        self.changed: Signal[None] = Signal()
        self._settings = settings
        self._host = host
        self._instances = instances
        self._groups = groups
        self._new_id = new_id
        self._tabs: dict[str, TabGroup] = {}

    def listen(self, reports: Reports, background: BackgroundTasks) -> None:
        """Start to handle user actions on tabs."""

        def begin(report: TabReport) -> None:
            background.begin(self._reported(report, reports))

        reports.listen(TabSelected, begin)
        reports.listen(TabReordered, begin)
        reports.listen(TabPinned, begin)
        reports.listen(TabClosed, begin)

    @property
    def all(self) -> Mapping[str, TabGroup]:
        """Return every tab group by its id."""
        return dict(self._tabs)

    def of(self, instance: str) -> tuple[str, TabGroup] | None:
        """Return the tab group of a window, with its id."""
        return next((found for found in self._tabs.items() if instance in found[1].tabs), None)

    def is_pinned(self, instance: str) -> bool:
        """Return whether a window is a pinned tab."""
        found = self.of(instance)
        return found is not None and instance in found[1].pinned

    def has_header(self, instance: str) -> bool:
        """Return whether a window has a visible tab header in its strip."""
        found = self.of(instance)
        return not self._hides_header(instance) if found is None else instance not in found[1].headless

    async def restore(self, tabs: Sequence[str], selected: str | None, *, pinned: Collection[str] = ()) -> None:
        """Create a tab group of windows that a layout has opened."""
        for one in tabs:
            await self._groups.show_in_frame(one)
        identity = self._new_id()
        group = restore(tabs, selected, self.rules, pinned=pinned)
        for one in group.tabs:
            group = show_header(group, one, visible=not self._hides_header(one))
        self._tabs[identity] = group
        await self._redraw(identity)

    async def drop(self, instance: str, into: str, *, index: int | None = None, alt: bool = False) -> bool:
        """Drop a dragged window on another; return whether it became a tab."""
        if not self.accepts_drop(alt=alt):
            return False
        found = self.of(instance)
        # Dragging a tab group by its empty part drags all of its tabs.
        moving = (instance,) if found is None else found[1].tabs
        for number, one in enumerate(moving):
            await self.join(one, into, None if index is None else index + number)
        if len(moving) > 1:
            await self.select(instance)
        return True

    def accepts_drop(self, *, alt: bool) -> bool:
        """Return whether a window that is dropped on tabs becomes a tab."""
        return takes_part("drop in a tab group", self._settings.alternate_behavior, alt=alt)

    async def join(self, instance: str, into: str, index: int | None = None) -> None:
        """Make a window a tab of another, at an index or at the end."""
        for one in (instance, into):
            running = self._instances.get(one)
            if running is None:
                raise DesktopError(f"there is no instance {one!r}")
            if self._groups.stays_apart(one):
                raise DesktopError("a workspaces frame, and a window in it, cannot be a tab of another window")
            await self._groups.show_in_frame(one)
        if self._host.bounds(into) is None or self._host.bounds(instance) is None or instance == into:
            raise DesktopError("a window can be a tab of another window only")
        if self.of(into) is None:
            # Separated first, so that the host draws the tabs at the position of this window.
            await self.restore((into,), into)
        identity, group = self._found(into)
        before = self._take_out(instance)
        # It may have just left the same tab group.
        group = self._tabs.get(identity, group)
        details = self._details(instance)
        grown = add(group, instance, self.rules, index=index)
        grown = show_header(grown, instance, visible=not self._hides_header(instance))
        self._tabs[identity] = pin(grown, instance, pinned=True) if details.get("isPinned") is True else grown
        # Update groups before anything is drawn: the host reports the new bounds of a window while it draws.
        if before is not None and before[0] == identity:
            changed = self._groups.replace(before[1].selected, instance)
        else:
            changed = () if before is None else self._followed(instance, *before)
            changed += (*self._groups.take_out(instance), *self._groups.replace(group.selected, instance))
        await self._redraw(identity)
        if before is not None and before[0] != identity:
            await self._redraw(before[0])
        await self._groups.draw(*changed)

    async def select(self, instance: str) -> None:
        """Select a tab, and load its page if necessary."""
        identity, before = self._found(instance)
        self._tabs[identity] = select(before, instance)
        changed = self._groups.replace(before.selected, instance)
        await self._redraw(identity)
        await self._groups.draw(*changed)

    async def reorder(self, instance: str, index: int) -> None:
        """Move a tab to an index of its strip."""
        identity, group = self._found(instance)
        self._tabs[identity] = reorder(group, instance, index)
        await self._redraw(identity)

    async def pin(self, instance: str, *, pinned: bool = True) -> None:
        """Pin a tab at the start of its strip, or unpin it."""
        identity, group = self._found(instance)
        self._tabs[identity] = pin(group, instance, pinned=pinned)
        await self._redraw(identity)

    async def show_header(self, instance: str, *, visible: bool) -> None:
        """Show or hide a tab in its strip; a strip without visible tabs is hidden."""
        identity, group = self._found(instance)
        self._tabs[identity] = show_header(group, instance, visible=visible)
        await self._redraw(identity)

    async def tear_out(self, instance: str, bounds: Bounds) -> bool:
        """Remove a tab that the user has dragged to a position; return whether its app allows that."""
        self._found(instance)
        if self._details(instance).get("allowExtract") is False:
            # The host has already taken it out on the screen, so it must be drawn in its tab group again.
            await self.put_back(instance)
            return False
        await self.leave(instance)
        await self._host.move_window(instance, bounds)
        return True

    async def leave(self, instance: str) -> None:
        """Remove a window from its tab group, because it was dragged away or has ended."""
        before = self._take_out(instance)
        if before is not None:
            # Before waiting for the host: an ended window leaves its group in the meantime.
            changed = self._followed(instance, *before)
            await self._redraw(before[0])
            await self._groups.draw(*changed)

    async def put_back(self, instance: str) -> None:
        """Draw a dragged tab again that stays in its group."""
        found = self.of(instance)
        if found is not None:
            await self._redraw(found[0], returned=instance)

    async def redraw(self, instance: str) -> None:
        """Draw the tabs of a window again, because its title has changed."""
        found = self.of(instance)
        if found is not None:
            await self._redraw(found[0])

    def _found(self, instance: str) -> tuple[str, TabGroup]:
        found = self.of(instance)
        if found is None:
            raise DesktopError(f"{instance!r} is no tab")
        return found

    def _details(self, instance: str) -> Mapping[str, Any]:
        running = self._instances.get(instance)
        details = None if running is None else running.definition.get("details")
        return details if isinstance(details, Mapping) else {}

    def _hides_header(self, instance: str) -> bool:
        return self._details(instance).get("hideTabHeader") is True

    def _take_out(self, instance: str) -> tuple[str, TabGroup] | None:
        """Remove a window from its tab group without drawing; return the earlier group."""
        found = self.of(instance)
        if found is not None:
            after = close(found[1], instance, self.rules)
            if after.tabs:
                self._tabs[found[0]] = after
            else:
                del self._tabs[found[0]]
        return found

    def _followed(self, instance: str, identity: str, before: TabGroup) -> tuple[str, ...]:
        """Replace a removed window with the next tab; return the groups to draw."""
        after = self._tabs.get(identity)
        front = None if after is None or before.selected != instance else after.selected
        return () if front is None else self._groups.replace(instance, front)

    async def _reported(self, report: TabReport, reports: Reports) -> None:
        if self.of(report.instance) is None:
            # It is no longer in a tab group, or never was.
            return
        match report:
            case TabSelected(instance=instance):
                await self.select(instance)
            case TabReordered(instance=instance, index=index):
                await self.reorder(instance, index)
            case TabPinned(instance=instance, pinned=pinned):
                await self.pin(instance, pinned=pinned)
            case TabClosed(instance=instance):
                if await reports.ask(MayClose(instance=instance)) is not False:
                    await self._host.close_window(instance)

    async def _redraw(self, identity: str, *, returned: str | None = None) -> None:
        group = self._tabs.get(identity)
        self._groups.covered = frozenset(
            tab for tabs in self._tabs.values() for tab in tabs.tabs if tab != tabs.selected
        )
        self.changed.emit(None)
        if group is None:
            await self._host.hide_tabs(identity)
            return
        around = next((found for tab in group.tabs if (found := self._groups.of(tab)) is not None), None)
        named = around.title if around else None
        drawing = draw(
            group,
            self.rules,
            identity=identity,
            titles={one.id: one.title for one in self._instances.all},
            group_title=self._settings.group.header.default_title if named is None else named,
            fixed=[one for one in group.tabs if self._is_fixed(one)],
            returned=() if returned is None else (returned,),
        )
        await self._host.show_tabs(drawing)

    def _is_fixed(self, instance: str) -> bool:
        details = self._details(instance)
        return details.get("allowClose") is False or details.get("allowTabClose") is False


class TabMethods:
    """Tabs on the gateway."""

    def __init__(self, tabs: TabGroups) -> None:
        self._tabs = tabs

    @method("Rostrum.Tabs.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the tab groups with their tabs, in the order of their strips."""
        return {
            "groups": [
                {
                    "id": identity,
                    "selected": group.selected,
                    "tabs": [
                        {
                            "instance": one,
                            "pinned": one in group.pinned,
                            "header": one not in group.headless,
                        }
                        for one in group.tabs
                    ],
                }
                for identity, group in self._tabs.all.items()
            ]
        }

    @method("Rostrum.Tabs.Join")
    async def join(self, arguments: Mapping[str, Any]) -> Any:
        """Make a window a tab of another, at the end or at an index."""
        index = _index(arguments) if arguments.get("index") is not None else None
        await self._tabs.join(text(arguments, "instance"), text(arguments, "to"), index)
        return {}

    @method("Rostrum.Tabs.Select")
    async def select(self, arguments: Mapping[str, Any]) -> Any:
        """Show a tab."""
        await self._tabs.select(text(arguments, "instance"))
        return {}

    @method("Rostrum.Tabs.Reorder")
    async def reorder(self, arguments: Mapping[str, Any]) -> Any:
        """Move a tab to an index of its strip."""
        await self._tabs.reorder(text(arguments, "instance"), _index(arguments))
        return {}

    @method("Rostrum.Tabs.Pin")
    async def pin(self, arguments: Mapping[str, Any]) -> Any:
        """Pin a tab at the start of its strip; with pinned false, unpin it."""
        await self._tabs.pin(text(arguments, "instance"), pinned=arguments.get("pinned", True) is True)
        return {}

    @method("Rostrum.Tabs.ShowHeader")
    async def show_header(self, arguments: Mapping[str, Any]) -> Any:
        """Show a tab in its strip; with visible false, hide it there."""
        await self._tabs.show_header(text(arguments, "instance"), visible=arguments.get("visible", True) is True)
        return {}

    @method("Rostrum.Tabs.Leave")
    async def leave(self, arguments: Mapping[str, Any]) -> Any:
        """Remove a window from its tab group."""
        await self._tabs.leave(text(arguments, "instance"))
        return {}


def _index(arguments: Mapping[str, Any]) -> int:
    value = arguments.get("index")
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DesktopError("index must be a whole number from 0 on")
    return value
