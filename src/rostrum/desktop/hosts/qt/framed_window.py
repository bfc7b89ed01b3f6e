"""FramedWindow: a pane that moves between frames, which windows of apps and adopted windows of programs have."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt

from rostrum.desktop.hosts.port import Bounds, WindowRequest
from rostrum.desktop.hosts.qt.caption import CaptionBar
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.frame_link import FrameLink
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import WindowState

__all__ = ["FramedWindow", "leave"]


class FramedWindow(QObject):
    """A window that a frame shows, alone or with others.

    Attributes:
        pane: What it shows.
        is_torn_out: Whether a person has dragged it out of its group or its tabs, until the platform has answered that.
        tab_tooltip: What is shown when the pointer rests on its tab; empty for its title.

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
        """Return the place in the frame that shows this window."""
        return next(cell for cell in self.frame.cells if self.pane in cell.panes)

    @property
    def caption(self) -> CaptionBar | None:
        """Return the caption bar; None for windows without one."""
        return self.pane.caption

    @property
    def is_loaded(self) -> bool:
        """Return whether there is nothing to load before the window can be shown."""
        return True

    def load(self) -> None:
        """Load what the window shows."""

    @property
    def is_tab(self) -> bool:
        """Return whether people can drop other windows on its caption bar, which makes both of them tabs."""
        return False

    def take_keyboard(self) -> None:
        """Let what the window shows get the keys, in a frame that is active."""
        self.pane.setFocus()

    def give_keyboard_back(self) -> None:
        """Let the frame get the keys again."""

    @property
    def bounds(self) -> Bounds:
        """Return where the window is."""
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
        """Show the window in another frame, with the same document, and with the tabs that share its place."""
        before, cell, was_visible = self.frame, self.cell, self.frame.isVisible()
        with _carried(cell.panes):
            before.give_cell_away(cell)
            frame.add_cell(cell)
            _follow(frame, cell)
            leave(before, cell)
        if frame.isVisible() and not was_visible:
            self._link.report_visible(visible=True)

    def become_tab(self, frame: Frame, cell: Cell) -> None:
        """Show the window in a cell of a frame, with the same document, behind the window there."""
        before, old_cell = self.frame, self.cell
        was_visible = before.isVisible() and not old_cell.isHidden()
        with _carried((self.pane,)):
            old_cell.remove(self.pane)
            cell.add(self.pane)
            self._link.move_to(frame)
            leave(before, old_cell)
        # A cell may be hidden in a frame that is not.
        is_visible = frame.isVisible() and not cell.isHidden()
        if is_visible != was_visible:
            self._link.report_visible(visible=is_visible)

    def detach(self) -> None:
        """Report nothing of the frame that the window leaves, until it is in another one; its tabs likewise."""
        for pane in self.cell.panes:
            if pane.link is not None:
                pane.link.detach()

    def move_out(self, bounds: Bounds, *, alone: bool = False, visible: bool = True) -> Frame:
        """Show the window in a frame of its own, at a place: with the tabs that share its place, or ``alone``."""
        frame = Frame(bounds, tool=self._is_tool)
        frame.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._is_blended)
        frame.setWindowTitle(self.pane.title)
        # Shown first: the page comes into a window that is drawn already, as when a window joins a group.
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
        """Show the window in a frame of its own, which a person is dragging; ``alone`` without its tabs."""
        self.is_torn_out = True
        frame = self.move_out(bounds, alone=alone)
        frame.bring_to_front()
        return frame

    def report_torn_out(self, *, dropped: bool = True) -> None:
        """Report that a person has taken the window out of its group, and has ``dropped`` it there."""
        self._link.report_torn_out(dropped=dropped)

    def report_bounds(self) -> None:
        """Report where the window is at rest."""
        self._link.report_bounds()

    def use_own_snapping(self) -> None:
        """Let the frame snap as this window does, because it shows no other one."""
        self._link.use_own_snapping()

    def _maximize_clicked(self) -> None:
        self.set_state("normal" if self.state == "maximized" else "maximized")


def leave(frame: Frame, cell: Cell) -> None:
    """Remove a cell that shows nothing any more, and then a frame that shows nothing any more."""
    if not cell.panes and cell in frame.cells:
        frame.remove_cell(cell)
    if not frame.cells:
        frame.remove()
        frame.deleteLater()


@contextmanager
def _carried(panes: Sequence[Pane]) -> Iterator[None]:
    """Keep what is in panes while they move to another frame."""
    for pane in panes:
        pane.carry(True)
    try:
        yield
    finally:
        for pane in panes:
            pane.carry(False)


def _follow(frame: Frame, cell: Cell) -> None:
    """Let the windows of a cell report what happens to the frame that it is in now."""
    for pane in cell.panes:
        if pane.link is not None:
            pane.link.move_to(frame)
