"""A group whose header, caption bars and tabs are drawn by a page.

The page is below the cells of the frame and determines their positions. Invisible widgets cover the parts by which a
group is moved and resized, so that the pointer has the same effect as in other groups.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol, get_args

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.qt.caption import HEIGHT, Grip
from rostrum.desktop.hosts.qt.drags import SecondClick, alt_held, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.pane import BORDER
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.tab_places import TabPlace
from rostrum.desktop.hosts.qt.web_group_calls import PageCalls
from rostrum.desktop.hosts.qt.web_group_drawing import frame_id, group_drawing
from rostrum.desktop.hosts.qt.web_group_page import WebGroupPage
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.hosts.reports import GroupPageFailed
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.resize import is_open, shared_edges
from rostrum.desktop.windows.web_groups import GroupPage, Layout, MoveArea, layout_of


class WebGroup(QObject):
    """The page of one group.

    Attributes:
        changed: Emitted when the page starts or stops drawing the group, or changes its layout.
    """

    changed = Signal()

    def __init__(
        self, group: str, wanted: GroupPage, frame: Frame, shared: Shared, retitle: Callable[[str], None]
    ) -> None:
        """Load the page; until it is ready, the group is drawn without it."""
        super().__init__()
        self.wanted = wanted
        self._group = group
        self._frame = frame
        self._shared = shared
        self._layout: Layout | None = None
        self._drawing: GroupDrawing | None = None
        self._windows: dict[str, tuple[AppWindow, TabPlace | None]] = {}
        self._places: Mapping[str, Bounds] = {}
        self._edges: list[QWidget] = []
        self._strips: dict[tuple[str, str], _Strip] = {}
        self._calls = PageCalls(frame, self, shared, retitle)
        self._page: WebGroupPage | None = WebGroupPage(frame, wanted, shared, self._called)
        self._page.failed.connect(self._failed)
        frame.activated.connect(self._focus_changed)
        frame.current_changed.connect(self._focus_changed)
        self._page.open()

    @property
    def is_active(self) -> bool:
        """Return whether the page draws the group."""
        return self._page is not None and self._layout is not None

    @property
    def header(self) -> int:
        """Return the height of the header that the page draws."""
        return 0 if self._layout is None else self._layout.header

    @property
    def page(self) -> WebGroupPage | None:
        """Return the page; None if it has failed."""
        return self._page

    @property
    def drawing(self) -> GroupDrawing | None:
        """Return the current drawing."""
        return self._drawing

    def find(self, identity: str) -> tuple[AppWindow, TabPlace | None]:
        """Return the visible window of a place by its id in the page; raise ValueError if there is none."""
        for window, tabs in self._windows.values():
            if frame_id(window, tabs) == identity:
                return window, tabs
        raise ValueError(f"there is no frame {identity[:100]!r} in this group")

    def find_tab(self, instance: str) -> TabPlace:
        """Return the place of a tab; raise ValueError if there is none."""
        for _, tabs in self._windows.values():
            if tabs is not None and instance in tabs.members:
                return tabs
        raise ValueError(f"there is no tab {instance[:100]!r} in this group")

    def draw(self, drawing: GroupDrawing, windows: Mapping[str, AppWindow], places: Mapping[str, Bounds]) -> None:
        """Let the page draw the group, and move the cells as the page requires."""
        self._drawing, self._places = drawing, places
        self._windows = {name: (window, self._shared.tab_place(window.cell)) for name, window in windows.items()}
        if self._page is not None:
            self._page.view.setGeometry(self._frame.rect())
            self._page.draw(group_drawing(drawing, self._frame, self._windows, places, dark=self._shared.look.dark))
        for name, (window, tabs) in self._windows.items():
            whole = rect_of(places[name])
            window.cell.set_bare(bare=self.is_active)
            window.cell.tab_index_at = self._index_at(frame_id(window, tabs)) if self.is_active else None
            window.cell.setGeometry(self._slot(frame_id(window, tabs), whole) if self.is_active else whole)
        self._cover()

    def close(self) -> None:
        """Draw the windows without the page."""
        page, self._page = self._page, None
        if page is not None:
            self._frame.activated.disconnect(self._focus_changed)
            self._frame.current_changed.disconnect(self._focus_changed)
            page.close()
        self._layout = None
        for window, _ in self._windows.values():
            if window.is_open and window.frame is self._frame:
                window.cell.set_bare(bare=False)
                window.cell.tab_index_at = None
        self._cover()

    def _failed(self, reason: str) -> None:
        self.close()
        self._shared.platform.report(GroupPageFailed(group=self._group, app=self.wanted.app, reason=reason))
        self.changed.emit()

    def _focus_changed(self) -> None:
        self._frame.arrange()

    def _called(self, method: str, arguments: Mapping[str, Any]) -> None:
        if method == "layout":
            self._layout = layout_of(arguments)
            self.changed.emit()
        elif method == "unmount":
            self._layout = None
            self.changed.emit()
        else:
            self._calls.execute(method, arguments)

    def _slot(self, identity: str, whole: QRect) -> QRect:
        """Return the bounds of a window, inside a border by which the user resizes it."""
        insets = None if self._layout is None else self._layout.insets.get(identity)
        left, top, right, bottom = insets or (BORDER, BORDER + HEIGHT, BORDER, BORDER)
        slot = whole.adjusted(max(left, BORDER), max(top, BORDER), -max(right, BORDER), -max(bottom, BORDER))
        return slot if slot.isValid() else QRect(whole.topLeft(), whole.topLeft())

    def _index_at(self, identity: str) -> Callable[[QPoint], int | None]:
        def found(place: QPoint) -> int | None:
            return None if self._layout is None else self._layout.index_at(identity, place.x(), place.y())

        return found

    def _cover(self) -> None:
        """Put invisible widgets over the borders, the lines between windows, and the move areas of the page."""
        layout, drawing = self._layout, self._drawing
        wanted = {} if layout is None or not self.is_active else {(one.type, one.id): one for one in layout.areas}
        for key in [one for one in self._strips if one not in wanted]:
            strip = self._strips.pop(key)
            strip.hide()
            strip.deleteLater()
        for key, area in wanted.items():
            grip = self._grip(area)
            if grip is None:
                continue
            strip = self._strips.get(key) or _Strip(self._frame)
            self._strips[key] = strip
            strip.use(area, grip, self)
        has_edges = self.is_active and drawing is not None and self._frame.state == "normal"
        borders = self._borders(drawing) if has_edges and drawing is not None else []
        self._edges += [_edge(self._frame) for _ in borders[len(self._edges) :]]
        # Existing widgets are kept: the user may hold one of them.
        for number, edge in enumerate(self._edges):
            edge.setVisible(number < len(borders))
            if number < len(borders):
                edge.setGeometry(borders[number])
                edge.raise_()

    def _borders(self, drawing: GroupDrawing) -> list[QRect]:
        """Return the borders for resizing the group, as in GroupFrame; ragged borders have more of them."""
        found = [*_sides(self._frame.rect()).values()]
        for place in self._places.values():
            sides = _sides(rect_of(place))
            found += [sides[side] for side in get_args(Side) if is_open(place, side, self._places)]
        for edge in shared_edges(self._places, drawing.edge):
            wide, high = (BORDER, 0) if edge.sideways else (0, BORDER)
            found.append(rect_of(edge.area(self._places)).adjusted(-wide, -high, wide, high))
        return found

    def _grip(self, area: MoveArea) -> Grip | None:
        if area.type == "group":
            return self._frame
        try:
            window, tabs = self.find(area.id)
        except ValueError:
            # The page has not drawn the latest change yet.
            return None
        return _TabsGrip(tabs) if area.type == "tabBar" and tabs is not None else window.pane

    def commit(self) -> None:
        """Make the page accept a title that the user is entering."""
        if self._page is not None:
            self._page.send("commit", {})

    def double_clicked(self, area: MoveArea, place: QPoint) -> None:
        """Edit the title when it is clicked, else maximize or restore the window."""
        caption = area.caption
        # The window may have been closed before the page has drawn that.
        with suppress(ValueError):
            if caption is None or not rect_of(caption).contains(place) or not self._edit(area):
                self._calls.execute("button", {"target": area.type, "id": area.id, "button": "maximize"})

    def _edit(self, area: MoveArea) -> bool:
        if self._drawing is None or self._page is None:
            return False
        if area.type == "group":
            header = self._drawing.header
            title = header.title if header is not None and header.editable else None
        else:
            window, _ = self.find(area.id)
            title = window.pane.title if window.caption is not None and window.caption.title_editable else None
        if title is None:
            return False
        self._page.send("edit", {"type": area.type, "id": area.id, "text": title})
        return True

    def open_menu(self) -> None:
        """Open the menu of the platform at the pointer."""
        self._shared.open_menu(QCursor.pos())


class _TabsGrip:
    """Moves a frame by the empty part of its tab bar."""

    def __init__(self, tabs: TabPlace) -> None:
        self._strip = tabs.strip

    def begin_move(self, pointer: QPoint) -> None:
        self._strip.grabbed.emit(pointer)

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        self._strip.dragged.emit(pointer, alt)

    def end_drag(self, *, alt: bool = False) -> None:
        self._strip.drag_ended.emit(alt)


class _Owner(Protocol):
    """The functions of a group that a move area uses."""

    def commit(self) -> None:
        """Accept a title that the user is entering."""
        ...

    def double_clicked(self, area: MoveArea, place: QPoint) -> None:
        """Edit the title, or maximize the window."""
        ...

    def open_menu(self) -> None:
        """Open the menu of the platform."""
        ...


class _Strip(QWidget):
    """An invisible widget over a move area of the page."""

    def __init__(self, frame: QWidget) -> None:
        super().__init__(frame)
        self._area: MoveArea | None = None
        self._grip: Grip | None = None
        self._owner: _Owner | None = None
        self._second_click = SecondClick()
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def use(self, area: MoveArea, grip: Grip, owner: _Owner) -> None:
        self._area, self._grip, self._owner = area, grip, owner
        self.setGeometry(rect_of(area.bounds))
        self.show()
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._second_click.release()
        if self._owner is not None:
            self._owner.commit()
            if event.button() == Qt.MouseButton.RightButton:
                self._owner.open_menu()
        if self._grip is not None and event.button() == Qt.MouseButton.LeftButton:
            self._grip.begin_move(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._second_click.move(event)
        if self._grip is None:
            return
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._grip.drag_to(event.globalPosition().toPoint(), alt=alt_held(event))
        else:
            self._grip.end_drag(alt=alt_held(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None and event.button() == Qt.MouseButton.LeftButton:
            self._grip.end_drag(alt=alt_held(event))
        is_double = event.button() == Qt.MouseButton.LeftButton and self._second_click.release()
        if is_double and self._owner is not None and self._area is not None:
            self._owner.double_clicked(self._area, self.mapToParent(event.position().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._second_click.press(event)


def _sides(whole: QRect) -> dict[str, QRect]:
    return {
        "top": QRect(whole.x(), whole.y(), whole.width(), BORDER),
        "bottom": QRect(whole.x(), whole.bottom() + 1 - BORDER, whole.width(), BORDER),
        "left": QRect(whole.x(), whole.y(), BORDER, whole.height()),
        "right": QRect(whole.right() + 1 - BORDER, whole.y(), BORDER, whole.height()),
    }


def _edge(frame: QWidget) -> QWidget:
    """Return a cover of a border or a line; presses are forwarded to the frame, which resizes the group."""
    edge = QWidget(frame)
    edge.setMouseTracking(True)
    return edge
