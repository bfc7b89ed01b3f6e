"""Empty windows that are created in advance.

Starting the process of a page, and preparing a native window for drawing, take longer than loading a small page. For an
empty window both are done. It was never on the screen: Qt prepares it without showing it.
"""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.look import LIGHT
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.profile import Profile
from rostrum.desktop.windows.geometry import Bounds

_SIZE = 2
_PAUSE_MS = 250
"""Delay after a page was loaded before windows are created, when no user action is waiting."""
_LONGEST_WAIT_MS = 5000
"""Some pages never finish loading."""
_USUAL = Bounds(100, 100, 600, 400)


@dataclass(frozen=True, slots=True)
class EmptyWindow:
    """A window without contents: its frame, the pane in it, and an empty page."""

    frame: Frame
    pane: Pane
    view: QWebEngineView
    page: AppPage

    def delete(self) -> None:
        """Delete the window; the page first."""
        self.page.deleteLater()
        self.frame.deleteLater()


class WindowPool(QObject):
    """A few empty windows."""

    def __init__(self, profile: Profile, platform: Platform, parent: QObject) -> None:
        """Start without windows: the first ones are created when the process is idle."""
        super().__init__(parent)
        self._profile = profile
        self._platform = platform
        self._ready: list[EmptyWindow] = []
        self._warming: EmptyWindow | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)
        self._timer.start(_PAUSE_MS)

    def take(self, *, tool: bool, translucent: bool) -> EmptyWindow:
        """Return an empty window; windows with special attributes are created when requested."""
        window = self._taken(tool=tool, translucent=translucent)
        # Not while its page loads: creating another one takes as long as loading this one.
        self._timer.start(_LONGEST_WAIT_MS)
        window.page.loadFinished.connect(self._page_loaded)
        return window

    def _page_loaded(self) -> None:
        self._timer.start(_PAUSE_MS)

    def _taken(self, *, tool: bool, translucent: bool) -> EmptyWindow:
        while self._ready and not tool and not translucent:
            window = self._ready.pop()
            # A window whose process has ended has no advantage.
            if window.page.renderProcessPid() > 0 and not window.page.isLoading():
                return window
            window.delete()
        return self._make(tool=tool, translucent=translucent)

    def close(self) -> None:
        """Delete the windows: their pages must not outlive their profile."""
        self._timer.stop()
        # Pages may still report that they are loaded.
        self._timer.timeout.disconnect(self._next)
        for window in [*self._ready, *([self._warming] if self._warming is not None else ())]:
            window.delete()
        self._ready.clear()
        self._warming = None

    def _make(self, *, tool: bool = False, translucent: bool = False) -> EmptyWindow:
        frame = Frame(_USUAL, tool=tool)
        if translucent:
            # Before the native window exists.
            frame.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        view = QWebEngineView(frame)
        page = AppPage(self._profile, self._platform, view)
        view.setPage(page)
        pane = Pane(view, LIGHT)
        frame.add_cell(Cell(pane))
        return EmptyWindow(frame, pane, view, page)

    def _next(self) -> None:
        if self._warming is not None:
            self._finish()
        elif len(self._ready) < _SIZE and not _person_is_busy():
            window = self._make()
            window.page.setUrl(QUrl("about:blank"))
            window.frame.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, True)
            window.frame.show()
            self._warming = window
        if self._warming is not None or len(self._ready) < _SIZE:
            self._timer.start(_PAUSE_MS)

    def _finish(self) -> None:
        window, self._warming = self._warming, None
        if window is not None:
            window.frame.hide()
            window.frame.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
            self._ready.append(window)


def _person_is_busy() -> bool:
    """Return whether a menu is open or a button is pressed: Qt closes all menus when it shows a window."""
    return QApplication.activePopupWidget() is not None or bool(QApplication.mouseButtons())
