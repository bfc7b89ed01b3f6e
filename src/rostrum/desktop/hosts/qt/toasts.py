"""Toasts: notifications in a corner of the screen that do not take the focus."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rostrum.desktop.hosts.port import Toast
from rostrum.desktop.hosts.qt.buttons import PushButton, ToolButton
from rostrum.desktop.hosts.qt.look import Look

_WIDTH = 340
_GAP = 10
_MOST_SHOWN = 5
"""Maximum number of visible toasts in a corner; the others are queued."""
_MOST_KEPT = 200
_MOST_ACTIONS = 4
SNOOZE = "snooze"
"""The action of the button that postpones a notification."""
_SEVERITIES = {"Critical": "#c62828", "High": "#e07b00", "Medium": "#2563c9", "Low": "#4a7a4a"}


class ToastWindow(QWidget):
    """One toast, or a stack of toasts of which the newest is shown."""

    clicked = Signal(str)
    closed = Signal(str)
    action = Signal(str, str)

    def __init__(self, toast: Toast, look: Look) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.WindowDoesNotAcceptFocus,
        )
        self.setObjectName("toast")
        self.setWindowTitle("Notification")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.toasts: list[Toast] = []
        self._app = self._label("app")
        self._title = self._label("title")
        self._count = self._label("count")
        self._body = self._label("body")
        self._body.setWordWrap(True)
        close = ToolButton(self)
        close.setText("×")
        close.setAccessibleName("Close notification")
        close.clicked.connect(lambda: self.closed.emit(self.toasts[-1].id))
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._count)
        head.addWidget(close)
        self._actions = QHBoxLayout()
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 10, 10, 12)
        box.addWidget(self._app)
        box.addLayout(head)
        box.addWidget(self._body)
        box.addLayout(self._actions)
        self._look = look
        self.add(toast)

    def add(self, toast: Toast) -> None:
        """Add a toast to the stack."""
        self.toasts = [one for one in self.toasts if one.id != toast.id] + [toast]
        self._draw()

    def remove(self, toast: str) -> bool:
        """Remove a toast; return whether the stack is empty."""
        self.toasts = [one for one in self.toasts if one.id != toast]
        if self.toasts:
            self._draw()
        return not self.toasts

    def set_look(self, look: Look) -> None:
        """Draw the toast in other colours."""
        self._look = look
        self._color()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report a click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self.toasts[-1].id)

    def _label(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _draw(self) -> None:
        toast = self.toasts[-1]
        self._app.setText(toast.app)
        self._app.setVisible(bool(toast.app))
        self._title.setText(toast.title)
        self._body.setText(toast.body)
        self._count.setText(f"{len(self.toasts)}" if len(self.toasts) > 1 else "")
        while (item := self._actions.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for one in toast.actions[:_MOST_ACTIONS]:
            button = PushButton(one.title, self)
            button.clicked.connect(lambda _, chosen=one.id, identity=toast.id: self.action.emit(identity, chosen))
            self._actions.addWidget(button)
        if toast.snooze:
            button = PushButton("Snooze", self)
            button.clicked.connect(lambda _, identity=toast.id: self.action.emit(identity, SNOOZE))
            self._actions.addWidget(button)
        self._color()
        self.setFixedWidth(_WIDTH)
        self.adjustSize()

    def _color(self) -> None:
        look = self._look
        stripe = _SEVERITIES.get(self.toasts[-1].severity, look.border)
        style = (
            f"#toast {{ background: {look.raised}; border: 1px solid {look.border}; border-left: 5px solid {stripe}; }}"
            f"#title {{ color: {look.text}; font-weight: 600; }} #body {{ color: {look.text}; }}"
            f"#count, #app {{ color: {look.muted}; }}"
            f"QToolButton {{ border: none; color: {look.muted}; font-size: 15px; }}"
            f"QPushButton {{ color: {look.accent}; background: transparent; border: 1px solid {look.border};"
            " border-radius: 4px; padding: 4px 10px; }"
        )
        # To apply a style takes much longer than to change the texts, and an app can add many toasts to a stack.
        if style != self.styleSheet():
            self.setStyleSheet(style)


class Toasts:
    """All toasts on the screen."""

    def __init__(self, look: Callable[[], Look]) -> None:
        self._look = look
        self._windows: list[tuple[str, str | None, ToastWindow]] = []
        self.clicked: Callable[[str], None] = lambda _: None
        self.closed: Callable[[str], None] = lambda _: None
        self.action: Callable[[str, str], None] = lambda _, __: None

    def show(self, toast: Toast) -> None:
        """Show a toast; a stacked toast is put on top of its stack."""
        for corner, stack, window in self._windows:
            same = any(one.id == toast.id for one in window.toasts)
            if same or (toast.stack is not None and (corner, stack) == (toast.corner, toast.stack)):
                window.add(toast)
                self._arrange()
                return
        if len(self._windows) >= _MOST_KEPT:
            self.hide(self._windows[0][2].toasts[0].id)
        window = ToastWindow(toast, self._look())
        window.clicked.connect(lambda identity: self.clicked(identity))
        window.closed.connect(lambda identity: self.closed(identity))
        window.action.connect(lambda identity, name: self.action(identity, name))
        self._windows.append((toast.corner, toast.stack, window))
        self._arrange()

    def hide(self, toast: str) -> None:
        """Remove a toast."""
        for entry in list(self._windows):
            if any(one.id == toast for one in entry[2].toasts) and entry[2].remove(toast):
                self._windows.remove(entry)
                entry[2].close()
                entry[2].deleteLater()
        self._arrange()

    def set_look(self) -> None:
        """Draw the toasts in the colours of the selected theme."""
        for _, _, window in self._windows:
            window.set_look(self._look())

    def close(self) -> None:
        """Remove all toasts."""
        for _, _, window in self._windows:
            window.close()
            window.deleteLater()
        self._windows.clear()

    def _arrange(self) -> None:
        used: dict[str, int] = {}
        shown: dict[str, int] = {}
        area = QGuiApplication.primaryScreen().availableGeometry()
        for corner, _, window in reversed(self._windows):
            shown[corner] = shown.get(corner, 0) + 1
            if shown[corner] > _MOST_SHOWN:
                window.hide()
                continue
            offset = used.get(corner, _GAP)
            window.move(_place(corner, area, window, offset))
            used[corner] = offset + window.height() + _GAP
            window.show()


def _place(corner: str, area: QRect, window: QWidget, offset: int) -> QPoint:
    word = corner.lower()
    left = area.left() + _GAP if "left" in word else area.right() + 1 - _GAP - window.width()
    top = area.top() + offset if "top" in word else area.bottom() + 1 - offset - window.height()
    return QPoint(left, top)
