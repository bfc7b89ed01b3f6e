"""The invisible strips over an HTML window by which the user moves it, and its buttons."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QCursor, QEnterEvent, QMouseEvent, QMoveEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.drags import alt_held
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.windows.chrome import MoveArea

_SIDES = ("left", "top", "right", "bottom")
_BUTTONS = (("minimize", "_", "Minimize"), ("maximize", "□", "Maximize"), ("close", "×", "Close"))


class _Strip(QWidget):
    """A strip that moves the window."""

    def __init__(self, pane: Pane) -> None:
        super().__init__(pane)
        self._grip = pane

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip.begin_move(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._grip.drag_to(event.globalPosition().toPoint(), alt=alt_held(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip.end_drag(alt=alt_held(event))


class _Corner(QWidget):
    """The upper right corner of a window, with buttons that may be hidden until the pointer is there."""

    def __init__(self, pane: Pane, visibility: str, chosen: Callable[[str], None]) -> None:
        super().__init__(pane)
        self._is_on_demand = visibility == "onDemand"
        self.buttons = QWidget(self)
        self.buttons.setStyleSheet("QToolButton { background: #33404f; color: white; border: none; }")
        box = QHBoxLayout(self.buttons)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for name, text, label in _BUTTONS:
            button = ToolButton(self.buttons)
            button.setText(text)
            button.setAccessibleName(label)
            button.setFixedSize(26, 22)
            button.clicked.connect(lambda _, one=name: chosen(one))
            box.addWidget(button)
        self.resize(self.buttons.sizeHint())
        self.buttons.resize(self.size())
        self.buttons.setVisible(visibility == "always")
        # A hidden corner would take clicks from the page; on demand, the pointer shows the buttons first.
        self.setVisible(visibility != "onFocus")

    def show_buttons(self, *, shown: bool) -> None:
        self.setVisible(shown)
        self.buttons.setVisible(shown)

    def moveEvent(self, event: QMoveEvent) -> None:
        if self._is_on_demand:
            # Qt reports only pointer moves, not that the corner moved under the pointer or away from it.
            self.buttons.setVisible(self.rect().contains(self.mapFromGlobal(QCursor.pos())))
        super().moveEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        if self._is_on_demand:
            self.buttons.show()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self._is_on_demand:
            self.buttons.hide()
        super().leaveEvent(event)


class MoveAreas(QObject):
    """The strips and the buttons of one window, above its page."""

    def __init__(self, pane: Pane, area: MoveArea | None, buttons: str | None, chosen: Callable[[str], None]) -> None:
        """Add them; ``chosen`` is called with minimize, maximize or close."""
        super().__init__(pane)
        self._pane = pane
        self._strips: dict[str, tuple[_Strip, int, tuple[int, int, int, int]]] = {}
        if area is not None:
            for side, thickness in zip(_SIDES, _four(area.thickness), strict=True):
                if thickness > 0:
                    strip = _Strip(pane)
                    self._strips[side] = (strip, thickness, _four(area.margins.get(side, "")))
        self._corner = _Corner(pane, buttons, chosen) if buttons is not None and buttons != "off" else None
        self._on_focus = buttons == "onFocus"
        pane.installEventFilter(self)
        self._place()

    def focus_changed(self, focused: bool) -> None:  # noqa: FBT001 - a signal of Qt
        """Show the buttons while the window has the focus, if configured."""
        if self._on_focus and self._corner is not None:
            self._corner.show_buttons(shown=focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the pane."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        width, height = self._pane.width(), self._pane.height()
        for side, (strip, thickness, margin) in self._strips.items():
            place = {
                "left": QRect(0, 0, thickness, height),
                "top": QRect(0, 0, width, thickness),
                "right": QRect(width - thickness, 0, thickness, height),
                "bottom": QRect(0, height - thickness, width, thickness),
            }[side]
            left, top, right, bottom = margin
            strip.setGeometry(place.adjusted(left, top, -right, -bottom))
            strip.show()
            strip.raise_()
        if self._corner is not None:
            self._corner.move(width - self._corner.width(), 0)
            self._corner.raise_()


def _four(written: str) -> tuple[int, int, int, int]:
    """Parse "left, top, right, bottom"; invalid values are 0."""
    numbers = [part.strip() for part in written.split(",")]
    values = [int(part) if part.lstrip("-").isdigit() else 0 for part in numbers[:4]]
    left, top, right, bottom = (*values, 0, 0, 0, 0)[:4]
    return left, top, right, bottom
