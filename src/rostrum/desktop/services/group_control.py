"""Operations on groups of windows, for all interfaces of apps."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rostrum.desktop.arguments import choice, text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Capture
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_questions import Asked, WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.windows.geometry import Bounds, Side, box
from rostrum.desktop.windows.groups import WindowGroup

_SETTLE = 2.0
"""Time limit in seconds for the window manager; it may refuse, so the end of the limit is not an error."""
_LONGEST_TITLE = 1000
_MOST_SHOWN = 100
_SIDES: tuple[Side, ...] = ("right", "left", "top", "bottom")


class GroupControl:
    """Acts on all windows of a group. A single window, with or without tabs, counts as a group.

    The id of a group is that of the group of windows, else that of the tab group, else that of the window.
    """

    def __init__(
        self,
        groups: WindowGroups,
        tabs: TabGroups,
        control: WindowControl,
        registry: WindowRegistry,
        host: WindowHost,
        *,
        guards: Guards,
        questions: WindowQuestions,
    ) -> None:
        self._groups = groups
        self._tabs = tabs
        self._control = control
        self._registry = registry
        self._host = host
        self._guards = guards
        self._questions = questions

    def id_of(self, window: str) -> str:
        """Return the id of a window's group."""
        found = self._tabs.of(window)
        shown = window if found is None or found[1].selected is None else found[1].selected
        group = self._groups.of(shown)
        return group.id if group is not None else found[0] if found is not None else window

    def members(self, identity: str) -> tuple[str, ...]:
        """Return all windows of a group, with tabs in their order; raise DesktopError if the group does not exist."""
        group = self._groups.get(identity)
        tabs = self._tabs.all.get(identity)
        windows: tuple[str, ...] = ()
        if group is not None:
            windows = tuple(group.windows)
        elif tabs is not None:
            windows = tabs.tabs
        elif self._registry.get(identity) is not None:
            windows = (identity,)
        if not windows or self.id_of(windows[0]) != identity:
            raise DesktopError(f"There is no group {identity[:_MOST_SHOWN]!r}.")
        return tuple(dict.fromkeys(tab for window in windows for tab in self._frame(window)))

    async def set_state(self, identity: str, state: WindowState) -> None:
        """Minimize, maximize or restore a group, which is one window on the screen."""
        shown = self._shown(identity)
        await self._control.set_state(shown[0], state)
        for window in shown[1:]:
            await self._registry.until(window, lambda one: one.state == state, _SETTLE)

    async def show(self, identity: str, *, activate: bool = False) -> None:
        """Show a hidden group; ``activate`` also gives the keyboard focus to its topmost window."""
        members, shown = self.members(identity), self._shown(identity)
        for window in shown:
            await self._control.show(window)
        if activate:
            last = next((one for one in reversed(self._registry.stacked) if one in shown), members[0])
            await self._control.focus(last)

    async def hide(self, identity: str) -> None:
        """Hide all windows of a group; they stay open."""
        for window in self.members(identity):
            await self._control.hide(window)

    async def close(self, identity: str, *, ask: bool = True) -> bool:
        """Close all windows of a group; if an app prevents this for one of them, close none and return False."""
        members = self.members(identity)
        if ask and not await self._may_close(identity, members):
            return False
        for window in members:
            if self._registry.get(window) is not None:
                await self._control.close(window, ask=False)
        return True

    async def reload(self, identity: str) -> None:
        """Reload the pages of all windows of a group."""
        for window in self.members(identity):
            await self._control.reload(window)

    def title(self, identity: str) -> str:
        """Return the title of a group, or that of its visible window if it is a single window or tabs."""
        group, members = self._groups.get(identity), self.members(identity)
        if group is not None:
            return self._groups.title_of(group)
        return self._registry.find(self._shown(identity)[0] if members else identity).title

    async def set_title(self, identity: str, title: str) -> None:
        """Set the title of a group."""
        self.members(identity)
        if self._groups.get(identity) is None:
            raise DesktopError("The window is in no group. Only groups of several windows have a title.")
        if len(title) > _LONGEST_TITLE:
            raise DesktopError(f"title must have at most {_LONGEST_TITLE} characters.")
        await self._groups.set_title(identity, title)

    async def set_header_visible(self, identity: str, *, visible: bool) -> None:
        """Show or hide the bar above a group."""
        self.members(identity)
        if self._groups.get(identity) is None:
            raise DesktopError("The window is in no group. Only groups of several windows have a header.")
        await self._groups.set_header_visible(identity, visible=visible)

    def bounds(self, identity: str) -> Bounds:
        """Return the smallest rectangle around all windows of a group."""
        return box(self._registry.find(one).bounds for one in self._shown(identity))

    async def capture(self, identity: str) -> str:
        """Capture a whole group; return a PNG file as Base64."""
        picture: str = await self._host.act(self._shown(identity)[0], Capture(group=True))
        return picture

    def _frame(self, window: str) -> tuple[str, ...]:
        found = self._tabs.of(window)
        return (window,) if found is None else found[1].tabs

    def _shown(self, identity: str) -> tuple[str, ...]:
        """Return the windows of a group that are not hidden tabs."""
        return tuple(one for one in self.members(identity) if one not in self._groups.covered)

    async def _may_close(self, identity: str, members: tuple[str, ...]) -> bool:
        # A single window has the id of its group: its handlers are called once, with the window.
        if identity not in members and not await self._questions.may(Asked.CLOSING, identity):
            return False
        for window in members:
            if not await self._guards.may_close(window):
                return False
        return True


class GroupMethods:
    """Group methods on the gateway."""

    def __init__(self, groups: WindowGroups) -> None:
        self._groups = groups

    @method("Rostrum.Groups.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the groups with their windows."""
        return {"groups": [_view(one) for one in self._groups.all]}

    @method("Rostrum.Groups.Join")
    async def join(self, arguments: Mapping[str, Any]) -> Any:
        """Place a window beside another, and put both into one group."""
        side = choice(arguments, "side", _SIDES)
        return _view(await self._groups.join(text(arguments, "instance"), text(arguments, "to"), side))

    @method("Rostrum.Groups.Leave")
    async def leave(self, arguments: Mapping[str, Any]) -> Any:
        """Remove a window from its group."""
        await self._groups.leave(text(arguments, "instance"))
        return {}

    @method("Rostrum.Groups.Rename")
    async def rename(self, arguments: Mapping[str, Any]) -> Any:
        """Set the title of a group."""
        await self._groups.rename(text(arguments, "group"), text(arguments, "title"))
        return {}

    @method("Rostrum.Windows.Stick")
    async def stick(self, arguments: Mapping[str, Any]) -> Any:
        """Set whether a window takes part in groups."""
        sticky = arguments.get("sticky", True)
        await self._groups.set_sticky(text(arguments, "instance"), sticky=sticky is True)
        return {}


def _view(group: WindowGroup) -> dict[str, Any]:
    windows = [{"instance": instance, "bounds": asdict(bounds)} for instance, bounds in group.windows.items()]
    return {"id": group.id, "type": group.type, "title": group.title, "windows": windows}
