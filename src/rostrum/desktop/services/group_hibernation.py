"""Closes the apps of a group to save memory, and restores the group."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rostrum.base.signal import Signal
from rostrum.desktop.arguments import choice, text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.services.group_control import GroupControl
from rostrum.desktop.services.group_opener import GroupOpener, PlannedFrame, PlannedGroup, PlannedWindow
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.titles import TitledBy

_MOST_GROUPS = 100
_MOST_SHOWN = 100
_STATES: tuple[WindowState, ...] = ("normal", "minimized", "maximized")


@dataclass(frozen=True, slots=True)
class GroupStateChange:
    """A group that was hibernated or resumed, by its id; the id of a single window changes."""

    group: str
    state: Literal["hibernated", "resumed"]


class GroupHibernation:
    """Stores hibernated groups until the platform ends.

    Apps with ``closeOnHibernate`` false, and windows that belong to no app, stay open. They join the group again.

    Attributes:
        changed: Emitted with each group that was hibernated or resumed.
    """

    def __init__(
        self,
        groups: WindowGroups,
        tabs: TabGroups,
        control: GroupControl,
        opener: GroupOpener,
        *,
        instances: Instances,
        registry: WindowRegistry,
        stays_open: Callable[[Instance], bool],
        channels_of: Callable[[str], tuple[str, ...]],
    ) -> None:
        """Use the groups, their opener, and the running apps; ``stays_open`` returns which apps are not closed."""
        self.changed: Signal[GroupStateChange] = Signal()
        self._groups = groups
        self._tabs = tabs
        self._control = control
        self._opener = opener
        self._instances = instances
        self._registry = registry
        self._stays_open = stays_open
        self._channels_of = channels_of
        self._hibernated: dict[str, PlannedGroup] = {}

    @property
    def all(self) -> tuple[str, ...]:
        """Return the ids of the hibernated groups, oldest first."""
        return tuple(self._hibernated)

    async def hibernate(self, identity: str) -> None:
        """Close the apps of a group, and store it."""
        if identity in self._hibernated:
            raise DesktopError("The group is hibernated already.")
        members = self._control.members(identity)
        closing = [one for one in members if not self._keeps(one)]
        if not closing:
            raise DesktopError("No window of the group can be closed: closeOnHibernate of its apps is false.")
        if len(self._hibernated) >= _MOST_GROUPS:
            raise DesktopError(f"{_MOST_GROUPS} groups are hibernated, which is the limit. Resume some of them first.")
        self._hibernated[identity] = self._plan(identity)
        for window in closing:
            await self._instances.stop(window)
            # Immediately, so that the id of the group is free when it is resumed.
            await self._tabs.leave(window)
            await self._groups.forget(window)
        self.changed.emit(GroupStateChange(identity, "hibernated"))

    async def resume(self, identity: str, *, activate: bool = True) -> str:
        """Open a hibernated group again; return its id."""
        plan = self._hibernated.get(identity)
        if plan is None:
            raise DesktopError(f"There is no hibernated group {identity[:_MOST_SHOWN]!r}.")
        # Another call must not open it a second time.
        del self._hibernated[identity]
        try:
            windows = await self._opener.open(plan)
        except BaseException:
            self._hibernated[identity] = plan
            raise
        group = self._control.id_of(windows[0])
        if plan.state == "maximized":
            await self._control.set_state(group, "maximized")
        self.changed.emit(GroupStateChange(group, "resumed"))
        if activate:
            await self._control.show(group, activate=True)
        return group

    def _keeps(self, window: str) -> bool:
        instance = self._instances.get(window)
        return instance is None or self._stays_open(instance)

    def _plan(self, identity: str) -> PlannedGroup:
        group = self._groups.get(identity)
        shown = [one for one in self._control.members(identity) if one not in self._groups.covered]
        frames = []
        for window in shown:
            found = self._tabs.of(window)
            tabs = found[1].tabs if found is not None else (window,)
            bounds = group.windows[window] if group is not None else self._registry.find(window).bounds
            planned = tuple(self._window(one) for one in tabs)
            frames.append(PlannedFrame(bounds=bounds, windows=planned, selected=tabs.index(window)))
        return PlannedGroup(
            frames=tuple(frames),
            id=None if group is None else identity,
            title=None if group is None else group.title,
            header_visible=None if group is None else group.header_visible,
            state=self._registry.find(shown[0]).state,
        )

    def _window(self, window: str) -> PlannedWindow:
        instance, record = self._instances.get(window), self._registry.find(window)
        if instance is None:
            return PlannedWindow(app=record.app, window=window)
        return PlannedWindow(
            app=instance.app,
            context=instance.context,
            # A further window of an app has its own details.
            details=instance.definition.get("details") or {},
            window=window if self._stays_open(instance) else None,
            title=instance.title if instance.titled_by in (TitledBy.CODE, TitledBy.PERSON) else None,
            titled_by=instance.titled_by,
            channels=self._channels_of(window),
            zoom=record.zoom,
        )


class GroupControlMethods:
    """Methods for groups on the gateway."""

    def __init__(self, control: GroupControl, hibernation: GroupHibernation) -> None:
        self._control = control
        self._hibernation = hibernation

    @method("Rostrum.Groups.SetState")
    async def set_state(self, arguments: Mapping[str, Any]) -> Any:
        """Minimize, maximize or restore a group."""
        await self._control.set_state(text(arguments, "group"), choice(arguments, "state", _STATES))
        return {}

    @method("Rostrum.Groups.ShowHeader")
    async def show_header(self, arguments: Mapping[str, Any]) -> Any:
        """Show the bar above a group; with visible false, hide it."""
        visible = arguments.get("visible", True) is True
        await self._control.set_header_visible(text(arguments, "group"), visible=visible)
        return {}

    @method("Rostrum.Groups.Close")
    async def close(self, arguments: Mapping[str, Any]) -> Any:
        """Close all windows of a group, unless an app keeps one of them open."""
        return {"closed": await self._control.close(text(arguments, "group"))}

    @method("Rostrum.Groups.Hibernate")
    async def hibernate(self, arguments: Mapping[str, Any]) -> Any:
        """Close the apps of a group until it is resumed."""
        await self._hibernation.hibernate(text(arguments, "group"))
        return {}

    @method("Rostrum.Groups.Resume")
    async def resume(self, arguments: Mapping[str, Any]) -> Any:
        """Open a hibernated group again; return its id."""
        return {"group": await self._hibernation.resume(text(arguments, "group"))}
