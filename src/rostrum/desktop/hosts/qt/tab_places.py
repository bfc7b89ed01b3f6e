"""The windows that share a cell as tabs, as drawn by the platform.

The strip reports user actions, and the next drawing of the platform shows the result. Only a tab that is dragged out
leaves its cell immediately, because the pointer must not wait; the platform is notified when it is dropped.
"""

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtWidgets import QHBoxLayout, QWidget
from shiboken6 import isValid

from rostrum.desktop.hosts.qt.caption import HEIGHT
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import MoveDrag, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.tab_strip import TabStrip
from rostrum.desktop.hosts.reports import Retitled, TabClosed, TabPinned, TabReordered, TabSelected, TornOut
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.tabs import TabDrawing

_ASIDE = 40
"""Offset of a window that leaves its tabs without a drag."""


class TabPlaces(QObject):
    """All cells that windows share as tabs."""

    def __init__(self, windows: Mapping[str, FramedWindow], shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._windows = windows
        self._shared = shared
        self._places: dict[str, TabPlace] = {}
        self._drawings: dict[str, TabDrawing] = {}

    def show(self, drawing: TabDrawing) -> None:
        """Show a tab group, replacing its earlier drawing, and load the pages that it requires."""
        self._drawings[drawing.id] = drawing
        members = {one: self._windows[one] for one in drawing.instances if one in self._windows}
        if not members:
            self._dissolve(drawing.id)
            return
        front = members.get(str(drawing.selected)) or next(iter(members.values()))
        place = self._places.get(drawing.id)
        if place is None or not place.is_alive:
            place = self._places[drawing.id] = TabPlace(front.cell, self._shared, self)
        place.show(drawing, members, front)
        for window in members.values():
            if window.instance in drawing.loaded and not window.is_loaded:
                window.load()

    def hide(self, identity: str) -> None:
        """Show the windows of a tab group without tabs: all except the first one get their own frames."""
        self._drawings.pop(identity, None)
        self._dissolve(identity)

    def appeared(self, instance: str) -> None:
        """Draw the tab group of a window again that did not exist when the tab group was drawn."""
        for drawing in [*self._drawings.values()]:
            if instance in drawing.instances:
                self.show(drawing)

    def _dissolve(self, identity: str) -> None:
        place = self._places.pop(identity, None)
        if place is not None:
            place.dissolve()

    def forget(self, instance: str) -> None:
        """Remove a closed window."""
        for place in self._places.values():
            place.forget(instance)

    def set_look(self, look: Look) -> None:
        """Draw every strip in other colours."""
        for place in self._alive():
            place.strip.set_look(look)

    def of(self, cell: Cell) -> "TabPlace | None":
        """Return the windows that share a cell as tabs."""
        return next((place for place in self._alive() if place.cell is cell), None)

    def refresh(self, instance: str) -> None:
        """Update the icon or tooltip of a window."""
        for place in self._alive():
            if instance in place.members:
                place.refresh()

    def target(self, pointer: QPoint, dragged: Frame) -> tuple[str, int] | None:
        """Return the window whose tabs a dragged frame is over, and its index among them."""
        found: list[tuple[Frame, str, int]] = []
        tabbed: set[str] = set()
        for place in self._alive():
            tabbed |= set(place.members)
            index = place.index_at(pointer)
            if index is not None:
                found.append((place.frame, place.front.instance, index))
        # A single window of the mode tab accepts tabs in its caption bar.
        single = [one for one in self._windows.values() if one.instance not in tabbed and one.is_tab]
        found += [(one.frame, one.instance, 1) for one in single if _covers(one, pointer)]
        found = [one for one in found if one[0] is not dragged and one[0].isVisible()]
        top = max(found, key=lambda one: one[0].last_active, default=None)
        return None if top is None or self._is_covered(top[0], pointer, dragged) else top[1:]

    def preview(self, pointer: QPoint | None, dragged: Frame) -> None:
        """Show in the strips where a dragged frame becomes a tab; None hides this."""
        target = None if pointer is None else self.target(pointer, dragged)
        for place in self._alive():
            is_target = target is not None and place.front.instance == target[0]
            shown = pointer is not None and is_target
            place.strip.show_mark(_local(place.strip, place.frame, pointer) if shown and pointer is not None else None)

    def _alive(self) -> "list[TabPlace]":
        return [place for place in self._places.values() if place.is_alive]

    def _is_covered(self, frame: Frame, pointer: QPoint, dragged: Frame) -> bool:
        others = {window.frame for window in self._windows.values()} - {frame, dragged}
        return any(
            other.isVisible() and other.last_active > frame.last_active and other.geometry().contains(pointer)
            for other in others
        )


class TabPlace(QObject):
    """One cell with the panes of several windows and a strip above them."""

    def __init__(self, cell: Cell, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._cell = cell
        self._shared = shared
        self._drawing: TabDrawing | None = None
        self._dragged: FramedWindow | None = None
        self._grabbed: Frame | None = None
        self._out: set[str] = set()
        self.members: dict[str, FramedWindow] = {}
        self.strip = TabStrip(shared.look)
        self._header = _Header(self.strip)
        self._cell.set_strip(self._header)
        strip, report = self.strip, shared.platform.report
        strip.titles_editable = self._may_retitle
        strip.selected.connect(lambda instance: report(TabSelected(instance=instance)))
        strip.closed.connect(lambda instance: report(TabClosed(instance=instance)))
        strip.moved.connect(lambda instance, index: report(TabReordered(instance=instance, index=index)))
        strip.pinned.connect(lambda instance, pinned: report(TabPinned(instance=instance, pinned=pinned)))
        strip.titled.connect(lambda instance, title: report(Retitled(instance=instance, title=title)))
        strip.menu_wanted.connect(lambda place: shared.open_menu(place))
        strip.detached.connect(self._detached)
        strip.torn_out.connect(self._torn_out)
        strip.grabbed.connect(self._grab)
        strip.dragged.connect(self._follow)
        strip.drag_ended.connect(self._drag_ended)

    @property
    def cell(self) -> Cell:
        """Return the cell that the windows share."""
        return self._cell

    @property
    def drawing(self) -> TabDrawing | None:
        """Return the last drawing of the platform."""
        return self._drawing

    @property
    def is_alive(self) -> bool:
        """Return whether the cell shows one of its windows."""
        return isValid(self._cell) and any(one.pane is self._cell.shown for one in self.members.values())

    @property
    def frame(self) -> Frame:
        """Return the frame that contains the cell."""
        return self.front.frame

    @property
    def front(self) -> FramedWindow:
        """Return the visible window."""
        return next(one for one in self.members.values() if one.pane is self._cell.shown)

    def index_at(self, pointer: QPoint) -> int | None:
        """Return the tab index for a window that is dropped at a position of the screen."""
        if self._cell.tab_index_at is not None:
            return self._cell.tab_index_at(_local(self.frame, self.frame, pointer))
        if self._header.isVisible():
            return self.strip.index_at(_local(self.strip, self.frame, pointer))
        return len(self.members) if _covers(self.front, pointer) else None

    def show(self, drawing: TabDrawing, members: Mapping[str, FramedWindow], front: FramedWindow) -> None:
        """Show these windows, one of them in front."""
        self._drawing = drawing
        before = self.members.get(next((one for one, it in self.members.items() if it.pane is self._cell.shown), ""))
        # A drawing that was made before a window was dragged out must not bring it back.
        self._out = {one for one in self._out if one in members and one not in drawing.returned}
        for one in drawing.returned:
            if one in members:
                members[one].is_torn_out = False
        kept = {one: window for one, window in members.items() if one not in self._out and window is not self._dragged}
        if not kept:
            return
        for window in kept.values():
            if window.pane not in self._cell.panes:
                self._take_in(window)
        # Afterwards, because an empty cell disappears.
        for instance, window in self.members.items():
            if instance not in members and window.pane in self._cell.panes:
                self._give_away(window)
        self.members = kept
        if front.instance not in kept:
            front = before if before is not None and before.instance in kept else next(iter(kept.values()))
        self._cell.title = drawing.taskbar_title
        self._header.setVisible(drawing.has_strip)
        for window in kept.values():
            self._header.hold(window, held=drawing.has_strip, shown=window is front)
        self._select(front, before)
        self.refresh()

    def refresh(self) -> None:
        """Update titles, icons and tooltips."""
        if self._drawing is None:
            return
        tabs = [tab for tab in self._drawing.tabs if tab.instance in self.members]
        self.strip.set_icons({one: window.pane.icon for one, window in self.members.items()})
        self.strip.set_tooltips({one: window.tab_tooltip for one, window in self.members.items()})
        self.strip.set_tabs(tabs, self.front.instance, overflow=self._drawing.overflow)
        self.frame.refresh()
        # Immediately: the user may press a tab before Qt processes the change.
        for widget in (self._cell, self._header, self.strip):
            layout = widget.layout()
            if layout is not None:
                layout.activate()

    def flash(self, instance: str, *, on: bool) -> bool:
        """Draw attention to a tab until it is selected, or stop; return whether the strip shows it."""
        is_shown = self._header.isVisible() and self._cell.tab_index_at is None
        return is_shown and self.strip.flash(instance, on=on)

    def forget(self, instance: str) -> None:
        """Remove a closed window."""
        self._out.discard(instance)
        if self._dragged is not None and self._dragged.instance == instance:
            self._dragged = None
        if self.members.pop(instance, None) is not None and self.is_alive:
            front = self.front
            self._header.hold(front, held=self._header.isVisible(), shown=True)
            self.refresh()

    def dissolve(self) -> None:
        """Show the windows without tabs."""
        self.deleteLater()
        if not self.is_alive:
            # The cell has disappeared with its last window.
            return
        front = self.front
        for window in self.members.values():
            if window is not front and window.pane in self._cell.panes:
                self._give_away(window)
        self._cell.title = None
        self._header.hold(front, held=False, shown=True)
        self._cell.set_strip(None)
        self._header.deleteLater()
        front.frame.refresh()

    def _select(self, front: FramedWindow, before: FramedWindow | None) -> None:
        if front is before:
            return
        frame = self.frame
        is_active = frame.isActiveWindow()
        # Before the selection, with which Qt moves the focus inside the frame.
        is_current = frame.current is None or before is None or frame.current is before.pane
        if before is not None and before.pane.has_native_focus:
            is_active = True
            before.give_keyboard_back()
        self._cell.select(front.pane)
        if is_current:
            frame.focus_in(front.pane)
            if is_active and not self.strip.has_keys:
                front.take_keyboard()

    def _take_in(self, window: FramedWindow) -> None:
        had_focus = window.frame.isActiveWindow()
        frame = cast("Frame", self._cell.window())
        self._shared.leave_group(window.instance)
        window.become_tab(frame, self._cell)
        window.report_bounds()
        if had_focus:
            frame.bring_to_front()

    def _give_away(self, window: FramedWindow) -> None:
        """Move a window to its own frame."""
        bounds, is_hidden = window.bounds, self._cell.isHidden()
        self._shared.leave_group(window.instance)
        window.move_out(bounds, alone=True, visible=not is_hidden)
        self._left(window)

    def _left(self, window: FramedWindow) -> None:
        frame = cast("Frame", self._cell.window())
        if frame.current is window.pane:
            frame.focus_in(self._cell.shown)

    def _may_retitle(self, instance: str) -> bool:
        window = self.members.get(instance)
        return window is not None and window.request.chrome.title_editable

    def _detached(self, instance: str) -> None:
        window = self.members.get(instance)
        if window is not None:
            there = window.bounds
            aside = Bounds(there.left + _ASIDE, there.top + _ASIDE, there.width, there.height)
            self._shared.platform.report(TornOut(instance=instance, bounds=aside))

    def _torn_out(self, instance: str, pointer: QPoint, pressed: QPoint) -> None:
        window = self.members.get(instance)
        if window is None or len(self.members) < 2:
            return
        there = window.bounds
        # The pointer holds the caption bar of the new window at the same distance from its left edge.
        across = min(max(pressed.x() - there.left, HEIGHT), max(HEIGHT, there.width - 5 * HEIGHT))
        place = Bounds(pointer.x() - across, pointer.y() - window.pane.border - HEIGHT // 2, there.width, there.height)
        order = [one for one in self.members if one in self.strip_order()]
        self._dragged = window
        if window is self.front:
            number = order.index(instance)
            others = [one for one in order if one != instance]
            self._cell.select(self.members[others[min(number, len(others) - 1)]].pane)
        self._shared.leave_group(instance)
        frame = window.tear_out(place, alone=True)
        self._left(window)
        del self.members[instance]
        self._header.hold(self.front, held=True, shown=True)
        self.refresh()
        drag = MoveDrag(frame, pointer)
        # The drag began in the strip.
        drag.begun = True
        frame.begin_drag(drag)

    def strip_order(self) -> list[str]:
        """Return the instances in the order of the strip."""
        return [] if self._drawing is None else [*self._drawing.instances]

    def _follow(self, pointer: QPoint, alt: bool) -> None:  # noqa: FBT001 - a signal of Qt
        frame = self._grabbed if self._dragged is None else self._dragged.frame
        if frame is not None and isValid(frame):
            frame.drag_to(pointer, alt=alt)

    def _drag_ended(self, alt: bool) -> None:  # noqa: FBT001 - a signal of Qt
        window, self._dragged = self._dragged, None
        grabbed, self._grabbed = self._grabbed, None
        if window is not None:
            self._out.add(window.instance)
            grabbed = window.frame
            # First, so that the platform has a separate window when it is dropped.
            bounds = grabbed.snap(grabbed.bounds, alt)
            self._shared.platform.report(TornOut(instance=window.instance, bounds=bounds))
        if grabbed is not None and isValid(grabbed):
            grabbed.end_drag(alt=alt)

    def _grab(self, pointer: QPoint) -> None:
        """Move the frame, with all windows of its group; a single tab moves its window."""
        self._grabbed = self.frame
        self._grabbed.begin_move(pointer, self._cell.shown if len(self.members) == 1 else None)


class _Header(QWidget):
    """The row above the panes: the strip, and the caption bar of the visible window without its title."""

    def __init__(self, strip: TabStrip) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(strip, 1)

    def hold(self, window: FramedWindow, *, held: bool, shown: bool) -> None:
        """Show the caption bar of a window in this row, or let its pane show it again."""
        caption = window.caption
        if caption is None:
            return
        if not held:
            window.pane.return_caption()
            return
        if caption.parent() is not self:
            window.pane.lend_caption()
            self._box.addWidget(caption)
        caption.setVisible(shown)


def _covers(window: FramedWindow, pointer: QPoint) -> bool:
    """Return whether a position of the screen is on the caption bar of a window."""
    caption = window.caption
    if caption is None or not caption.isVisible():
        return False
    return QRect(QPoint(0, 0), caption.size()).contains(_local(caption, window.frame, pointer))


def _local(widget: QWidget, frame: Frame, pointer: QPoint) -> QPoint:
    """Convert a position of the screen; the rectangle of a frame is exact, while Qt's may be outdated."""
    origin = rect_of(frame.bounds).topLeft() if frame.state == "normal" else frame.geometry().topLeft()
    return widget.mapFrom(frame, pointer - origin)
