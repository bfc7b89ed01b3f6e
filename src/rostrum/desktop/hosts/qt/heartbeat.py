"""Heartbeat: notices a page that does not answer. Qt has no signal for it, so the page is asked now and then."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWebEngineCore import QWebEnginePage

from rostrum.desktop.hosts.qt.test_mode import heartbeat_interval

__all__ = ["Heartbeat"]

_INTERVAL_MS = 4000
_PATIENCE = 2
"""So many intervals without an answer make a page unresponsive."""


class Heartbeat(QObject):
    """Asks one page; only while it is loaded and visible, because hidden pages are slowed down on purpose."""

    def __init__(
        self, page: QWebEnginePage, lost: Callable[[], None], found: Callable[[], None], parent: QObject
    ) -> None:
        """Begin to ask; ``lost`` is called once when the page stops answering, ``found`` when it answers again."""
        super().__init__(parent)
        self._page = page
        self._lost = lost
        self._found = found
        self._asked = 0
        self._is_lost = False
        self.paused = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(heartbeat_interval() or _INTERVAL_MS)

    def reset(self) -> None:
        """Start again, for another document or after a person wants to wait."""
        self._asked = 0
        self._is_lost = False

    def stop(self) -> None:
        """Ask no more."""
        self._timer.stop()

    def _beat(self) -> None:
        if self.paused or not self._page.isVisible() or self._page.renderProcessPid() <= 0:
            self._asked = 0
            return
        if self._asked >= _PATIENCE and not self._is_lost:
            self._is_lost = True
            self._lost()
        if self._asked == 0 or self._is_lost:
            self._page.runJavaScript("1", 1, self._answered)
        self._asked += 1

    def _answered(self, _result: object) -> None:
        self._asked = 0
        if self._is_lost:
            self._is_lost = False
            self._found()
