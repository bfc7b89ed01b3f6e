"""A part of a frame with a border, which shows the pane of one window.

Windows that share a place as tabs have one cell: it contains their panes, and shows that of the selected tab.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.caption import HEIGHT
from rostrum.desktop.hosts.qt.pane import Holder, Pane


class Cell(QWidget):
    """A place for one window, or for several windows of which one is visible.

    Attributes:
        title: What the taskbar shows for a frame with this cell alone; None for the title of the visible pane.
        tab_index_at: Returns the index of the tab at a position of the frame, if a page draws the tabs.
    """

    def __init__(self, pane: Pane) -> None:
        super().__init__()
        # Presses on the border are for the frame.
        self.setMouseTracking(True)
        self.title: str | None = None
        self.tab_index_at: Callable[[QPoint], int | None] | None = None
        self._is_bare = False
        self._holder: Holder | None = None
        self._panes: list[Pane] = []
        self._has_border = True
        self._strip: QWidget | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._stack = QStackedLayout()
        self._box.addLayout(self._stack, 1)
        self.add(pane)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """Return the panes, in the order in which they were added."""
        return tuple(self._panes)

    @property
    def shown(self) -> Pane:
        """Return the visible pane."""
        return self._panes[self._stack.currentIndex()]

    def set_holder(self, holder: Holder) -> None:
        """Set the frame that the cell is in."""
        self._holder = holder
        for pane in self.panes:
            pane.holder = holder

    def add(self, pane: Pane) -> None:
        """Add a pane behind the visible one."""
        pane.holder = self._holder
        pane.set_bare(bare=self._is_bare)
        self._panes.append(pane)
        self._stack.addWidget(pane)
        self.refresh()

    def remove(self, pane: Pane) -> None:
        """Remove a pane, which keeps its page."""
        self._panes.remove(pane)
        self._stack.removeWidget(pane)
        pane.set_bare(bare=False)
        pane.return_caption()
        if self._panes:
            self.refresh()

    def select(self, pane: Pane) -> None:
        """Show another pane."""
        self._stack.setCurrentWidget(pane)
        self.refresh()

    def set_strip(self, strip: QWidget | None) -> None:
        """Show a tab strip above the pane, or none."""
        if self._strip is not None:
            self._box.removeWidget(self._strip)
            self._strip.setParent(None)
        self._strip = strip
        if strip is not None:
            self._box.insertWidget(0, strip)
            self._show_strip()

    def set_bare(self, *, bare: bool) -> None:
        """Show only the page, because a surrounding page draws border, caption bar and tabs; or show everything."""
        if bare == self._is_bare:
            return
        self._is_bare = bare
        for pane in self._panes:
            pane.set_bare(bare=bare)
        self._show_strip()
        self.refresh()

    def _show_strip(self) -> None:
        if self._strip is not None:
            # The tabs control its visibility.
            self._strip.setFixedHeight(0 if self._is_bare else HEIGHT)
            self._strip.setEnabled(not self._is_bare)

    @property
    def border(self) -> int:
        """Return the width of the border."""
        return self.shown.border if self._has_border and not self._is_bare else 0

    def show_border(self, *, shown: bool) -> None:
        """Show or hide the border; a maximized window has none."""
        self._has_border = shown
        self.refresh()

    @property
    def bar_height(self) -> int:
        """Return the height of the cell when only its caption bar is visible."""
        return HEIGHT + 2 * self.shown.border

    def refresh(self) -> None:
        """Draw the border of the visible pane."""
        border = self.border
        self._box.setContentsMargins(border, border, border, border)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the border."""
        if self.border > 0 and QColor.isValidColorName(self.shown.color):
            QPainter(self).fillRect(self.rect(), QColor(self.shown.color))
