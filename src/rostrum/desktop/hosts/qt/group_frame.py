"""A group of windows in one frame: the arrangement of its cells, its header, and its gaps."""

from collections.abc import Iterable, Mapping
from typing import get_args

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QRegion
from shiboken6 import isValid

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import Drag, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.group_drags import TearDrag
from rostrum.desktop.hosts.qt.group_edges import GroupEdges
from rostrum.desktop.hosts.qt.group_header import HEADER, GroupHeader
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.web_group import WebGroup
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.hosts.reports import BorderDoubleClicked, GroupRetitled
from rostrum.desktop.windows.geometry import Bounds, Side, box, screen_of
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.resize import fitted
from rostrum.desktop.windows.snapping import drop


class GroupFrame(QObject):
    """A group on the screen.

    The bounds of its windows are relative to the frame, so that they move with it.
    """

    def __init__(self, drawing: GroupDrawing, first: FramedWindow, shared: Shared) -> None:
        """Create a group from the frame of its first window, which does not move."""
        super().__init__()
        self._drawing = drawing
        self._shared = shared
        self._frame = first.frame
        self._windows = {first.instance: first}
        self._places = {first.instance: drawing.windows[first.instance]}
        self._left: dict[Cell, str] = {}
        """The cells whose visible window has left, until the next drawing names the next tab."""
        self._edges = GroupEdges(self)
        self._header = GroupHeader(self._frame, shared, self._title_entered)
        self._web: WebGroup | None = None
        self._top = 0
        self._is_drawing = False
        self._frame.group = self
        self._frame.snap = self._snapped
        self._frame.state_changed.connect(self._state_changed)
        self._frame.settled.connect(self._keep_title_bar)

    @property
    def frame(self) -> Frame:
        """Return the native window."""
        return self._frame

    @property
    def windows(self) -> Mapping[str, FramedWindow]:
        """Return the visible windows, by instance."""
        return self._windows

    @property
    def drawing(self) -> GroupDrawing:
        """Return the last drawing of the platform."""
        return self._drawing

    @property
    def title(self) -> str:
        """Return the title for the taskbar."""
        return self._drawing.title

    @property
    def _header_height(self) -> int:
        if self._web is not None and self._web.is_active:
            return self._web.header
        return 0 if self._drawing.header is None else HEADER

    def draw(self, drawing: GroupDrawing, members: Mapping[str, FramedWindow]) -> None:
        """Show these windows as drawn; other windows leave."""
        places = {name: drawing.windows[name] for name in members}
        leaving = {
            name: window
            for name, window in self._windows.items()
            if name not in members and window.frame is self._frame
        }
        before = {name: window.bounds for name, window in {**members, **leaving}.items()}
        self._is_drawing = True
        has_visible = any(window.frame.isVisible() for window in members.values())
        for name, window in members.items():
            if name not in self._windows:
                covered = next((one for one in leaving if rect_of(before[one]) == rect_of(places[name])), None)
                self._join(window, None if covered is None else leaving[covered])
        staying = {window.cell for window in members.values()}
        leaving = {name: window for name, window in leaving.items() if window.cell not in staying}
        hidden = {name for name, window in leaving.items() if window.cell.isHidden()}
        for window in leaving.values():
            # Windows that leave do not follow later moves of the frame.
            window.detach()
            window.cell.hide()
        self._drawing = drawing
        self._windows = dict(members)
        self._left.clear()
        self._frame.set_decorated(decorated=drawing.system_buttons)
        self._use_page()
        self._show_header()
        self._top = self._header_height
        self._frame.refresh()
        self._is_drawing = False
        self._put(places, self._frame_around(places))
        # After this frame has moved: windows shown below it sometimes stayed empty.
        for name, window in leaving.items():
            window.move_out(before[name], visible=name not in hidden)
        if all(cell.isHidden() for cell in self._frame.cells):
            self._frame.hide()
        elif has_visible and not self._frame.isVisible():
            self._frame.show_again(focus=False)
        for name, window in members.items():
            if window.bounds != before[name]:
                window.report_bounds()

    def place(self, windows: Mapping[str, Bounds]) -> None:
        """Set the bounds of the windows, for a drag or the platform."""
        whole = box(windows.values())
        bounds = Bounds(whole.left, whole.top - self._top, whole.width, whole.height + self._top)
        if bounds == self._frame.bounds:
            self._put(windows, bounds)
            self._frame.bounds_changed.emit(self._frame.dragging)
        else:
            self._put(windows, bounds)

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Set the bounds of one window; the frame is resized with it."""
        name = next((name for name, window in self._windows.items() if window.pane is pane), None)
        if name is not None:
            self.place({**self.places(), name: bounds})

    def rest(self) -> None:
        """Report the final bounds of the windows."""
        self._frame.rest()

    def place_of(self, pane: Pane) -> Bounds:
        """Return the bounds of a window in the normal state of the frame; hidden tabs have those of the visible one."""
        name = next((name for name, cell in self._cells() if cell is pane.parentWidget()), None)
        return self._frame.bounds if name is None else self.places()[name]

    def _cells(self) -> list[tuple[str, Cell]]:
        """Return the cells, by their window."""
        left = [(name, cell) for cell, name in self._left.items() if cell in self._frame.cells]
        return [*((name, window.cell) for name, window in self._windows.items()), *left]

    def places(self) -> dict[str, Bounds]:
        """Return the bounds of the visible windows."""
        origin = self._frame.bounds
        return _moved(self.local_places(), origin.left, origin.top)

    def forget(self, window: FramedWindow) -> None:
        """Remove a window that was closed or moved to another frame."""
        if self._windows.get(window.instance) is not window:
            return
        # Other windows keep their bounds until the next drawing, and so do hidden tabs.
        self._places = self.local_places()
        if len(window.cell.panes) > 1:
            self._left[window.cell] = window.instance
        del self._windows[window.instance]
        if not self._windows:
            self._close_page()
            self._leave_frame()
            self.deleteLater()

    def dissolve(self) -> None:
        """Give each window its own frame; the first one keeps this frame."""
        places = self.places()
        hidden = {name for name, window in self._windows.items() if window.cell.isHidden()}
        (name, first), *others = sorted(self._windows.items(), key=lambda one: one[0] in hidden)
        if name in hidden:
            self._frame.hide()
            first.cell.show()
        for _, window in others:
            window.detach()
            window.cell.hide()
        self._is_drawing = True
        self._leave_frame()
        self._header.remove()
        self._close_page()
        self._frame.clearMask()
        first.use_own_snapping()
        self._frame.current = first.pane
        kept = first.cell
        self._frame.cells.sort(key=lambda cell: cell is not kept)
        self._frame.refresh()
        # Set the bounds first: a minimized frame is mapped there immediately.
        self._frame.set_bounds(places[name])
        self._frame.set_state("normal")
        for other, window in others:
            window.move_out(places[other], visible=other not in hidden)
        self.deleteLater()

    def _leave_frame(self) -> None:
        self._frame.group = None
        if not isValid(self._frame):
            return
        self._frame.state_changed.disconnect(self._state_changed)
        self._frame.settled.disconnect(self._keep_title_bar)
        self._frame.set_decorated(decorated=False)

    def set_look(self, look: Look) -> None:
        """Draw the header in other colours."""
        self._header.set_look(look)
        self.arrange()

    def arrange(self) -> None:
        """Arrange the header and the cells."""
        if self._is_drawing:
            return
        size, whole = self._frame.size(), rect_of(self._frame.bounds).size()
        places = self.local_places()
        if size != whole:
            # Maximized, or resized by the window manager: shown with this size, which is not stored.
            room = Bounds(0, self._top, max(1, size.width()), max(1, size.height() - self._top))
            places = fitted(places, self._drawing.edge, room)
        self._header.arrange()
        for name, cell in self._cells():
            if self._web is None or not self._web.is_active:
                cell.setGeometry(rect_of(places[name]))
        if self._web is not None:
            # The page does not draw windows of programs, which have their own caption bars.
            pages = {name: one for name, one in self._windows.items() if isinstance(one, AppWindow)}
            self._web.draw(self._drawing, pages, places)
        self._cut_out(places.values())

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Fill the gaps."""
        color = self._drawing.background
        painter.fillRect(area, QColor(color) if QColor.isValidColorName(color) else Qt.GlobalColor.black)

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return the drag that a press at a position of the frame starts."""
        return self._edges.drag_at(place, pointer)

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return the cursor for a position of the frame."""
        return self._edges.cursor_at(place)

    def double_click(self, place: QPoint) -> bool:
        """Report a double click on an outer border."""
        sides = self._edges.sides_at(place)
        for side in get_args(Side):
            if side in sides and self._frame.state == "normal" and not self._frame.locked:
                self._shared.platform.report(BorderDoubleClicked(group=self._drawing.id, side=side))
        return bool(sides)

    def tear(self, pane: Pane, pointer: QPoint) -> Drag | None:
        """Return a drag that takes a window out of the group."""
        window = next((one for one in self._windows.values() if one.pane is pane), None)
        if window is None or len(self._windows) == 1:
            return None

        def take_out() -> Frame:
            bounds = window.bounds
            self.forget(window)
            return window.tear_out(bounds)

        return TearDrag(self._frame, pointer, take_out, window.report_torn_out, self._drawing.unlock)

    def _join(self, window: FramedWindow, covered: FramedWindow | None) -> None:
        if window.frame is self._frame:
            # A hidden tab.
            window.cell.select(window.pane)
        elif covered is not None:
            window.become_tab(self._frame, covered.cell)
            covered.cell.select(window.pane)
        else:
            window.move_to(self._frame)

    def _put(self, windows: Mapping[str, Bounds], frame: Bounds) -> None:
        whole = box(windows.values())
        self._places = _moved(windows, -whole.left, self._top - whole.top)
        self._frame.set_bounds(frame)
        self.arrange()

    def local_places(self) -> dict[str, Bounds]:
        """Return the bounds of the visible windows relative to the frame in its normal state."""
        bounds = self._frame.bounds
        room = Bounds(0, self._top, bounds.width, max(1, bounds.height - self._top))
        if box(self._places.values()) != room and self._places.keys() == self._windows.keys():
            self._places = fitted(self._places, self._drawing.edge, room)
        return self._places

    def _frame_around(self, windows: Mapping[str, Bounds]) -> Bounds:
        """Return the bounds of the frame around windows; its header or title bar must not be above the screen."""
        whole = box(windows.values())
        frame = Bounds(whole.left, whole.top - self._top, whole.width, whole.height + self._top)
        area, title_bar = screen_of(frame, self._shared.screens).work_area, self._frame.title_bar
        if (self._drawing.header is None and not title_bar) or frame.top - title_bar >= area.top:
            return frame
        return Bounds(frame.left, area.top + title_bar, frame.width, min(frame.height, area.height - title_bar))

    def _keep_title_bar(self) -> None:
        """Move down a frame whose title bar is above the screen."""
        frame = self._frame_around(self.places())
        if self._frame.title_bar and frame.top > self._frame.bounds.top:
            self._frame.set_bounds(frame)

    def _use_page(self) -> None:
        """Let the page of the drawing draw the group; a failed page is not loaded again."""
        page = self._drawing.page
        if self._web is not None and self._web.wanted != page:
            self._close_page()
        if self._web is None and page is not None:
            self._web = WebGroup(self._drawing.id, page, self._frame, self._shared, self._title_entered)
            self._web.changed.connect(self._page_changed)

    def _close_page(self) -> None:
        if self._web is not None:
            self._web.close()
            self._web.deleteLater()
            self._web = None

    def _page_changed(self) -> None:
        """Adapt to another height of the header; the windows do not move."""
        self._show_header()
        if self._top == self._header_height:
            self.arrange()
            return
        places = self.places()
        self._top = self._header_height
        self._put(places, self._frame_around(places))

    def _show_header(self) -> None:
        header = self._drawing.header
        if header is None or (self._web is not None and self._web.is_active):
            self._header.remove()
        else:
            self._header.show(header, system_buttons=self._drawing.system_buttons)

    def _cut_out(self, places: Iterable[Bounds]) -> None:
        """Make unfilled gaps transparent."""
        every = list(places)
        if self._drawing.filled or len(every) < 2:
            self._frame.clearMask()
            return
        region = QRegion(0, 0, self._frame.width(), self._top)
        for one in every:
            region = region.united(QRegion(rect_of(one)))
        self._frame.setMask(region)

    def _snapped(self, moving: Bounds, alt: bool) -> Bounds:  # noqa: FBT001 - called by a drag
        request = next(iter(self._windows.values())).request
        rules = request.snapping_with_alt if alt else request.snapping
        if rules is None:
            return moving
        area = screen_of(moving, self._shared.screens).work_area
        target = drop(moving, self._shared.neighbours(self._frame), area, rules)
        # A group keeps its size when it snaps to another window.
        return Bounds(target.left, target.top, moving.width, moving.height)

    def _state_changed(self, state: str) -> None:
        self._header.set_maximized(maximized=state == "maximized")
        if self._web is not None:
            self.arrange()

    def _title_entered(self, title: str) -> None:
        if self._drawing.header is None or not self._drawing.header.editable or title == self._drawing.title:
            return
        self._shared.platform.report(GroupRetitled(group=self._drawing.id, title=title))


def _moved(windows: Mapping[str, Bounds], across: float, down: float) -> dict[str, Bounds]:
    return {name: Bounds(one.left + across, one.top + down, one.width, one.height) for name, one in windows.items()}
