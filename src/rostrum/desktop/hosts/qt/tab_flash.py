"""Tabs that draw attention until the user selects them."""

from collections.abc import Collection, Iterable

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtGui import QColor, QPainter

_MILLISECONDS, _HEIGHT = 500, 4
"""Blink interval and height of the line at the bottom of a tab."""


class TabFlash(QObject):
    """The tabs of one strip that flash.

    Attributes:
        changed: Emitted when the strip is to be drawn again.
        color: The colour of the line.

    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.color = QColor()
        self._flashing: frozenset[str] = frozenset()
        self._is_lit = False
        self._timer = QTimer(self)
        self._timer.setInterval(_MILLISECONDS)
        self._timer.timeout.connect(self._blink)

    def set(self, instance: str, *, on: bool) -> None:
        """Start or stop flashing a tab."""
        self._use(self._flashing | {instance} if on else self._flashing - {instance})

    def keep(self, instances: Collection[str]) -> None:
        """Stop flashing all tabs except these."""
        self._use(self._flashing & frozenset(instances))

    def paint(self, painter: QPainter, tabs: Iterable[tuple[str, QRect]]) -> None:
        """Draw the line in the tabs that flash."""
        for instance, area in tabs:
            if self._is_lit and instance in self._flashing:
                painter.fillRect(area.adjusted(0, area.height() - _HEIGHT, 0, 0), self.color)

    def _use(self, flashing: frozenset[str]) -> None:
        if flashing == self._flashing:
            return
        if not flashing:
            self._timer.stop()
        elif not self._flashing:
            self._is_lit = True
            self._timer.start()
        self._flashing = flashing
        self.changed.emit()

    def _blink(self) -> None:
        self._is_lit = not self._is_lit
        self.changed.emit()
