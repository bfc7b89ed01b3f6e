"""Frame: one native window without the system's decorations; it holds a caption bar and the cell of a window.

The rectangle that the platform or a drag has set is authoritative. The position that Qt reports lags behind the window
manager, so it is adopted only when nobody here has asked for another place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QHideEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.snap_preview import SnapPreview
from rostrum.desktop.windows.geometry import Bounds

__all__ = ["Frame", "State", "bounds_of", "rect_of"]

State = Literal["normal", "minimized", "maximized"]

_SETTLE_MS = 400
"""How long the window manager may take to put a window where it was asked to."""
_REST_MS = 120
"""A window that has not moved for this long is at rest."""
_CORNER = 14
_DRAG_START = 4
"""How far the pointer moves before a press becomes a drag."""
_LARGEST = 16777215

_CURSORS = {
    frozenset({"left"}): Qt.CursorShape.SizeHorCursor,
    frozenset({"right"}): Qt.CursorShape.SizeHorCursor,
    frozenset({"top"}): Qt.CursorShape.SizeVerCursor,
    frozenset({"bottom"}): Qt.CursorShape.SizeVerCursor,
    frozenset({"left", "top"}): Qt.CursorShape.SizeFDiagCursor,
    frozenset({"right", "bottom"}): Qt.CursorShape.SizeFDiagCursor,
    frozenset({"right", "top"}): Qt.CursorShape.SizeBDiagCursor,
    frozenset({"left", "bottom"}): Qt.CursorShape.SizeBDiagCursor,
}


def bounds_of(rect: QRect) -> Bounds:
    """Convert from Qt's form."""
    return Bounds(rect.x(), rect.y(), rect.width(), rect.height())


def rect_of(bounds: Bounds) -> QRect:
    """Convert to Qt's form."""
    return QRect(round(bounds.left), round(bounds.top), max(1, round(bounds.width)), max(1, round(bounds.height)))


@dataclass(slots=True)
class _Drag:
    """A drag that runs; without edges the whole window moves."""

    pointer: QPoint
    start: Bounds
    edges: frozenset[str]
    begun: bool = False


class Frame(QWidget):
    """A native window.

    Attributes:
        bounds_changed: Emitted with whether more changes follow at once, as in a drag.
        state_changed: Emitted with normal, minimized or maximized.
        activated: Emitted with whether the window has the focus.
        visible_changed: Emitted with whether the window is on the screen.
        close_wanted: Emitted when a person or the window manager wants to close the window.
        dropped: Emitted at the end of a drag, with whether ALT was held down.
        snap: Returns where a window that is dragged to a place would rest; set by the owner.

    """

    bounds_changed = Signal(bool)
    state_changed = Signal(str)
    activated = Signal(bool)
    visible_changed = Signal(bool)
    close_wanted = Signal()
    dropped = Signal(bool)

    def __init__(self, bounds: Bounds, *, border: int = 4, tool: bool = False) -> None:
        """Prepare a window at a place; it is not shown."""
        kind = Qt.WindowType.Tool if tool else Qt.WindowType.Window
        super().__init__(None, kind | Qt.WindowType.FramelessWindowHint)
        self.setMouseTracking(True)
        self.snap: Callable[[Bounds, bool], Bounds] = lambda moving, _: moving
        self.locked = False
        self.border = border
        self.content = QVBoxLayout(self)
        self.content.setContentsMargins(border, border, border, border)
        self.content.setSpacing(0)
        self._color = QColor("#c3cad5")
        self._bounds = bounds
        self._state: State = "normal"
        self._drag: _Drag | None = None
        self._preview: SnapPreview | None = None
        self._may_close = False
        self._settle = self._timer(_SETTLE_MS, self._adopt)
        self._rest = self._timer(_REST_MS, lambda: self.bounds_changed.emit(False))
        self.setGeometry(rect_of(bounds))

    def place(self, bounds: Bounds, *, border: int) -> None:
        """Give a window that is not shown yet its place and its border."""
        self.border = border
        self.content.setContentsMargins(border, border, border, border)
        self._bounds = bounds
        self.setGeometry(rect_of(bounds))

    @property
    def bounds(self) -> Bounds:
        """Return the rectangle of the window in its normal state."""
        return self._bounds

    @property
    def shown_bounds(self) -> Bounds:
        """Return the rectangle that the window covers now."""
        return bounds_of(self.geometry()) if self._state == "maximized" else self._bounds

    @property
    def state(self) -> State:
        """Return normal, minimized or maximized."""
        return self._state

    @property
    def dragging(self) -> bool:
        """Say whether a person is moving or resizing the window now."""
        return self._drag is not None and self._drag.begun

    def open(self, state: State, *, hidden: bool, focus: bool) -> None:
        """Show the window for the first time, at its place and in its state."""
        self._activate_when_shown(active=focus)
        self._state = state
        if state == "maximized":
            self.setWindowState(Qt.WindowState.WindowMaximized)
        elif state == "minimized":
            self.setWindowState(Qt.WindowState.WindowMinimized)
        if not hidden:
            # The first reports of the window manager may name a place that is not the last.
            self._settle.start()
            self.show()
        self._activate_when_shown(active=True)

    def _activate_when_shown(self, *, active: bool) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not active)
        handle = self.windowHandle()
        if handle is not None:
            # Qt reads the attribute only when it makes the native window.
            handle.setProperty("_q_showWithoutActivating", not active)

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the window; one that is maximized or minimized goes there when it is restored."""
        bounds = self._limited(bounds)
        changed = bounds != self._bounds
        self._bounds = bounds
        if self._state == "normal":
            self._settle.start()
            self.setGeometry(rect_of(bounds))
        if changed:
            self.bounds_changed.emit(self.dragging)

    def set_state(self, state: State) -> None:
        """Minimize, maximize or restore the window."""
        if state == self._state and self.isVisible():
            return
        shown = {
            "normal": Qt.WindowState.WindowNoState,
            "minimized": Qt.WindowState.WindowMinimized,
            "maximized": Qt.WindowState.WindowMaximized,
        }[state]
        self.setWindowState(shown)
        if self.isVisible():
            self.show()
        else:
            self._state_is(state)

    def set_limits(self, smallest: tuple[int, int], largest: tuple[int | None, int | None]) -> None:
        """Set the smallest and the largest size."""
        self.setMinimumSize(max(1, smallest[0]), max(1, smallest[1]))
        self.setMaximumSize(largest[0] or _LARGEST, largest[1] or _LARGEST)

    def set_color(self, color: str) -> None:
        """Draw the border in another colour."""
        if QColor.isValidColorName(color):
            self._color = QColor(color)
            self.update()

    def bring_to_front(self) -> None:
        """Show the window above all others, with the focus."""
        if self._state == "minimized":
            self.set_state("normal")
        self.raise_()
        self.activateWindow()

    def remove(self) -> None:
        """Close the window without asking."""
        self._may_close = True
        self.close()

    def begin_move(self, pointer: QPoint) -> None:
        """Start to move the window with the pointer."""
        if not self.locked:
            self._drag = _Drag(pointer, self._bounds, frozenset())

    def begin_resize(self, pointer: QPoint, edges: frozenset[str]) -> None:
        """Start to resize the window with the pointer."""
        if edges and self._state == "normal" and not self.locked:
            self._drag = _Drag(pointer, self._bounds, edges, begun=True)

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        """Follow the pointer."""
        drag = self._drag
        if drag is None:
            return
        step = pointer - drag.pointer
        if not drag.begun:
            if step.manhattanLength() < _DRAG_START:
                return
            drag.begun = True
            if self._state == "maximized":
                self._leave_maximized(drag)
        if drag.edges:
            self.set_bounds(self._resized(drag, step))
            return
        start = drag.start
        self.set_bounds(Bounds(start.left + step.x(), start.top + step.y(), start.width, start.height))
        self._show_preview(alt=alt)

    def end_drag(self, *, alt: bool = False) -> None:
        """Put the window where it rests, and report that the drag has ended."""
        drag, self._drag = self._drag, None
        self._hide_preview()
        if drag is None or not drag.begun:
            return
        if not drag.edges:
            self.set_bounds(self.snap(self._bounds, alt))
        self._rest.stop()
        self.bounds_changed.emit(False)
        if not drag.edges:
            self.dropped.emit(alt)

    def edges_at(self, place: QPoint) -> frozenset[str]:
        """Return the edges that a press at a place of this window grabs."""
        if self.border <= 0 or self.locked or self._state != "normal":
            return frozenset()
        x, y, width, height = place.x(), place.y(), self.width(), self.height()
        if self.border <= x < width - self.border and self.border <= y < height - self.border:
            return frozenset()
        near = {
            "left": x < _CORNER if y < self.border or y >= height - self.border else x < self.border,
            "right": x >= width - (_CORNER if y < self.border or y >= height - self.border else self.border),
            "top": y < _CORNER if x < self.border or x >= width - self.border else y < self.border,
            "bottom": y >= height - (_CORNER if x < self.border or x >= width - self.border else self.border),
        }
        return frozenset(edge for edge, is_near in near.items() if is_near)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab an edge."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.begin_resize(event.globalPosition().toPoint(), self.edges_at(event.position().toPoint()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Resize, or show what a press would do."""
        if self._drag is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.drag_to(event.globalPosition().toPoint())
            return
        self.end_drag()
        shape = _CURSORS.get(self.edges_at(event.position().toPoint()))
        self.unsetCursor() if shape is None else self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a resize."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.end_drag()

    def leaveEvent(self, event: QEvent) -> None:
        """Show the usual pointer again."""
        self.unsetCursor()
        super().leaveEvent(event)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Notice a move that the window manager has made."""
        super().moveEvent(event)
        self._noticed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Notice a resize that the window manager has made."""
        super().resizeEvent(event)
        self._noticed()

    def changeEvent(self, event: QEvent) -> None:
        """Notice another state or focus."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            state = self.windowState()
            if state & Qt.WindowState.WindowMinimized:
                self._state_is("minimized")
            else:
                self._state_is("maximized" if state & Qt.WindowState.WindowMaximized else "normal")
        elif event.type() == QEvent.Type.ActivationChange:
            if self.isActiveWindow() and self._state == "minimized":
                # Qt does not notice every window that is shown again from outside.
                self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
            self.activated.emit(self.isActiveWindow())

    def showEvent(self, event: QShowEvent) -> None:
        """Report that the window is on the screen."""
        super().showEvent(event)
        if not event.spontaneous():
            self.visible_changed.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Report that the window is off the screen; a minimized window is not hidden."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.visible_changed.emit(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before the window closes, unless the platform has closed it."""
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_wanted.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the border."""
        if self.border > 0 and self._state != "maximized":
            QPainter(self).fillRect(self.rect(), self._color)

    def _noticed(self) -> None:
        if self._state != "normal" or self.dragging or self._settle.isActive() or not self.isVisible():
            return
        if self.windowState() & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowMinimized):
            return
        self._adopt()

    def _adopt(self) -> None:
        """Take the rectangle that the window manager has given the window."""
        if self._state != "normal" or self.dragging or not self.isVisible():
            return
        handle = self.windowHandle()
        if handle is None or not handle.isExposed():
            # While a window manager prepares a window that is not on the screen yet, the window may be anywhere.
            self._settle.start()
            return
        actual = bounds_of(self.geometry())
        if actual != bounds_of(rect_of(self._bounds)):
            self._bounds = actual
            self.bounds_changed.emit(True)
            self._rest.start()

    def _state_is(self, state: State) -> None:
        if state == self._state:
            return
        self._state = state
        margin = 0 if state == "maximized" else self.border
        self.content.setContentsMargins(margin, margin, margin, margin)
        if state == "normal":
            # The window manager has its own memory of the place; ours is exact.
            self._settle.start()
            self.setGeometry(rect_of(self._bounds))
        self.state_changed.emit(state)

    def _leave_maximized(self, drag: _Drag) -> None:
        """Restore a maximized window under the pointer, so that it can be dragged."""
        covered = self.geometry()
        share = (drag.pointer.x() - covered.x()) / max(1, covered.width())
        left = drag.pointer.x() - self._bounds.width * share
        drag.start = Bounds(round(left), covered.y(), self._bounds.width, self._bounds.height)
        self._bounds = drag.start
        self.set_state("normal")

    def _resized(self, drag: _Drag, step: QPoint) -> Bounds:
        result = drag.start
        smallest, largest = self.minimumSize(), self.maximumSize()
        moves = {"left": step.x(), "right": step.x(), "top": step.y(), "bottom": step.y()}
        for edge in drag.edges:
            sideways = edge in ("left", "right")
            start = result.width if sideways else result.height
            low, high = (smallest.width(), largest.width()) if sideways else (smallest.height(), largest.height())
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

    def _limited(self, bounds: Bounds) -> Bounds:
        smallest, largest = self.minimumSize(), self.maximumSize()
        return Bounds(
            bounds.left,
            bounds.top,
            min(max(bounds.width, smallest.width()), largest.width()),
            min(max(bounds.height, smallest.height()), largest.height()),
        )

    def _show_preview(self, *, alt: bool) -> None:
        target = self.snap(self._bounds, alt)
        if target == self._bounds:
            self._hide_preview()
            return
        if self._preview is None:
            self._preview = SnapPreview()
        self._preview.show_at(rect_of(target))

    def _hide_preview(self) -> None:
        if self._preview is not None:
            self._preview.close()
            self._preview = None

    def _timer(self, milliseconds: int, elapsed: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(elapsed)
        return timer
