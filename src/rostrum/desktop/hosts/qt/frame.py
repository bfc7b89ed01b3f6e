"""Frame: one native window without the system's decorations. It shows a cell, or the cells of a group.

The rectangle that the platform or a drag has set is authoritative. The position that Qt reports lags behind the window
manager, so it is adopted only when nobody here has asked for another place.
"""

from collections.abc import Callable
from itertools import count
from typing import Literal, Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QHideEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import CURSORS, Drag, MoveDrag, ResizeDrag, alt_held, bounds_of, edges_at, rect_of
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.windows.geometry import Bounds

__all__ = ["Frame", "FrameGroup"]

_Native = Literal["normal", "minimized", "maximized"]
"""The states that the window manager has."""
_SETTLE_MS = 400
"""How long the window manager may take to put a window where it was asked to."""
_REST_MS = 120
"""A window that has not moved for this long is at rest."""
_LARGEST = 16777215
_activations = count(1)
_SMALLEST_GROUP = 100


class FrameGroup(Protocol):
    """How the windows of a group share a frame."""

    @property
    def title(self) -> str:
        """Return what the taskbar shows."""
        ...

    def arrange(self) -> None:
        """Give each cell its place."""
        ...

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Fill what is between the cells."""
        ...

    def place_of(self, pane: Pane) -> Bounds:
        """Return where a window is in the normal state of the frame."""
        ...

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Put one window somewhere; the frame grows or shrinks with it."""
        ...

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return what a press at a place of the frame starts to drag."""
        ...

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return how the pointer looks at a place of the frame."""
        ...

    def double_click(self, place: QPoint) -> bool:
        """Say whether a double click at a place of the frame means something, and report it."""
        ...

    def tear(self, pane: Pane, pointer: QPoint) -> Drag | None:
        """Return a drag that takes a window out of the group."""
        ...


class Frame(QWidget):
    """A native window.

    Attributes:
        bounds_changed: Emitted with whether more changes follow at once, as in a drag.
        state_changed: Emitted with the new state.
        activated: Emitted with whether the window has the focus.
        visible_changed: Emitted with whether the window is on the screen.
        close_wanted: Emitted when a person or the window manager wants to close the window.
        dropped: Emitted at the end of a drag, with whether ALT was held down.
        snap: Returns where a window that is dragged to a place would rest; set by the owner.
        current_changed: Emitted when another window of the frame has the focus.
        cells: What it shows.
        group: How its cells share it; None for a frame with one cell.
        current: The pane that has or had the focus.
        last_active: Larger than that of every frame that has had the focus earlier.
        pointer: Where the pointer was at last in a drag.
        dragged: Emitted while a person moves or resizes the window.

    """

    bounds_changed = Signal(bool)
    state_changed = Signal(str)
    activated = Signal(bool)
    visible_changed = Signal(bool)
    close_wanted = Signal()
    dropped = Signal(bool)
    current_changed = Signal()
    dragged = Signal()

    def __init__(self, bounds: Bounds, *, tool: bool = False) -> None:
        """Prepare a window at a place; it is not shown."""
        kind = Qt.WindowType.Tool if tool else Qt.WindowType.Window
        super().__init__(None, kind | Qt.WindowType.FramelessWindowHint)
        self.setMouseTracking(True)
        self.snap: Callable[[Bounds, bool], Bounds] = lambda moving, _: moving
        self.cells: list[Cell] = []
        self.group: FrameGroup | None = None
        self.current: Pane | None = None
        self.last_active = next(_activations)
        self.pointer = QPoint()
        self._bounds = bounds
        self._state: _Native = "normal"
        self._collapsed: Bounds | None = None
        self._drag: Drag | None = None
        self._may_close = False
        self._is_asked_again = False
        self._settle = self._timer(_SETTLE_MS, self._adopt)
        self._rest = self._timer(_REST_MS, lambda: self.bounds_changed.emit(False))
        self.setGeometry(rect_of(bounds))

    def add_cell(self, cell: Cell) -> None:
        """Show a cell."""
        cell.setParent(self)
        self.cells.append(cell)
        cell.set_holder(self)
        if self.current is None:
            self.current = cell.shown
        self.refresh()
        cell.show()

    def remove_cell(self, cell: Cell) -> None:
        """Show a cell no more."""
        self.cells.remove(cell)
        cell.hide()
        cell.deleteLater()
        self._choose_current(cell)
        self.refresh()

    def give_cell_away(self, cell: Cell) -> None:
        """Show a cell no more, which another frame shows from now on."""
        self.cells.remove(cell)
        self._choose_current(cell)
        self.refresh()

    def _choose_current(self, left: Cell) -> None:
        if self.cells and (self.current is None or self.current.holder is not self or left.isAncestorOf(self.current)):
            self.current = self.cells[0].shown

    @property
    def locked(self) -> bool:
        """Say whether people cannot move and resize the frame: one of its windows is locked."""
        return any(pane.locked for cell in self.cells for pane in cell.panes)

    def focus_in(self, pane: Pane) -> None:
        """Notice that the focus is in a pane now."""
        if pane is not self.current:
            self.current = pane
            self.current_changed.emit()

    def refresh(self) -> None:
        """Use the title, the icon, the limits and the border of what is shown."""
        # Another size because of limits is reported by ``set_bounds``, at once, and not as a change from outside.
        self._settle.start()
        for cell in self.cells:
            cell.refresh()
        if self.group is not None:
            self.setWindowTitle(self.group.title)
            self.setMinimumSize(_SMALLEST_GROUP, _SMALLEST_GROUP)
            self.setMaximumSize(_LARGEST, _LARGEST)
        elif self.cells:
            pane = self.cells[0].shown
            title = self.cells[0].title
            self.setWindowTitle(pane.title if title is None else title)
            self.setMinimumSize(max(1, pane.smallest[0]), 1 if self._collapsed else max(1, pane.smallest[1]))
            self.setMaximumSize(pane.largest[0] or _LARGEST, pane.largest[1] or _LARGEST)
        if self.cells:
            self.setWindowIcon(self.cells[0].shown.icon)
        self.arrange()

    def arrange(self) -> None:
        """Give each cell its place."""
        if self.group is not None:
            self.group.arrange()
            return
        for cell in self.cells:
            cell.setGeometry(self.rect())

    def place_of(self, pane: Pane) -> Bounds:
        """Return where a window is in the normal state of the frame."""
        return self._bounds if self.group is None else self.group.place_of(pane)

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Put a window somewhere."""
        if self.group is None:
            self.set_bounds(bounds)
        else:
            self.group.put(pane, bounds)

    @property
    def border(self) -> int:
        """Return how wide the edges are by which the window is resized."""
        return max((cell.border for cell in self.cells), default=0)

    def place(self, bounds: Bounds) -> None:
        """Give a window that is not shown yet its place."""
        self._bounds = bounds
        self.setGeometry(rect_of(bounds))
        self.refresh()

    @property
    def bounds(self) -> Bounds:
        """Return the rectangle of the window in its normal state."""
        return self._bounds

    @property
    def state(self) -> WindowState:
        """Return normal, minimized, maximized or collapsed."""
        return "collapsed" if self._collapsed is not None else self._state

    @property
    def dragging(self) -> bool:
        """Say whether a person is moving or resizing the window now."""
        return self._drag is not None and self._drag.begun

    def follows(self, drag: Drag) -> bool:
        """Say whether this drag follows the pointer now, or waits for its first move."""
        return self._drag is drag

    def open(self, state: WindowState, *, hidden: bool, focus: bool) -> None:
        """Show the window for the first time, at its place and in its state."""
        self._activate_when_shown(active=focus)
        if state == "collapsed":
            self.set_state("collapsed")
        else:
            self._state = state
        if state == "maximized":
            self.setWindowState(Qt.WindowState.WindowMaximized)
            self._show_borders()
        elif state == "minimized":
            self.setWindowState(Qt.WindowState.WindowMinimized)
        if not hidden:
            # The first reports of the window manager may name a place that is not the last.
            self._settle.start()
            self.show()
        self._activate_when_shown(active=True)

    def show_again(self, *, focus: bool) -> None:
        """Show a window that was hidden."""
        self._activate_when_shown(active=focus)
        # As when it is shown for the first time.
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

    def set_state(self, state: WindowState) -> None:
        """Minimize, maximize, collapse or restore the window."""
        if state == self.state:
            return
        if state == "collapsed":
            self._set_native_state("normal")
            self._collapsed = self._bounds
            # First the state: the height before it is the one to which the window expands.
            self.state_changed.emit("collapsed")
            self.setMinimumHeight(1)
            height = max((cell.bar_height for cell in self.cells), default=1)
            self.set_bounds(Bounds(self._bounds.left, self._bounds.top, self._bounds.width, height))
            return
        if self._collapsed is not None:
            before, self._collapsed = self._collapsed, None
            self.refresh()
            self.set_bounds(Bounds(self._bounds.left, self._bounds.top, before.width, before.height))
            if state == "normal":
                self.state_changed.emit("normal")
        self._set_native_state(state)

    def set_on_top(self, *, on_top: bool) -> None:
        """Keep the window above all others, or no longer."""
        handle = self.windowHandle()
        if handle is None:
            self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)
        else:
            # On the native window itself: flags of the widget would close it and open it again.
            handle.setFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)

    def set_modal(self, *, modal: bool) -> None:
        """Let the window hold up the others, or no longer."""
        handle = self.windowHandle()
        if handle is not None:
            handle.setModality(Qt.WindowModality.ApplicationModal if modal else Qt.WindowModality.NonModal)

    def flash(self, *, on: bool) -> None:
        """Draw attention to the window in the taskbar, or no longer."""
        QApplication.alert(self, 0 if on else 1)

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

    def begin_drag(self, drag: Drag) -> None:
        """Let a drag follow the pointer from now on."""
        if not self.locked:
            self._drag = drag

    def begin_move(self, pointer: QPoint, pane: Pane | None = None) -> None:
        """Start to move the window with the pointer; a pane of a group is taken out of it."""
        drag: Drag | None = None
        if pane is not None and self.group is not None:
            pane.setFocus()
            drag = self.group.tear(pane, pointer)
        self.begin_drag(drag or MoveDrag(self, pointer))

    def start_system_move(self) -> None:
        """Let the window manager move the window with the pointer."""
        handle = self.windowHandle()
        if handle is not None and not self.locked:
            handle.startSystemMove()

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        """Follow the pointer."""
        self.pointer = pointer
        if self._drag is not None:
            self._drag.to(pointer, alt=alt)
            self.dragged.emit()

    def end_drag(self, *, alt: bool = False) -> None:
        """End a drag, if there is one."""
        drag, self._drag = self._drag, None
        if drag is not None and drag.begun:
            drag.end(alt=alt)

    def leave_maximized(self, pointer: QPoint) -> None:
        """Restore a maximized window under the pointer, so that it can be dragged."""
        if self._state != "maximized":
            return
        covered = self.geometry()
        share = (pointer.x() - covered.x()) / max(1, covered.width())
        left = pointer.x() - self._bounds.width * share
        self._bounds = Bounds(round(left), covered.y(), self._bounds.width, self._bounds.height)
        self.set_state("normal")

    def rest(self) -> None:
        """Report that the window is at rest."""
        self._rest.stop()
        self.bounds_changed.emit(False)

    def drop(self, *, alt: bool) -> None:
        """Report that the window was dropped."""
        self.dropped.emit(alt)

    def _drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        if self.locked or self._state != "normal":
            return None
        if self.group is not None:
            return self.group.drag_at(place, pointer)
        edges = edges_at(place, self.size(), self.border)
        return ResizeDrag(self, pointer, edges, self.minimumSize(), self.maximumSize()) if edges else None

    def _cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        if self.locked or self._state != "normal":
            return None
        if self.group is not None:
            return self.group.cursor_at(place)
        return CURSORS.get(edges_at(place, self.size(), self.border))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab an edge."""
        if event.button() == Qt.MouseButton.LeftButton:
            drag = self._drag_at(event.position().toPoint(), event.globalPosition().toPoint())
            if drag is not None:
                self.begin_drag(drag)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let the group align its windows, or grab an edge again."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        if self.group is None or not is_left or not self.group.double_click(event.position().toPoint()):
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer, or show what a press would do."""
        if self._drag is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.drag_to(event.globalPosition().toPoint(), alt=alt_held(event))
            return
        self.end_drag(alt=alt_held(event))
        shape = self._cursor_at(event.position().toPoint())
        self.unsetCursor() if shape is None else self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a resize."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.end_drag(alt=alt_held(event))

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
        self.arrange()
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
            if self.isActiveWindow():
                self.last_active = next(_activations)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the gaps of a group."""
        if self.group is not None:
            self.group.paint(QPainter(self), event.rect())

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
        actual, wanted = bounds_of(self.geometry()), rect_of(self._bounds)
        if (actual.left, actual.top) == (0, 0) != (wanted.x(), wanted.y()) and not self._is_asked_again:
            # On a busy machine, Qt may take the place inside the frame of the window manager for the place on the
            # desktop, and keep that. The window manager then states the place once more.
            self._is_asked_again = True
            self._settle.start()
            self.setGeometry(wanted)
            return
        self._is_asked_again = False
        if actual != bounds_of(wanted):
            self._bounds = actual
            self.bounds_changed.emit(True)
            self._rest.start()

    def _set_native_state(self, state: _Native) -> None:
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

    def _state_is(self, state: _Native) -> None:
        if state == self._state:
            return
        self._state = state
        self._show_borders()
        if state == "normal":
            # The window manager has its own memory of the place; ours is exact.
            self._settle.start()
            self.setGeometry(rect_of(self._bounds))
        self.state_changed.emit(state)

    def _show_borders(self) -> None:
        for cell in self.cells:
            cell.show_border(shown=self._state != "maximized" or self.group is not None)

    def _limited(self, bounds: Bounds) -> Bounds:
        smallest, largest = self.minimumSize(), self.maximumSize()
        return Bounds(
            bounds.left,
            bounds.top,
            min(max(bounds.width, smallest.width()), largest.width()),
            min(max(bounds.height, smallest.height()), largest.height()),
        )

    def _timer(self, milliseconds: int, elapsed: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(elapsed)
        return timer
