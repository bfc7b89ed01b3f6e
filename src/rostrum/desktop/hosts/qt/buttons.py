"""Buttons that track a press of the pointer until its release.

Qt's own buttons cancel a press when they lose the keyboard focus before the release. A click would have no effect if
another window opens at that moment, or if a window gives its page the focus.
"""

from typing import TYPE_CHECKING

from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton as _Button
else:

    class _Button:
        """Base class without Qt bases: Qt does not allow two of its own classes as bases."""


class _KeptPress(_Button):
    _is_pressed = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._is_pressed = self.isDown()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # Before the click, which may delete the button.
        self._is_pressed = False
        super().mouseReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._is_pressed:
            QWidget.focusOutEvent(self, event)
        else:
            # The release of a key press goes elsewhere, so the press ends here.
            super().focusOutEvent(event)


class ToolButton(_KeptPress, QToolButton):
    """A small button with a symbol or a short text."""


class PushButton(_KeptPress, QPushButton):
    """A button with a text, such as those of questions."""
