"""PointerWatch: reports where the pointer is, while somebody wants to know.

Qt reports moves only over windows of this process, and an event filter on the application is not possible with the
engine. So the place is read again and again, only while flydown zones exist.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QCursor

from rostrum.desktop.hosts.reports import PointerMoved

__all__ = ["PointerWatch"]

_SHORTEST_MS = 20


class PointerWatch(QObject):
    """Reads the place of the pointer at intervals, and reports it when it has changed."""

    def __init__(
        self, window_at: Callable[[QPoint], str | None], report: Callable[[PointerMoved], None], parent: QObject
    ) -> None:
        """Watch nothing yet; ``window_at`` returns the window at a place."""
        super().__init__(parent)
        self._window_at = window_at
        self._report = report
        self._last: PointerMoved | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(lambda: self._look())

    def watch(self, interval: float) -> None:
        """Look every so many seconds from now on; 0 ends it."""
        self._timer.stop()
        if interval > 0:
            self._last = None
            self._timer.start(max(_SHORTEST_MS, round(interval * 1000)))

    def _look(self) -> None:
        place = QCursor.pos()
        seen = PointerMoved(left=place.x(), top=place.y(), over=self._window_at(place))
        # A window may also have come between, or have gone, while the pointer rests.
        if seen != self._last:
            self._last = seen
            self._report(seen)
