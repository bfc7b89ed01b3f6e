"""The draggable borders of a group and lines between its windows."""

from collections.abc import Mapping
from typing import Protocol, get_args

from PySide6.QtCore import QPoint, Qt

from rostrum.desktop.hosts.qt.drags import CURSORS, Drag, edges_at, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.group_drags import BorderDrag, EdgeDrag, Sizable
from rostrum.desktop.hosts.qt.pane import BORDER
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.groups import GroupDrawing, WindowGroup
from rostrum.desktop.windows.resize import SharedEdge, is_open, shared_edges


class _Group(Sizable, Protocol):
    """The group on the screen."""

    @property
    def frame(self) -> Frame:
        """Return the native window."""
        ...

    @property
    def drawing(self) -> GroupDrawing:
        """Return the last drawing of the platform."""
        ...

    @property
    def windows(self) -> Mapping[str, FramedWindow]:
        """Return the visible windows, by instance."""
        ...

    def places(self) -> dict[str, Bounds]:
        """Return the bounds of the visible windows."""
        ...

    def local_places(self) -> dict[str, Bounds]:
        """Return their bounds relative to the frame."""
        ...


class GroupEdges:
    """The borders and lines of one group."""

    def __init__(self, group: _Group) -> None:
        self._group = group

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return the drag that a press at a position of the frame starts."""
        group, drawing = self._group, self._group.drawing
        (held, sides), line = self._border_at(place), self._line_at(place)
        if sides:
            before = WindowGroup(id=drawing.id, type=drawing.type, windows=group.places(), edge=drawing.edge)
            alone = held if drawing.resize_alone else None
            return BorderDrag(group, pointer, before, sides, way=drawing.resize, alone=alone)
        if line is None:
            return None
        smallest = {name: window.pane.smallest for name, window in group.windows.items()}
        return EdgeDrag(group, pointer, group.places(), line, smallest)

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return the cursor for a position of the frame."""
        sides, line = self.sides_at(place), self._line_at(place)
        if sides or line is None:
            return CURSORS.get(sides)
        return Qt.CursorShape.SplitHCursor if line.sideways else Qt.CursorShape.SplitVCursor

    def sides_at(self, place: QPoint) -> frozenset[str]:
        """Return the sides of the group that a press at a position grabs."""
        return self._border_at(place)[1]

    def _border_at(self, place: QPoint) -> tuple[str | None, frozenset[str]]:
        """Return the window at a position, and the sides of the group that a press grabs there.

        In a group with a ragged border, outer borders of windows are not all at the edge of the frame.
        """
        sides, places = edges_at(place, self._group.frame.size(), BORDER), self._group.local_places()
        held = next((name for name, one in places.items() if rect_of(one).contains(place)), None)
        if sides or held is None or self._line_at(place) is not None:
            return held, sides
        area = rect_of(places[held])
        near = edges_at(place - area.topLeft(), area.size(), BORDER)
        return held, frozenset(one for one in get_args(Side) if one in near and is_open(places[held], one, places))

    def _line_at(self, place: QPoint) -> SharedEdge | None:
        """Return the line between adjacent windows at a position, including their borders."""
        if self._group.frame.state != "normal":
            return None
        places = self._group.local_places()
        for line in shared_edges(places, self._group.drawing.edge):
            wide, high = (BORDER, 0) if line.sideways else (0, BORDER)
            if rect_of(line.area(places)).adjusted(-wide, -high, wide, high).contains(place):
                return line
        return None
