"""Cell: the place of one page in a frame, with what can cover it: a loader, a message, bars at its lower edge."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.look import Look

__all__ = ["Cell", "LoaderCover"]

_FRAME_MS = 40
_STEP = 12


class Cell(QWidget):
    """One page and what covers it."""

    def __init__(self, view: QWebEngineView, look: Look) -> None:
        """Take the view of the page."""
        super().__init__()
        self.view = view
        self._look = look
        self._cover: QWidget | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(view, 1)
        self.setFocusProxy(view)

    def set_look(self, look: Look) -> None:
        """Use other colours for what is shown from now on."""
        self._look = look

    def show_loader(self, options: Mapping[str, Any]) -> None:
        """Cover the page with a loading animation."""
        self._set_cover(LoaderCover(options, self._look))

    def hide_loader(self) -> None:
        """Remove the loading animation; a message stays."""
        if isinstance(self._cover, LoaderCover):
            self._set_cover(None)

    def show_message(self, text: str, choices: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Cover the page with a message and buttons; the keyboard is at the first one."""
        cover = _MessageCover(text, choices, self._look)
        self._set_cover(cover)
        cover.setFocus()

    def hide_message(self) -> None:
        """Remove the message."""
        if isinstance(self._cover, _MessageCover):
            self._set_cover(None)

    def add_bar(self, bar: QWidget) -> None:
        """Show a bar below the page."""
        self._box.addWidget(bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cover is not None:
            self._cover.setGeometry(self.rect())

    def _set_cover(self, cover: QWidget | None) -> None:
        if self._cover is not None:
            self._cover.hide()
            self._cover.deleteLater()
        self._cover = cover
        if cover is not None:
            cover.setParent(self)
            cover.setGeometry(self.rect())
            cover.show()
            cover.raise_()


class LoaderCover(QWidget):
    """A loading animation, drawn as the ``loader`` of an app definition says."""

    def __init__(self, options: Mapping[str, Any], look: Look) -> None:
        """Read the options; unknown ones have no effect."""
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


class _MessageCover(QWidget):
    """A message with buttons, in place of a page that crashed or does not answer."""

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
            button = QPushButton(title, self)
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
