"""GroupFrames: the groups on the screen, drawn as the platform says."""

from collections.abc import Mapping

from rostrum.desktop.hosts.qt.group_frame import GroupFrame
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.windows.groups import GroupDrawing

__all__ = ["GroupFrames"]


class GroupFrames:
    """The groups on the screen."""

    def __init__(self, shared: Shared, windows: Mapping[str, AppWindow]) -> None:
        """Start without groups; ``windows`` are those that are open."""
        self._shared = shared
        self._windows = windows
        self._groups: dict[str, GroupFrame] = {}

    def show(self, drawing: GroupDrawing) -> None:
        """Draw a group, in place of what was drawn for it before."""
        members = {
            name: window
            for name in drawing.windows
            # One that a person is dragging away is drawn when it is dropped.
            if (window := self._windows.get(name)) is not None and not window.is_torn_out
        }
        if not members:
            self.hide(drawing.id)
            return
        group = self._groups.get(drawing.id)
        for window in members.values():
            other = self._of(window)
            if other is not None and other is not group:
                self._take_out(other, window)
        if group is None:
            first = next((one for one in members.values() if one.frame.isVisible()), next(iter(members.values())))
            group = self._groups[drawing.id] = GroupFrame(drawing, first, self._shared)
        group.draw(drawing, members)

    def hide(self, identity: str) -> None:
        """Draw a group no more: its windows have frames of their own."""
        group = self._groups.pop(identity, None)
        if group is not None:
            group.dissolve()

    def forget(self, window: AppWindow) -> None:
        """Show a window no more that is closed."""
        group = self._of(window)
        if group is not None:
            group.forget(window)
            self._groups = {name: one for name, one in self._groups.items() if one.windows}

    def set_look(self, look: Look) -> None:
        """Draw the headers in other colours."""
        for group in self._groups.values():
            group.set_look(look)

    def _of(self, window: AppWindow) -> GroupFrame | None:
        return next((one for one in self._groups.values() if one.windows.get(window.instance) is window), None)

    def _take_out(self, group: GroupFrame, window: AppWindow) -> None:
        if len(group.windows) > 1:
            bounds, is_hidden = window.bounds, window.cell.isHidden()
            group.forget(window)
            window.move_out(bounds, visible=not is_hidden)
        else:
            self._groups = {name: one for name, one in self._groups.items() if one is not group}
            group.dissolve()
