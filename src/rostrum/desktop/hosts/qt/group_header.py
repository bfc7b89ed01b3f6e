"""The header of a group: its title and buttons; dragging it moves the group."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.qt.caption import HEIGHT, CaptionBar
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.pane import BORDER
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.windows.groups import Header

HEADER = HEIGHT + BORDER
"""The height of the header, including the border above it by which the group is resized."""


class GroupHeader:
    """The header of one group; initially hidden."""

    def __init__(self, frame: Frame, shared: Shared, title_entered: Callable[[str], None]) -> None:
        self._frame = frame
        self._shared = shared
        self._title_entered = title_entered
        self._bar: CaptionBar | None = None

    def show(self, header: Header, *, system_buttons: bool) -> None:
        """Show a title, and buttons unless the window manager draws them."""
        bar = self._bar or self._made()
        self._bar = bar
        bar.set_title(header.title)
        bar.title_editable = header.editable
        bar.set_buttons(minimize=not system_buttons, maximize=not system_buttons, close=not system_buttons)

    def remove(self) -> None:
        """Hide the header."""
        if self._bar is not None:
            self._bar.hide()
            self._bar.deleteLater()
            self._bar = None

    def set_look(self, look: Look) -> None:
        """Draw it in other colours."""
        if self._bar is not None:
            self._bar.set_look(look)

    def arrange(self) -> None:
        """Set its position in the frame."""
        if self._bar is not None:
            self._bar.setGeometry(BORDER, BORDER, self._frame.width() - 2 * BORDER, HEIGHT)

    def set_maximized(self, *, maximized: bool) -> None:
        """Set whether its button restores the group."""
        if self._bar is not None:
            self._bar.set_maximized(maximized=maximized)

    def _made(self) -> CaptionBar:
        frame: QWidget = self._frame
        bar = CaptionBar(frame, self._frame, self._shared.look)
        bar.minimize_clicked.connect(lambda: self._frame.set_state("minimized"))
        bar.maximize_clicked.connect(self._maximize_clicked)
        bar.close_clicked.connect(lambda: self._frame.close_wanted.emit())
        bar.title_entered.connect(self._title_entered)
        bar.menu_wanted.connect(lambda place: self._shared.open_menu(place))
        bar.set_maximized(maximized=self._frame.state == "maximized")
        bar.show()
        return bar

    def _maximize_clicked(self) -> None:
        self._frame.set_state("normal" if self._frame.state == "maximized" else "maximized")
