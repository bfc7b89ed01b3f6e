"""Covers of a page: a loading animation, or a message with buttons."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.buttons import PushButton
from rostrum.desktop.hosts.qt.look import Look

_FRAME_MS = 40
_STEP = 12


class LoaderCover(QWidget):
    """A loading animation, configured by the ``loader`` of an app definition."""

    def __init__(self, options: Mapping[str, Any], look: Look) -> None:
        """Read the options; unknown ones are ignored."""
        super().__init__()
        self._back = _color(options.get("background"), look.surface)
        self._front = _color(options.get("color"), look.accent)
        self._text = str(options.get("text") or "")
        self._text_color = _color(options.get("textColor"), look.text)
        self._size = _number(options.get("size"), 40, 8, 400)
        self._angle = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)
        self._timer.start(_FRAME_MS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._back)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._front, max(2, self._size / 10)))
        center, half = self.rect().center(), self._size / 2
        circle = QRectF(center.x() - half, center.y() - half, self._size, self._size)
        painter.drawArc(circle, -self._angle * 16, 270 * 16)
        if self._text:
            painter.setPen(self._text_color)
            below = self.rect().adjusted(0, round(half) + 40, 0, round(half) + 40)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._text)

    def _turn(self) -> None:
        self._angle = (self._angle + _STEP) % 360
        self.update()


class MessageCover(QWidget):
    """A message with buttons, in place of a page that crashed or does not respond."""

    def __init__(self, text: str, choices: Sequence[tuple[str, Callable[[], None]]], look: Look) -> None:
        super().__init__()
        self.setObjectName("message")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for title, chosen in choices:
            button = PushButton(title, self)
            button.setAutoDefault(True)
            button.clicked.connect(lambda _, run=chosen: run())
            buttons.addWidget(button)
            if self.focusProxy() is None:
                self.setFocusProxy(button)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.addStretch(1)
        box.addWidget(label)
        box.addLayout(buttons)
        box.addStretch(1)
        self.setStyleSheet(
            f"#message {{ background: {look.surface}; }} QLabel {{ color: {look.text}; font-size: 14px; }}"
            f"QPushButton {{ color: {look.text}; background: {look.raised}; border: 1px solid {look.border};"
            " border-radius: 4px; padding: 6px 16px; }"
            f"QPushButton:focus {{ border: 2px solid {look.accent}; }}"
        )


def _color(written: Any, otherwise: str) -> QColor:
    return QColor(written) if isinstance(written, str) and QColor.isValidColorName(written) else QColor(otherwise)


def _number(written: Any, otherwise: float, least: float, most: float) -> float:
    is_number = isinstance(written, (int, float)) and not isinstance(written, bool)
    return min(max(float(written), least), most) if is_number else otherwise
