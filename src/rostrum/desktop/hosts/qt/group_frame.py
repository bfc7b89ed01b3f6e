"""GroupFrame: a group of windows in one frame: where its cells are, its header, and what fills the gaps."""

from collections.abc import Iterable, Mapping
from typing import get_args

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QRegion

from rostrum.desktop.hosts.qt.caption import HEIGHT, CaptionBar
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import CURSORS, Drag, edges_at, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.group_drags import BorderDrag, EdgeDrag, TearDrag
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.pane import BORDER, Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.web_group import WebGroup
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.hosts.reports import BorderDoubleClicked, GroupRetitled
from rostrum.desktop.windows.geometry import Bounds, Side, box, screen_of
from rostrum.desktop.windows.groups import GroupDrawing, WindowGroup
from rostrum.desktop.windows.resize import SharedEdge, fitted, is_open, shared_edges
from rostrum.desktop.windows.snapping import drop

__all__ = ["GroupFrame"]

_HEADER = HEIGHT + BORDER
"""The header, and the border above it by which the group is resized."""


class GroupFrame(QObject):
    """One group on the screen.

    The places of its windows are relative to the frame, so that they follow when the frame moves.
    """

    def __init__(self, drawing: GroupDrawing, first: FramedWindow, shared: Shared) -> None:
        """Make a group of the frame of its first window, which stays where it is."""
        super().__init__()
        self._drawing = drawing
        self._shared = shared
        self._frame = first.frame
        self._windows = {first.instance: first}
        self._places = {first.instance: drawing.windows[first.instance]}
        self._left: dict[Cell, str] = {}
        """The cells whose window in sight has left them, until the next drawing names the tab that follows."""
        self._header: CaptionBar | None = None
        self._web: WebGroup | None = None
        self._top = 0
        self._is_drawing = False
        self._frame.group = self
        self._frame.snap = self._snapped
        self._frame.state_changed.connect(self._state_changed)

    @property
    def frame(self) -> Frame:
        """Return the native window."""
        return self._frame

    @property
    def windows(self) -> Mapping[str, FramedWindow]:
        """Return the windows in sight, by instance."""
        return self._windows

    @property
    def title(self) -> str:
        """Return what the taskbar shows."""
        return self._drawing.title

    @property
    def _header_height(self) -> int:
        if self._web is not None and self._web.is_active:
            return self._web.header
        return 0 if self._drawing.header is None else _HEADER

    def draw(self, drawing: GroupDrawing, members: Mapping[str, FramedWindow]) -> None:
        """Show these windows at the places of a drawing; others leave."""
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
            # Other places of the frame are none of the windows that leave it.
            window.detach()
            window.cell.hide()
        self._drawing = drawing
        self._windows = dict(members)
        self._left.clear()
        self._use_page()
        self._show_header()
        self._top = self._header_height
        self._frame.refresh()
        self._is_drawing = False
        self._put(places, self._frame_around(places))
        # When this frame is at its new place: windows that were shown below it sometimes stayed empty.
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
        """Put the windows somewhere, as a drag or the platform wants."""
        whole = box(windows.values())
        bounds = Bounds(whole.left, whole.top - self._top, whole.width, whole.height + self._top)
        if bounds == self._frame.bounds:
            self._put(windows, bounds)
            self._frame.bounds_changed.emit(self._frame.dragging)
        else:
            self._put(windows, bounds)

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Put one window somewhere; the frame grows or shrinks with it."""
        name = next((name for name, window in self._windows.items() if window.pane is pane), None)
        if name is not None:
            self.place({**self.places(), name: bounds})

    def rest(self) -> None:
        """Report that the windows are at rest."""
        self._frame.rest()

    def place_of(self, pane: Pane) -> Bounds:
        """Return where a window is in the normal state of the frame; tabs behind another one are where that one is."""
        name = next((name for name, cell in self._cells() if cell is pane.parentWidget()), None)
        return self._frame.bounds if name is None else self.places()[name]

    def _cells(self) -> list[tuple[str, Cell]]:
        """Return the cells, by the window whose place they have."""
        left = [(name, cell) for cell, name in self._left.items() if cell in self._frame.cells]
        return [*((name, window.cell) for name, window in self._windows.items()), *left]

    def places(self) -> dict[str, Bounds]:
        """Return where all windows in sight are."""
        origin = self._frame.bounds
        return _moved(self._current(), origin.left, origin.top)

    def forget(self, window: FramedWindow) -> None:
        """Show a window no more: it is closed, or in another frame."""
        if self._windows.get(window.instance) is not window:
            return
        # Others keep their places until the next drawing; so do the tabs behind a window.
        self._places = self._current()
        if len(window.cell.panes) > 1:
            self._left[window.cell] = window.instance
        del self._windows[window.instance]
        if not self._windows:
            self._close_page()
            self._frame.group = None
            self.deleteLater()

    def dissolve(self) -> None:
        """Give each window a frame of its own; the first one keeps this frame."""
        places = self.places()
        self._frame.set_state("normal")
        hidden = {name for name, window in self._windows.items() if window.cell.isHidden()}
        (name, first), *others = sorted(self._windows.items(), key=lambda one: one[0] in hidden)
        if name in hidden:
            self._frame.hide()
            first.cell.show()
        for _, window in others:
            window.detach()
            window.cell.hide()
        self._is_drawing = True
        self._frame.group = None
        self._frame.state_changed.disconnect(self._state_changed)
        self._remove_header()
        self._close_page()
        self._frame.clearMask()
        first.use_own_snapping()
        self._frame.current = first.pane
        kept = first.cell
        self._frame.cells.sort(key=lambda cell: cell is not kept)
        self._frame.refresh()
        self._frame.set_bounds(places[name])
        for other, window in others:
            window.move_out(places[other], visible=other not in hidden)
        self.deleteLater()

    def set_look(self, look: Look) -> None:
        """Draw the header in other colours."""
        if self._header is not None:
            self._header.set_look(look)
        self.arrange()

    def arrange(self) -> None:
        """Give the header and each cell their place."""
        if self._is_drawing:
            return
        size, whole = self._frame.size(), rect_of(self._frame.bounds).size()
        places = self._current()
        if size != whole:
            # Maximized, or the window manager has another size in mind: shown so, but not remembered.
            room = Bounds(0, self._top, max(1, size.width()), max(1, size.height() - self._top))
            places = fitted(places, self._drawing.edge, room)
        if self._header is not None:
            self._header.setGeometry(BORDER, BORDER, size.width() - 2 * BORDER, HEIGHT)
        for name, cell in self._cells():
            if self._web is None or not self._web.is_active:
                cell.setGeometry(rect_of(places[name]))
        if self._web is not None:
            # The page knows nothing of windows of programs, which have caption bars of their own.
            pages = {name: one for name, one in self._windows.items() if isinstance(one, AppWindow)}
            self._web.draw(self._drawing, pages, places)
        self._cut_out(places.values())

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Fill the gaps."""
        color = self._drawing.background
        painter.fillRect(area, QColor(color) if QColor.isValidColorName(color) else Qt.GlobalColor.black)

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return what a press at a place of the frame starts to drag."""
        (held, sides), edge = self._border_at(place), self._edge_at(place)
        if sides:
            before = WindowGroup(
                id=self._drawing.id, type=self._drawing.type, windows=self.places(), edge=self._drawing.edge
            )
            alone = held if self._drawing.resize_alone else None
            return BorderDrag(self, pointer, before, sides, way=self._drawing.resize, alone=alone)
        if edge is None:
            return None
        smallest = {name: window.pane.smallest for name, window in self._windows.items()}
        return EdgeDrag(self, pointer, self.places(), edge, smallest)

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return how the pointer looks at a place of the frame."""
        (_, sides), edge = self._border_at(place), self._edge_at(place)
        if sides or edge is None:
            return CURSORS.get(sides)
        return Qt.CursorShape.SplitHCursor if edge.sideways else Qt.CursorShape.SplitVCursor

    def double_click(self, place: QPoint) -> bool:
        """Report a double click on an outer border."""
        _, sides = self._border_at(place)
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
            # A tab that was behind another one.
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

    def _current(self) -> dict[str, Bounds]:
        """Return the places in the frame as large as it is in its normal state."""
        bounds = self._frame.bounds
        room = Bounds(0, self._top, bounds.width, max(1, bounds.height - self._top))
        if box(self._places.values()) != room and self._places.keys() == self._windows.keys():
            self._places = fitted(self._places, self._drawing.edge, room)
        return self._places

    def _frame_around(self, windows: Mapping[str, Bounds]) -> Bounds:
        """Return the frame around windows; it is moved down if its header would be above the screen."""
        whole = box(windows.values())
        frame = Bounds(whole.left, whole.top - self._top, whole.width, whole.height + self._top)
        area = screen_of(frame, self._shared.screens).work_area
        if self._drawing.header is None or frame.top >= area.top:
            return frame
        return Bounds(frame.left, area.top, frame.width, min(frame.height, area.height))

    def _use_page(self) -> None:
        """Let the page of the drawing draw the group; one that has failed is not loaded again."""
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
        """Make room for a header of another height; the windows stay where they are."""
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
            self._remove_header()
            return
        if self._header is None:
            bar = CaptionBar(self._frame, self._frame, self._shared.look)
            bar.minimize_clicked.connect(lambda: self._frame.set_state("minimized"))
            bar.maximize_clicked.connect(self._maximize_clicked)
            bar.close_clicked.connect(lambda: self._frame.close_wanted.emit())
            bar.title_entered.connect(self._title_entered)
            bar.menu_wanted.connect(lambda place: self._shared.open_menu(place))
            bar.set_maximized(maximized=self._frame.state == "maximized")
            bar.show()
            self._header = bar
        self._header.set_title(header.title)
        self._header.title_editable = header.editable

    def _remove_header(self) -> None:
        if self._header is not None:
            self._header.hide()
            self._header.deleteLater()
            self._header = None

    def _cut_out(self, places: Iterable[Bounds]) -> None:
        """Let the desktop be seen in the gaps, where they are not filled."""
        every = list(places)
        if self._drawing.filled or len(every) < 2:
            self._frame.clearMask()
            return
        region = QRegion(0, 0, self._frame.width(), self._top)
        for one in every:
            region = region.united(QRegion(rect_of(one)))
        self._frame.setMask(region)

    def _border_at(self, place: QPoint) -> tuple[str | None, frozenset[str]]:
        """Return the sides of the group that a press grabs at a place, and the window that is held there.

        In a group with a ragged border, windows have outer borders that are not at the edge of the frame.
        """
        sides, places = edges_at(place, self._frame.size(), BORDER), self._current()
        held = next((name for name, one in places.items() if rect_of(one).contains(place)), None)
        if sides or held is None or self._edge_at(place) is not None:
            return held, sides
        area = rect_of(places[held])
        near = edges_at(place - area.topLeft(), area.size(), BORDER)
        return held, frozenset(one for one in get_args(Side) if one in near and is_open(places[held], one, places))

    def _edge_at(self, place: QPoint) -> SharedEdge | None:
        """Return the line between neighbours at a place; their borders belong to it."""
        if self._frame.state != "normal":
            return None
        places = self._current()
        for edge in shared_edges(places, self._drawing.edge):
            wide, high = (BORDER, 0) if edge.sideways else (0, BORDER)
            if rect_of(edge.area(places)).adjusted(-wide, -high, wide, high).contains(place):
                return edge
        return None

    def _snapped(self, moving: Bounds, alt: bool) -> Bounds:  # noqa: FBT001 - called by a drag
        request = next(iter(self._windows.values())).request
        rules = request.snapping_with_alt if alt else request.snapping
        if rules is None:
            return moving
        area = screen_of(moving, self._shared.screens).work_area
        target = drop(moving, self._shared.neighbours(self._frame), area, rules)
        # A group keeps its size beside another window.
        return Bounds(target.left, target.top, moving.width, moving.height)

    def _maximize_clicked(self) -> None:
        self._frame.set_state("normal" if self._frame.state == "maximized" else "maximized")

    def _state_changed(self, state: str) -> None:
        if self._header is not None:
            self._header.set_maximized(maximized=state == "maximized")
        if self._web is not None:
            self.arrange()

    def _title_entered(self, title: str) -> None:
        if self._drawing.header is None or not self._drawing.header.editable or title == self._drawing.title:
            return
        self._shared.platform.report(GroupRetitled(group=self._drawing.id, title=title))


def _moved(windows: Mapping[str, Bounds], across: float, down: float) -> dict[str, Bounds]:
    return {name: Bounds(one.left + across, one.top + down, one.width, one.height) for name, one in windows.items()}
