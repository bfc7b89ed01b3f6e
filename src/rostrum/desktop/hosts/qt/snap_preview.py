"""SnapPreview: the outline that shows where a window will rest when the drag ends."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QWidget

__all__ = ["SnapPreview"]

_WIDTH = 3
_COLOR = "#5b8dc9"


class SnapPreview(QWidget):
    """An outline above all windows that the pointer passes through.

    It is cut out of a plain window, because translucent windows need a compositor.
    """

    def __init__(self) -> None:
        super().__init__(
            None,
            Qt.WindowType.ToolTip
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.WindowTransparentForInput
            | Qt.WindowType.WindowDoesNotAcceptFocus,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setStyleSheet(f"background: {_COLOR}")

    def show_at(self, place: QRect) -> None:
        """Show the outline around a place."""
        self.setGeometry(place)
        whole = QRect(0, 0, place.width(), place.height())
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(_WIDTH, _WIDTH, -_WIDTH, -_WIDTH)))
        self.show()
