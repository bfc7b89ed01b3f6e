"""PagePool: empty pages that are made before they are needed, because starting the process of a page takes a while."""

from PySide6.QtCore import QObject, QTimer, QUrl

from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.profile import Profile

__all__ = ["PagePool"]

_SIZE = 2
_PAUSE_MS = 150
"""Pages are made when the last window had time to open."""


class PagePool(QObject):
    """A few empty pages."""

    def __init__(self, profile: Profile, platform: Platform, parent: QObject) -> None:
        """Start without pages: the first ones are made when there is time."""
        super().__init__(parent)
        self._profile = profile
        self._platform = platform
        self._pages: list[AppPage] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._make_one)

    def take(self) -> AppPage:
        """Return an empty page, and make another one later."""
        self._timer.start()
        while self._pages:
            page = self._pages.pop()
            # A page whose process has ended meanwhile has no advantage.
            if page.renderProcessPid() > 0 and not page.isLoading():
                return page
            page.deleteLater()
        return AppPage(self._profile.engine, self._platform)

    def close(self) -> None:
        """Delete the pages: they must not outlive their profile."""
        self._timer.stop()
        for page in self._pages:
            page.deleteLater()
        self._pages.clear()

    def _make_one(self) -> None:
        if len(self._pages) < _SIZE:
            page = AppPage(self._profile.engine, self._platform, self)
            page.setUrl(QUrl("about:blank"))
            self._pages.append(page)
            self._timer.start()
