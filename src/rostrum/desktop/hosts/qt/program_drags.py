"""Detects that the user drags the window of a program, and where the drag ends.

The window manager moves such windows without reporting that the user does it. But its frame around the window moves
while a pointer button is held, and the drag ends when the button is released.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from rostrum.desktop.hosts.qt.x11 import X11
from rostrum.desktop.windows.geometry import Bounds

_LOOK_MS = 16
"""Interval at which the pointer buttons are read during a drag."""


class ProgramDrags(QObject):
    """Tracks the windows of programs that the window manager shows."""

    def __init__(self, x11: X11, dropped: Callable[[int, Bounds, bool], None], parent: QObject) -> None:
        """Use the connection; ``dropped`` gets a window, its bounds with decorations, and whether ALT was held."""
        super().__init__(parent)
        self._x11 = x11
        self._dropped = dropped
        self._frames: dict[int, int] = {}
        self._places: dict[int, Bounds] = {}
        self._dragged: int | None = None
        self._alt = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def watch(self, window: int) -> None:
        """Track a window."""
        frame, place = self._x11.frame_of(window), self._x11.bounds(window)
        if place is not None:
            self._frames[frame] = window
            self._places[window] = place
            if frame != window:
                self._x11.watch(frame)

    def forget(self, window: int) -> None:
        """Stop tracking a window."""
        self._frames = {frame: one for frame, one in self._frames.items() if one != window}
        self._places.pop(window, None)
        if self._dragged == window:
            self._end()

    def window_in(self, frame: int) -> int:
        """Return the window in a frame of the window manager; other windows are returned unchanged."""
        return self._frames.get(frame, frame)

    def moved(self, window: int) -> None:
        """Handle that a window, or the frame around it, has moved or was resized."""
        before, now = self._places.get(window), self._x11.bounds(window)
        if before is None or now is None:
            return
        self._places[window] = now
        is_moved = (now.left, now.top) != (before.left, before.top)
        is_same_size = (now.width, now.height) == (before.width, before.height)
        if self._dragged == window and not is_same_size:
            # The user resizes it.
            self._end()
        elif self._dragged is None and is_moved and is_same_size and self._x11.held()[0]:
            self._dragged = window
            self._timer.start()
            self._look()

    def _look(self) -> None:
        window = self._dragged
        is_held, alt = self._x11.held()
        if window is None or is_held:
            self._alt = alt
            return
        self._end()
        place = self._x11.bounds(window)
        if place is not None:
            left, right, top, bottom = (self._x11.values(window, "_NET_FRAME_EXTENTS") or [0, 0, 0, 0])[:4]
            outer = Bounds(place.left - left, place.top - top, place.width + left + right, place.height + top + bottom)
            self._dropped(window, outer, self._alt)

    def _end(self) -> None:
        self._dragged = None
        self._timer.stop()
