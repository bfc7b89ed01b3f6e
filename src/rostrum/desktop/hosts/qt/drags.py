"""The pointer: its position, and drags that move a frame or resize it by its edges."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor, QMouseEvent, QRegion
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.reports import PointerMoved
from rostrum.desktop.windows.geometry import Bounds

_WIDTH = 3
_COLOR = "#5b8dc9"
START = 4
"""Distance that the pointer moves before a press becomes a drag."""
_CORNER = 14
CURSORS = {
    frozenset({"left"}): Qt.CursorShape.SizeHorCursor,
    frozenset({"right"}): Qt.CursorShape.SizeHorCursor,
    frozenset({"top"}): Qt.CursorShape.SizeVerCursor,
    frozenset({"bottom"}): Qt.CursorShape.SizeVerCursor,
    frozenset({"left", "top"}): Qt.CursorShape.SizeFDiagCursor,
    frozenset({"right", "bottom"}): Qt.CursorShape.SizeFDiagCursor,
    frozenset({"right", "top"}): Qt.CursorShape.SizeBDiagCursor,
    frozenset({"left", "bottom"}): Qt.CursorShape.SizeBDiagCursor,
}
"""Cursors for the edges of a window."""
_SHORTEST_MS = 20


class SnapPreview(QWidget):
    """An outline above all windows that ignores the pointer.

    It is cut out of an opaque window, because translucent windows need a compositor.
    """

    def __init__(self) -> None:
        super().__init__(
            None,
            Qt.WindowType.ToolTip
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.WindowTransparentForInput
            | Qt.WindowType.WindowDoesNotAcceptFocus,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setStyleSheet(f"background: {_COLOR}")

    def show_at(self, place: QRect) -> None:
        """Show the outline around a rectangle."""
        self.setGeometry(place)
        whole = QRect(0, 0, place.width(), place.height())
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(_WIDTH, _WIDTH, -_WIDTH, -_WIDTH)))
        self.show()


def bounds_of(rect: QRect) -> Bounds:
    """Convert from Qt's type."""
    return Bounds(rect.x(), rect.y(), rect.width(), rect.height())


def rect_of(bounds: Bounds) -> QRect:
    """Convert to Qt's type."""
    return QRect(round(bounds.left), round(bounds.top), max(1, round(bounds.width)), max(1, round(bounds.height)))


def edges_at(place: QPoint, size: QSize, border: int) -> frozenset[str]:
    """Return the edges that a press at a position grabs, in a window of a given size."""
    x, y, width, height = place.x(), place.y(), size.width(), size.height()
    if border <= 0 or (border <= x < width - border and border <= y < height - border):
        return frozenset()
    near = {
        "left": x < _CORNER if y < border or y >= height - border else x < border,
        "right": x >= width - (_CORNER if y < border or y >= height - border else border),
        "top": y < _CORNER if x < border or x >= width - border else y < border,
        "bottom": y >= height - (_CORNER if x < border or x >= width - border else border),
    }
    return frozenset(edge for edge, is_near in near.items() if is_near)


def alt_held(event: QMouseEvent) -> bool:
    """Return whether ALT was held at the time of the event, which may be earlier."""
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)


class SecondClick:
    """The second press of a double click, which becomes a drag if the pointer moves before the release."""

    def __init__(self) -> None:
        """Start without a press."""
        self._pressed: QPoint | None = None

    def press(self, event: QMouseEvent) -> None:
        """Handle a press that follows a click at the same position."""
        self._pressed = event.globalPosition().toPoint()

    def move(self, event: QMouseEvent) -> None:
        """Detect a drag."""
        if self._pressed is not None:
            step = event.globalPosition().toPoint() - self._pressed
            if step.manhattanLength() >= START:
                self._pressed = None

    def release(self) -> bool:
        """Return whether it was a double click, and reset."""
        pressed, self._pressed = self._pressed, None
        return pressed is not None


class Drag(Protocol):
    """A running drag.

    Attributes:
        begun: Whether the pointer has moved far enough for a drag.
    """

    begun: bool

    def to(self, pointer: QPoint, *, alt: bool) -> None:
        """Follow the pointer."""
        ...

    def end(self, *, alt: bool) -> None:
        """Finish; called only for a drag that has begun."""
        ...


class Movable(Protocol):
    """The part of a frame that a drag uses."""

    snap: Callable[[Bounds, bool], Bounds]

    @property
    def bounds(self) -> Bounds:
        """Return the rectangle in the normal state."""
        ...

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the frame."""
        ...

    def leave_maximized(self, pointer: QPoint) -> None:
        """Restore a maximized frame under the pointer."""
        ...

    def rest(self) -> None:
        """Report that the frame has reached its final bounds."""
        ...

    def drop(self, *, alt: bool) -> None:
        """Report that the frame was dropped."""
        ...


class MoveDrag:
    """Moves an entire frame, and shows where it would snap."""

    def __init__(self, frame: Movable, pointer: QPoint) -> None:
        """Start at the position of the pointer."""
        self.begun = False
        self._frame = frame
        self._pointer = pointer
        self._start = frame.bounds
        self._preview: SnapPreview | None = None

    def to(self, pointer: QPoint, *, alt: bool) -> None:
        """Follow the pointer."""
        step = pointer - self._pointer
        if not self.begun:
            if step.manhattanLength() < START:
                return
            self.begun = True
            self._frame.leave_maximized(self._pointer)
            self._start = self._frame.bounds
        start = self._start
        self._frame.set_bounds(Bounds(start.left + step.x(), start.top + step.y(), start.width, start.height))
        self._show_preview(alt=alt)

    def end(self, *, alt: bool) -> None:
        """Snap, and report the drop."""
        self._hide_preview()
        self._frame.set_bounds(self._frame.snap(self._frame.bounds, alt))
        self._frame.rest()
        self._frame.drop(alt=alt)

    def _show_preview(self, *, alt: bool) -> None:
        target = self._frame.snap(self._frame.bounds, alt)
        if target == self._frame.bounds:
            self._hide_preview()
            return
        if self._preview is None:
            self._preview = SnapPreview()
        self._preview.show_at(rect_of(target))

    def _hide_preview(self) -> None:
        if self._preview is not None:
            self._preview.close()
            self._preview = None


class ResizeDrag:
    """Resizes a frame by the grabbed edges."""

    def __init__(self, frame: Movable, pointer: QPoint, edges: frozenset[str], smallest: QSize, largest: QSize) -> None:
        """Start at the position of the pointer."""
        self.begun = True
        self._frame = frame
        self._pointer = pointer
        self._start = frame.bounds
        self._edges = edges
        self._smallest = smallest
        self._largest = largest

    def to(self, pointer: QPoint, *, alt: bool) -> None:  # noqa: ARG002 - a drag knows it
        """Follow the pointer."""
        self._frame.set_bounds(self._resized(pointer - self._pointer))

    def end(self, *, alt: bool) -> None:  # noqa: ARG002 - a drag knows it
        """Report the final position of the edges."""
        self._frame.rest()

    def _resized(self, step: QPoint) -> Bounds:
        result = self._start
        moves = {"left": step.x(), "right": step.x(), "top": step.y(), "bottom": step.y()}
        for edge in self._edges:
            sideways = edge in ("left", "right")
            start = result.width if sideways else result.height
            low = self._smallest.width() if sideways else self._smallest.height()
            high = self._largest.width() if sideways else self._largest.height()
            grow = -moves[edge] if edge in ("left", "top") else moves[edge]
            grow = min(max(start + grow, low), high) - start
            place = {
                "left": result.left - grow,
                "right": result.right + grow,
                "top": result.top - grow,
                "bottom": result.bottom + grow,
            }[edge]
            result = result.with_edge(edge, place)  # type: ignore[arg-type]
        return result


class PointerWatch(QObject):
    """Reads the position of the pointer at intervals, and reports changes."""

    def __init__(
        self, window_at: Callable[[QPoint], str | None], report: Callable[[PointerMoved], None], parent: QObject
    ) -> None:
        """Start disabled; ``window_at`` returns the window at a position."""
        super().__init__(parent)
        self._window_at = window_at
        self._report = report
        self._last: PointerMoved | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(lambda: self._look())

    def watch(self, interval: float) -> None:
        """Check every given number of seconds; 0 stops."""
        self._timer.stop()
        if interval > 0:
            self._last = None
            self._timer.start(max(_SHORTEST_MS, round(interval * 1000)))

    def _look(self) -> None:
        place = QCursor.pos()
        seen = PointerMoved(left=place.x(), top=place.y(), over=self._window_at(place))
        # A window may also have appeared or disappeared under a pointer that does not move.
        if seen != self._last:
            self._last = seen
            self._report(seen)
