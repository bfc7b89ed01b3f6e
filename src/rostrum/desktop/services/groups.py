"""The groups of the running desktop, synchronized with the host."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.modes import Feature, require, supports
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.windows.collapse import collapse, expand
from rostrum.desktop.windows.geometry import Bounds, Side, screen_of
from rostrum.desktop.windows.groups import NATIVE, WindowGroup, beside, has_header, join, moved
from rostrum.desktop.windows.groups import draw as draw_group
from rostrum.desktop.windows.resize import align, drag_border
from rostrum.desktop.windows.snapping import drop, neighbour, snap_rules
from rostrum.desktop.windows.web_groups import GroupPage
from rostrum.settings.scope import AppType, Mode
from rostrum.settings.sections.window_management import WindowManagement


@dataclass(frozen=True, slots=True)
class _Member:
    """A window that may be in a group."""

    id: str
    type: str
    name: str
    details: Mapping[str, Any]
    process: int | None = None


class WindowGroups:
    """Groups windows, resizes them together, and ungroups them.

    Attributes:
        covered: Hidden tabs, to which other windows do not snap.
        changed: Emitted when the windows, bounds or title of a group changed.
        stays_apart: Returns whether a window never takes part in groups.
    """

    def __init__(
        self,
        settings: WindowManagement,
        mode: Mode,
        host: WindowHost,
        instances: Instances,
        *,
        system_buttons: Callable[[], bool],
        new_id: Callable[[], str],
        registry: WindowRegistry | None = None,
        page: Callable[[], GroupPage | None] = lambda: None,
    ) -> None:
        """Use the settings and the running desktop.

        ``system_buttons`` returns whether the group page uses the buttons of the system.

        ``page`` returns the page that draws web groups; without one, the host draws them. ``registry`` has the windows
        without a running app, and the visibility of windows.
        """
        self._settings = settings
        self._mode = mode
        self._host = host
        self._instances = instances
        self._system_buttons = system_buttons
        self._new_id = new_id
        self._registry = registry
        self._page = page
        self.changed: Signal[None] = Signal()
        self._groups: dict[str, WindowGroup] = {}
        self.stays_apart: Callable[[str], bool] = lambda _: False
        self._sticky: dict[str, bool] = {}
        self.covered: frozenset[str] = frozenset()

    @property
    def all(self) -> tuple[WindowGroup, ...]:
        """Return every group, oldest first."""
        return tuple(self._groups.values())

    def of(self, instance: str) -> WindowGroup | None:
        """Return the group of a window."""
        return next((group for group in self._groups.values() if instance in group.windows), None)

    def get(self, identity: str) -> WindowGroup | None:
        """Return the group with an id."""
        return self._groups.get(identity)

    def title_of(self, group: WindowGroup) -> str:
        """Return the title of a group, by default that of the settings."""
        return self._settings.group.header.default_title if group.title is None else group.title

    def has_header(self, group: WindowGroup) -> bool:
        """Return whether a group has a bar above it."""
        return has_header(group, self._settings.group)

    async def join(self, instance: str, to: str, side: Side = "right", *, align: bool = True) -> WindowGroup:
        """Place a window beside another, and put both into one group; without ``align`` it keeps its size."""
        moving, neighbour = self._member(instance), self._member(to)
        if instance == to:
            raise DesktopError("a window cannot be grouped with itself")
        for one in (moving, neighbour):
            if not self.is_sticky(one.id):
                raise DesktopError(f"the window of {one.name} does not stick to others")
        size, there = await self._place(moving), await self._place(neighbour)
        group = self.of(to) or self._new(neighbour, there)
        placed = beside(group.windows[to], side, size, group.edge, align=align)
        grown = join(group.without(instance), instance, moving.type, placed, self._mode)
        before = self.take_out(instance)
        self._groups[grown.id] = grown
        await self.draw(*before, grown.id)
        return grown

    async def restore(
        self,
        windows: Sequence[str],
        title: str | None,
        *,
        identity: str | None = None,
        header_visible: bool | None = None,
        collapsed: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """Create a group of windows that are already at their positions, with a new id or an earlier one.

        ``collapsed`` has the expanded heights of collapsed windows.
        """
        members = [self._member(one) for one in windows]
        if len(members) < 2:
            return
        group = self._new(members[0], await self._place(members[0]))
        for one in members[1:]:
            group = join(group, one.id, one.type, await self._place(one), self._mode)
        if identity is not None and identity not in self._groups:
            group = replace(group, id=identity)
        await self._put(replace(group, title=title, header_visible=header_visible, collapsed=dict(collapsed)))
        for instance in collapsed:
            if self._registry is not None:
                self._registry.update(instance, collapsed=True)

    def is_open(self, instance: str) -> bool:
        """Return whether a window exists that may be in a group."""
        return self._find(instance) is not None and self._host.bounds(instance) is not None

    def bounds(self, instance: str) -> Bounds:
        """Return the bounds of a window, including a window that the host has not moved yet."""
        group = self.of(instance)
        found = self._host.bounds(instance) if group is None else group.windows[instance]
        if found is None:
            raise DesktopError(f"{instance!r} has no window")
        return found

    async def add(self, instance: str, to: str, bounds: Bounds, *, title: str | None = None) -> None:
        """Add a window at a position to the group of another one; ``title`` is for a new group."""
        moving, other = self._member(instance), self._member(to)
        group = self.of(to) or replace(self._new(other, await self._place(other)), title=title)
        await self._put(join(group, instance, moving.type, bounds, self._mode))

    async def drag_ended(self, instance: str, bounds: Bounds, *, alt: bool = False) -> Bounds:
        """Handle the end of a drag: the window snaps and joins a group, or moves its group; return its bounds."""
        moving, group = self._member(instance), self.of(instance)
        if group is not None:
            await self._put(moved(group, instance, bounds))
            return bounds
        rests, near = self._dropped_at(moving, bounds, alt=alt)
        if self._host.bounds(instance) != rests:
            await self._host.move_window(instance, rests)
        if near is not None:
            await self._join_at(moving, near, rests)
        return rests

    async def program_dropped(self, instance: str, bounds: Bounds, *, alt: bool = False) -> None:
        """Add the window of a program to the group of the window beside which the user dropped it.

        Elsewhere, and in modes that do not integrate programs, nothing changes.
        """
        moving = self._find(instance)
        is_ours = moving is None or self._host.bounds(instance) is not None
        if moving is None or is_ours or not supports(self._mode, Feature.NATIVE_VISUAL_INTEGRATION):
            return
        rests, near = self._dropped_at(moving, bounds, alt=alt)
        if near is not None:
            await self._place(moving)
            await self._join_at(moving, near, rests)

    def _dropped_at(self, moving: "_Member", bounds: Bounds, *, alt: bool) -> tuple[Bounds, str | None]:
        """Return the final bounds of a dropped window, and the window whose group it joins."""
        rules = snap_rules(moving.type, moving.details, self._settings, alt=alt)
        others = {one: there for one in self._on_screen() if one != moving.id and (there := self._host.bounds(one))}
        area = screen_of(bounds, self._host.screens()).work_area
        rests = drop(bounds, others.values(), area, rules)
        near = None if rules.distance is None else neighbour(rests, others, rules.gap)
        joins = near is not None and self.is_sticky(moving.id) and self.is_sticky(near)
        return rests, near if joins else None

    async def _join_at(self, moving: "_Member", near: str, bounds: Bounds) -> None:
        group = self.of(near) or self._new(self._member(near), self.bounds(near))
        await self._put(join(group, moving.id, moving.type, bounds, self._mode))

    async def place(self, instance: str, bounds: Bounds) -> None:
        """Move the group of a window so that the window gets new bounds; a window with another size is resized."""
        group = moved(self._grouped(instance), instance, bounds)
        size = (group.windows[instance].width, group.windows[instance].height)
        if size != (bounds.width, bounds.height):
            resized = join(group, instance, self._member(instance).type, bounds, self._mode)
            group = replace(resized, collapsed=group.without(instance).collapsed)
        await self._put(group)

    def follow(self, instance: str, bounds: Bounds) -> None:
        """Apply the bounds of a window that the host has set, because the user moved or resized the group."""
        group = self.of(instance)
        before = None if group is None else group.windows[instance]
        if group is None or before is None or before == bounds:
            return
        if (before.width, before.height) == (bounds.width, bounds.height):
            # The other windows move along: their neighbours stay the same until their own reports arrive.
            self._groups[group.id] = moved(group, instance, bounds)
        else:
            self._groups[group.id] = replace(group, windows={**group.windows, instance: bounds})
        self.changed.emit(None)

    async def show_in_frame(self, instance: str) -> None:
        """Embed the window of a program in a frame, where it can be a tab; has no effect for other windows.

        Raise DesktopError if that is not possible.
        """
        member = self._member(instance)
        if member.type in NATIVE:
            if self._settings.group.type == "Web" and self._page() is not None:
                raise DesktopError(f"{member.name} is a program, and pages of web groups draw no tabs for programs")
            await self._place(member)

    async def accept_torn_out(self, instance: str) -> None:
        """Confirm to the host that the model has processed a torn-out window, which may be drawn in groups again."""
        await self._host.accept_torn_out(instance)

    async def redraw(self, instance: str) -> None:
        """Draw the group of a window again, because the host shows it differently."""
        group = self.of(instance)
        if group is not None:
            await self.draw(group.id)

    def replace(self, before: str | None, after: str) -> tuple[str, ...]:
        """Replace a window by another one, when another tab is selected; return the groups to draw."""
        group = None if before is None else self.of(before)
        if group is None or before == after:
            return ()
        windows = {after if name == before else name: one for name, one in group.windows.items()}
        self._groups[group.id] = replace(group, windows=windows)
        return (group.id,)

    async def leave(self, instance: str) -> None:
        """Remove a window from its group; a group with one window is dissolved."""
        await self.draw(*self.take_out(instance))

    def is_sticky(self, instance: str) -> bool:
        """Return whether a window takes part in groups: as set for it, or by its definition."""
        if self.stays_apart(instance):
            return False
        if not supports(self._mode, Feature.WINDOW_STICKINESS):
            return True
        said = self._find(instance)
        return self._sticky.get(instance, said is None or said.details.get("isSticky") is not False)

    def own_stickiness(self, instance: str) -> bool | None:
        """Return whether a window takes part in groups as set for it; None if it was not set."""
        return self._sticky.get(instance)

    def restore_stickiness(self, instance: str, sticky: bool | None) -> None:  # noqa: FBT001 - as it was kept
        """Restore whether a window takes part in groups from its layout."""
        if sticky is None:
            self._sticky.pop(instance, None)
        elif supports(self._mode, Feature.WINDOW_STICKINESS):
            self._sticky[instance] = sticky

    async def set_sticky(self, instance: str, *, sticky: bool) -> None:
        """Set whether a window takes part in groups; only in a mode that supports this."""
        require(self._mode, Feature.WINDOW_STICKINESS)
        self._member(instance)
        self._sticky[instance] = sticky
        if not sticky:
            await self.leave(instance)
        self.changed.emit(None)

    async def rename(self, identity: str, title: str) -> None:
        """Set the title that the user entered for a group."""
        group = self._existing(identity)
        if self._settings.group.header.hide or not self._settings.group.header.edit_title:
            raise DesktopError("titles of groups are not edited (windowManagement.group.header)")
        await self._put(replace(group, title=title))

    async def set_title(self, identity: str, title: str) -> None:
        """Set the title of a group on behalf of an app, even if users may not edit titles."""
        await self._put(replace(self._existing(identity), title=title))

    async def set_header_visible(self, identity: str, *, visible: bool) -> None:
        """Show or hide the bar above a group, overriding the settings."""
        await self._put(replace(self._existing(identity), header_visible=visible))

    async def drag_border(self, instance: str, side: Side, by: float, *, alt: bool = False) -> None:
        """Drag the outer border of a group outwards by some pixels, at one of its windows."""
        way = self._settings.group.external_resize_mode
        group = self._grouped(instance)
        await self._put(drag_border(group, instance, side, by, way=way, mode=self._mode, alt=alt))

    async def align_border(self, identity: str, side: Side) -> None:
        """Align the windows along one side of a group; only in a mode that supports this."""
        await self._put(align(self._existing(identity), side, self._mode))

    async def collapse(self, instance: str) -> None:
        """Collapse a window of a classic group."""
        await self._put(collapse(self._grouped(instance), instance, self._settings.collapse_expand))

    @property
    def can_collapse(self) -> bool:
        """Return whether windows collapse inside groups."""
        return self._settings.group.type == "Classic"

    def is_collapsed(self, instance: str) -> bool:
        """Return whether a window of a group is collapsed."""
        return self.expanded_height(instance) is not None

    def expanded_height(self, instance: str) -> float | None:
        """Return the expanded height of a window that is collapsed in its group; None for others."""
        group = self.of(instance)
        return None if group is None else group.collapsed.get(instance)

    async def expand(self, instance: str) -> None:
        """Expand a collapsed window."""
        await self._put(expand(self._grouped(instance), instance, self._settings.collapse_expand))

    async def forget(self, instance: str) -> None:
        """Handle the end of an instance."""
        self._sticky.pop(instance, None)
        await self.leave(instance)

    def knows(self, window: str) -> bool:
        """Return whether a window exists that can be in a group: of an app, or of a program."""
        return self._find(window) is not None

    def _existing(self, identity: str) -> WindowGroup:
        group = self._groups.get(identity)
        if group is None:
            raise DesktopError(f"there is no group {identity!r}")
        return group

    def _find(self, window: str) -> "_Member | None":
        running = self._instances.get(window)
        if running is not None:
            details = running.definition.get("details") or {}
            return _Member(window, running.type, running.app, details, running.process)
        record = None if self._registry is None else self._registry.get(window)
        return None if record is None else _Member(window, record.kind, record.title, record.details)

    def _member(self, window: str) -> "_Member":
        found = self._find(window)
        if found is None:
            raise DesktopError(f"there is no instance {window!r}")
        return found

    def _on_screen(self) -> list[str]:
        """Return the windows that others may snap to."""
        if self._registry is None:
            return [one.id for one in self._instances.all if one.id not in self.covered]
        hidden = {one.id for one in self._registry.all if not one.visible or one.state == "minimized"}
        # Adopted programs have no record.
        every = dict.fromkeys([one.id for one in self._registry.all] + [one.id for one in self._instances.all])
        return [one for one in every if one not in hidden | self.covered]

    def _grouped(self, instance: str) -> WindowGroup:
        group = self.of(instance)
        if group is None:
            raise DesktopError(f"{instance!r} is in no group")
        return group

    def _new(self, first: "_Member", place: Bounds) -> WindowGroup:
        edge = round(self._settings.snapping.edge_distance)
        empty = WindowGroup(id=self._new_id(), type=self._settings.group.type, windows={}, edge=edge)
        return join(empty, first.id, first.type, place, self._mode)

    def take_out(self, instance: str) -> tuple[str, ...]:
        """Remove a window from its group without drawing it; return the groups to draw."""
        group = self.of(instance)
        if group is None:
            return ()
        left = group.without(instance)
        if len(left.windows) > 1:
            self._groups[group.id] = left
        else:
            del self._groups[group.id]
        return (group.id,)

    async def _place(self, instance: "_Member") -> Bounds:
        if instance.type in NATIVE:
            require(self._mode, Feature.NATIVE_VISUAL_INTEGRATION)
            # Also for an adopted window: a layout may have moved it recently.
            return await self._host.adopt_window(instance.id, instance.process)
        found = self._host.bounds(instance.id)
        if found is None:
            raise DesktopError(f"{instance.name} has no window")
        return found

    async def _put(self, group: WindowGroup) -> None:
        self._groups[group.id] = group
        await self.draw(group.id)

    async def draw(self, *identities: str) -> None:
        """Send the current state of groups to the host; groups that no longer exist are hidden."""
        if identities:
            self.changed.emit(None)
        for identity in dict.fromkeys(identities):
            group = self._groups.get(identity)
            if group is None:
                await self._host.hide_group(identity)
                continue
            drawing = draw_group(
                group,
                self._settings.group,
                self._mode,
                wants_system_buttons=self._system_buttons(),
                page=self._page(),
            )
            await self._host.show_group(drawing)


def wants_system_buttons(apps: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a web group app uses the buttons of the operating system."""
    return any(
        one.get("type") == AppType.WEB_GROUP and (one.get("details") or {}).get("useOSSystemButtons") is True
        for one in apps.values()
    )
