"""A window that moves between frames: base class of app windows and adopted windows of programs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.caption import CaptionBar
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.frame_link import FrameLink
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.windows.geometry import Bounds


class FramedWindow(QObject):
    """A window that a frame shows, alone or with others.

    Attributes:
        pane: Its contents.
        is_torn_out: Whether the user has dragged it out of its group or tabs, and the platform has not responded yet.
        tab_tooltip: The tooltip of its tab; empty for its title.
    """

    pane: Pane
    _link: FrameLink

    def __init__(self, request: WindowRequest, shared: Shared) -> None:
        """Store the identity of the window; subclasses set ``pane`` and ``_link``."""
        super().__init__()
        self.request = request
        self.instance = request.instance
        self.shared = shared
        self.is_torn_out = False
        self.tab_tooltip = ""
        self._is_tool = False
        self._is_blended = False

    @property
    def frame(self) -> Frame:
        """Return the native window that shows this window."""
        return self._link.frame

    @property
    def cell(self) -> Cell:
        """Return the cell that shows this window."""
        return next(cell for cell in self.frame.cells if self.pane in cell.panes)

    @property
    def caption(self) -> CaptionBar | None:
        """Return the caption bar; None for windows without one."""
        return self.pane.caption

    @property
    def is_loaded(self) -> bool:
        """Return whether the window can be shown without loading anything."""
        return True

    def load(self) -> None:
        """Load the contents of the window."""

    @property
    def is_tab(self) -> bool:
        """Return whether users can drop other windows on its caption bar to form tabs."""
        return False

    def take_keyboard(self) -> None:
        """Give the keyboard focus to the contents of the window, in an active frame."""
        self.pane.setFocus()

    def give_keyboard_back(self) -> None:
        """Give the keyboard focus to the frame."""

    @property
    def bounds(self) -> Bounds:
        """Return the bounds of the window."""
        return self._link.bounds

    @property
    def takes_part(self) -> bool:
        """Return whether other windows snap to this one."""
        return self._link.takes_part

    @property
    def state(self) -> WindowState:
        """Return the state of the window."""
        return self._link.state

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the window."""
        self._link.set_bounds(bounds)

    def set_state(self, state: WindowState) -> None:
        """Minimize, maximize, collapse or restore the window."""
        self.frame.set_state(state)

    def move_to(self, frame: Frame) -> None:
        """Move the window, with the tabs that share its cell, to another frame, without reloading."""
        before, cell, was_visible = self.frame, self.cell, self.frame.isVisible()
        with _carried(cell.panes):
            before.give_cell_away(cell)
            frame.add_cell(cell)
            _follow(frame, cell)
            leave(before, cell)
        if frame.isVisible() and not was_visible:
            self._link.report_visible(visible=True)

    def become_tab(self, frame: Frame, cell: Cell) -> None:
        """Move the window to a cell of a frame, behind the window there, without reloading."""
        before, old_cell = self.frame, self.cell
        was_visible = before.isVisible() and not old_cell.isHidden()
        with _carried((self.pane,)):
            old_cell.remove(self.pane)
            cell.add(self.pane)
            self._link.move_to(frame)
            leave(before, old_cell)
        # A cell may be hidden in a visible frame.
        is_visible = frame.isVisible() and not cell.isHidden()
        if is_visible != was_visible:
            self._link.report_visible(visible=is_visible)

    def detach(self) -> None:
        """Stop reporting changes of the old frame, also for tabs of the same cell, until it is in another frame."""
        for pane in self.cell.panes:
            if pane.link is not None:
                pane.link.detach()

    def move_out(self, bounds: Bounds, *, alone: bool = False, visible: bool = True) -> Frame:
        """Move the window to its own frame at a position: with the tabs of its cell, or ``alone``."""
        frame = Frame(bounds, tool=self._is_tool)
        frame.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._is_blended)
        frame.setWindowTitle(self.pane.title)
        # Shown first: the page is added to a window that is already drawn, as when a window joins a group.
        frame.open("normal", hidden=not (visible and self.frame.isVisible()), focus=False)
        before, cell = self.frame, self.cell
        with _carried((self.pane,) if alone else cell.panes):
            if alone:
                cell.remove(self.pane)
                frame.add_cell(Cell(self.pane))
                self._link.move_to(frame)
            else:
                before.give_cell_away(cell)
                frame.add_cell(cell)
                _follow(frame, cell)
            frame.set_bounds(bounds)
            leave(before, cell)
        return frame

    def tear_out(self, bounds: Bounds, *, alone: bool = False) -> Frame:
        """Move the window to its own frame, which the user is dragging; ``alone`` without its tabs."""
        self.is_torn_out = True
        frame = self.move_out(bounds, alone=alone)
        frame.bring_to_front()
        return frame

    def report_torn_out(self, *, dropped: bool = True) -> None:
        """Report that the user has torn the window out of its group, and whether it was ``dropped``."""
        self._link.report_torn_out(dropped=dropped)

    def report_bounds(self) -> None:
        """Report the final bounds of the window."""
        self._link.report_bounds()

    def report_if_moved(self) -> None:
        """Report the final bounds of the window, unless they were reported before."""
        self._link.report_if_moved()

    def use_own_snapping(self) -> None:
        """Use the snapping options of this window for the frame, because it shows no other window."""
        self._link.use_own_snapping()

    def _maximize_clicked(self) -> None:
        self.set_state("normal" if self.state == "maximized" else "maximized")


def leave(frame: Frame, cell: Cell) -> None:
    """Remove an empty cell, and then an empty frame."""
    if not cell.panes and cell in frame.cells:
        frame.remove_cell(cell)
    if not frame.cells:
        frame.remove()
        frame.deleteLater()


@contextmanager
def _carried(panes: Sequence[Pane]) -> Iterator[None]:
    """Keep the contents of panes while they move to another frame."""
    for pane in panes:
        pane.carry(True)
    try:
        yield
    finally:
        for pane in panes:
            pane.carry(False)


def _follow(frame: Frame, cell: Cell) -> None:
    """Connect the windows of a cell to the frame that now contains it."""
    for pane in cell.panes:
        if pane.link is not None:
            pane.link.move_to(frame)
