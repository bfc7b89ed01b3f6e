"""A native window that shows a cell or the cells of a group, and handles drags."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import CURSORS, Drag, MoveDrag, ResizeDrag, alt_held, edges_at
from rostrum.desktop.hosts.qt.native_frame import NativeFrame
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.windows.geometry import Bounds

_LARGEST = 16777215
_SMALLEST_GROUP = 100


class FrameGroup(Protocol):
    """How the windows of a group share a frame."""

    @property
    def title(self) -> str:
        """Return the title for the taskbar."""
        ...

    def arrange(self) -> None:
        """Give each cell its place."""
        ...

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Fill the gaps between the cells."""
        ...

    def place_of(self, pane: Pane) -> Bounds:
        """Return the bounds of a window in the normal state of the frame."""
        ...

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Set the bounds of one window; the frame is resized with it."""
        ...

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return the drag that a press at a position of the frame starts."""
        ...

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return the cursor for a position of the frame."""
        ...

    def double_click(self, place: QPoint) -> bool:
        """Return whether a double click at a position of the frame has an effect, and report it."""
        ...

    def tear(self, pane: Pane, pointer: QPoint) -> Drag | None:
        """Return a drag that takes a window out of the group."""
        ...


class Frame(NativeFrame):
    """A native window and its contents.

    Attributes:
        dropped: Emitted at the end of a drag, with whether ALT was held down.
        snap: Returns the snapped bounds for a dragged window; set by the owner.
        current_changed: Emitted when another window of the frame has the focus.
        cells: Its contents.
        group: The arrangement of its cells; None for a frame with one cell.
        current: The pane that has the focus, or had it last.
        pointer: The last position of the pointer in a drag.
        dragged: Emitted while the user moves or resizes the window.
    """

    dropped = Signal(bool)
    current_changed = Signal()
    dragged = Signal()

    def __init__(self, bounds: Bounds, *, tool: bool = False) -> None:
        """Prepare a hidden window with the given bounds."""
        super().__init__(bounds, tool=tool)
        self.setMouseTracking(True)
        self.cells: list[Cell] = []
        self.group: FrameGroup | None = None
        self._is_on_top = False
        self._drag: Drag | None = None
        self.snap: Callable[[Bounds, bool], Bounds] = lambda moving, _: moving
        self.current: Pane | None = None
        self.pointer = QPoint()

    def add_cell(self, cell: Cell) -> None:
        """Add a cell."""
        cell.setParent(self)
        self.cells.append(cell)
        cell.set_holder(self)
        if self.current is None:
            self.current = cell.shown
        self.refresh()
        cell.show()

    def remove_cell(self, cell: Cell) -> None:
        """Remove a cell."""
        self.cells.remove(cell)
        cell.hide()
        cell.deleteLater()
        self._choose_current(cell)
        self.refresh()

    def give_cell_away(self, cell: Cell) -> None:
        """Remove a cell that another frame shows from now on."""
        self.cells.remove(cell)
        # The page that draws a group does not exist in the other frame.
        cell.set_bare(bare=False)
        cell.tab_index_at = None
        self._choose_current(cell)
        self.refresh()

    def _choose_current(self, left: Cell) -> None:
        if self.cells and (self.current is None or self.current.holder is not self or left.isAncestorOf(self.current)):
            self.current = self.cells[0].shown

    @property
    def locked(self) -> bool:
        """Return whether users cannot move and resize the frame, because one of its windows is locked."""
        return any(pane.locked for cell in self.cells for pane in cell.panes)

    def focus_in(self, pane: Pane) -> None:
        """Handle that a pane got the focus."""
        if pane is not self.current:
            self.current = pane
            self.current_changed.emit()

    def refresh(self) -> None:
        """Apply the title, icon, size limits and border of the contents."""
        # If limits change the size, ``set_bounds`` reports it immediately, not as an external change.
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
        self._keep_on_top()
        if self.cells:
            self.setWindowIcon(self.cells[0].shown.icon)
        self.arrange()

    def _keep_on_top(self) -> None:
        """Stay on top if a window requires it; in a group, only if it requires it there as well."""
        panes = [pane for cell in self.cells for pane in cell.panes]
        is_shared = self.group is not None or len(panes) > 1
        on_top = any(pane.on_top_grouped if is_shared else pane.on_top for pane in panes)
        if on_top is not self._is_on_top:
            self._is_on_top = on_top
            self.set_on_top(on_top=on_top)

    def arrange(self) -> None:
        """Give each cell its place."""
        if self.group is not None:
            self.group.arrange()
            return
        for cell in self.cells:
            cell.setGeometry(self.rect())

    def place_of(self, pane: Pane) -> Bounds:
        """Return the bounds of a window in the normal state of the frame."""
        return self._bounds if self.group is None else self.group.place_of(pane)

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Set the bounds of a window."""
        if self.group is None:
            self.set_bounds(bounds)
        else:
            self.group.put(pane, bounds)

    @property
    def border(self) -> int:
        """Return the width of the edges by which the window is resized."""
        return max((cell.border for cell in self.cells), default=0)

    @property
    def dragging(self) -> bool:
        """Return whether the user is moving or resizing the window."""
        return self._drag is not None and self._drag.begun

    def follows(self, drag: Drag) -> bool:
        """Return whether this drag is active, or waits for its first move."""
        return self._drag is drag

    def begin_drag(self, drag: Drag) -> None:
        """Start a drag."""
        if not self.locked:
            self._drag = drag

    def begin_move(self, pointer: QPoint, pane: Pane | None = None) -> None:
        """Start to move the window with the pointer; a pane of a group is torn out of it."""
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
        """End the active drag, if any."""
        drag, self._drag = self._drag, None
        if drag is not None and drag.begun:
            drag.end(alt=alt)

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
        """Let the group align its windows, or start to drag an edge."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        if self.group is None or not is_left or not self.group.double_click(event.position().toPoint()):
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer, or update the cursor."""
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
        """Restore the default cursor."""
        self.unsetCursor()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the gaps of a group."""
        if self.group is not None:
            self.group.paint(QPainter(self), event.rect())

    def _show_borders(self) -> None:
        for cell in self.cells:
            cell.show_border(shown=self._state != "maximized" or self.group is not None)

    def _collapsed_height(self) -> int:
        return max((cell.bar_height for cell in self.cells), default=1)
