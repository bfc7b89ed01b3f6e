"""A window with a page of the platform."""

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtWebEngineWidgets import QWebEngineView

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.origins import origin_of
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.pane import BORDER, Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.windows.geometry import Bounds


def is_same_origin(one: QUrl, other: QUrl) -> bool:
    """Return whether two addresses have the same origin; addresses without an origin never do."""
    return bool(origin_of(one)) and origin_of(one) == origin_of(other)


class PageWindow(QObject):
    """A window with one page of the platform.

    Attributes:
        close_wanted: Emitted when the user or the window manager wants to close the window.
    """

    close_wanted = Signal()

    def __init__(self, title: str, bounds: Bounds, shared: Shared, *, mode: str = "flat") -> None:
        """Create the window without showing it, in one of the modes of app definitions.

        flat and tab windows have a caption bar, html windows only a border, frameless ones neither.
        """
        super().__init__()
        is_frameless = mode == "frameless"
        self.frame = Frame(bounds)
        self.view = QWebEngineView(self.frame)
        self.page = AppPage(shared.profile, shared.platform, self.view)
        self.page.setBackgroundColor(shared.look.surface)
        if is_frameless:
            # Areas that the page does not draw are transparent. Set before the native window exists.
            self.frame.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            self.page.setBackgroundColor(Qt.GlobalColor.transparent)
        self.view.setPage(self.page)
        self._pane = Pane(self.view, shared.look)
        self._pane.border = 0 if is_frameless else BORDER
        self._pane.title = title
        if not is_frameless and mode != "html":
            self._add_caption(title)
        self.frame.add_cell(Cell(self._pane))
        self.frame.close_wanted.connect(self.close_wanted)
        self.frame.activated.connect(lambda focused: self.view.setFocus() if focused else None)

    def _add_caption(self, title: str) -> None:
        caption = self._pane.add_caption()
        caption.set_title(title)
        caption.close_clicked.connect(self.close_wanted)
        caption.minimize_clicked.connect(lambda: self.frame.set_state("minimized"))
        caption.maximize_clicked.connect(
            lambda: self.frame.set_state("normal" if self.frame.state == "maximized" else "maximized")
        )
        self.frame.state_changed.connect(lambda state: caption.set_maximized(maximized=state == "maximized"))

    def set_look(self, look: Look) -> None:
        """Draw the frame in other colours; the page gets an event from the platform."""
        self._pane.set_look(look)
        self._pane.color = look.border
        self.frame.refresh()

    def close(self) -> None:
        """Close the window."""
        self.page.end_dialogs(self._remove)

    def _remove(self) -> None:
        self.frame.remove()
        self.page.deleteLater()
        self.frame.deleteLater()
        self.deleteLater()
