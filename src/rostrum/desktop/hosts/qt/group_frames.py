"""The groups on the screen."""

from collections.abc import Mapping
from dataclasses import replace

from rostrum.desktop.hosts.qt.drags import rect_of
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.group_frame import GroupFrame
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.windows.groups import GroupDrawing


class GroupFrames:
    """Draws groups as the platform requests."""

    def __init__(self, shared: Shared, windows: Mapping[str, FramedWindow]) -> None:
        """Start without groups; ``windows`` are the open windows."""
        self._shared = shared
        self._windows = windows
        self._groups: dict[str, GroupFrame] = {}
        self._drawings: dict[str, GroupDrawing] = {}

    def show(self, drawing: GroupDrawing) -> None:
        """Draw a group, replacing its earlier drawing."""
        self._drawings[drawing.id] = drawing
        group = self._groups.get(drawing.id)
        if group is not None:
            drawing = self._without_torn_out(drawing, group)
        members = {
            name: window
            for name in drawing.windows
            # A window that the user is dragging away is drawn when the platform has decided where it belongs.
            if (window := self._windows.get(name)) is not None and not window.is_torn_out
        }
        if not members:
            self._dissolve(drawing.id)
            return
        for window in members.values():
            other = self._of(window)
            if other is not None and other is not group:
                self._take_out(other, window)
        if group is None:
            first = next((one for one in members.values() if one.frame.isVisible()), next(iter(members.values())))
            group = self._groups[drawing.id] = GroupFrame(drawing, first, self._shared)
        group.draw(drawing, members)

    def hide(self, identity: str) -> None:
        """Remove the drawing of a group: its windows get their own frames."""
        self._drawings.pop(identity, None)
        self._dissolve(identity)

    def appeared(self, instance: str) -> None:
        """Draw the group of a window again that did not exist when the group was drawn."""
        for drawing in [*self._drawings.values()]:
            if instance in drawing.windows:
                self.show(drawing)

    def _dissolve(self, identity: str) -> None:
        group = self._groups.pop(identity, None)
        if group is not None:
            group.dissolve()

    def forget(self, window: FramedWindow) -> None:
        """Remove a closed window."""
        group = self._of(window)
        if group is not None:
            group.forget(window)
            self._groups = {name: one for name, one in self._groups.items() if one.windows}

    def set_look(self, look: Look) -> None:
        """Draw the headers in other colours."""
        for group in self._groups.values():
            group.set_look(look)

    def _of(self, window: FramedWindow) -> GroupFrame | None:
        return next((one for one in self._groups.values() if one.windows.get(window.instance) is window), None)

    def _without_torn_out(self, drawing: GroupDrawing, group: GroupFrame) -> GroupDrawing:
        """Give the place of a torn-out tab to the tab that is now visible there."""
        places = dict(drawing.windows)
        for name, place in drawing.windows.items():
            window = self._windows.get(name)
            if window is None or not window.is_torn_out:
                continue
            for other, shown in self._windows.items():
                is_there = shown.frame is group.frame and shown.cell.shown is shown.pane
                if is_there and other not in places and rect_of(shown.bounds) == rect_of(place):
                    places = {other if one == name else one: there for one, there in places.items()}
                    break
        return replace(drawing, windows=places)

    def _take_out(self, group: GroupFrame, window: FramedWindow) -> None:
        if len(group.windows) > 1:
            bounds, is_hidden = window.bounds, window.cell.isHidden()
            group.forget(window)
            window.move_out(bounds, visible=not is_hidden)
        else:
            self._groups = {name: one for name, one in self._groups.items() if one is not group}
            group.dissolve()
