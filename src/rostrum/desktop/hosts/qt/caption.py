"""The caption bar of a window: title, channel selector and buttons; dragging it moves the window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.channel_selector import ChannelSelector
from rostrum.desktop.hosts.qt.drags import SecondClick, alt_held
from rostrum.desktop.hosts.qt.look import Look, readable_on

HEIGHT = 30
_LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class AddedButton:
    """A button that an app has added to the caption bar."""

    id: str
    tooltip: str
    order: float
    image: QPixmap


class Grip(Protocol):
    """The object that a caption bar moves."""

    def begin_move(self, pointer: QPoint) -> None:
        """Start a move with the pointer."""
        ...

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        """Follow the pointer."""
        ...

    def end_drag(self, *, alt: bool = False) -> None:
        """End the move at the position of the pointer."""
        ...


class CaptionBar(QWidget):
    """The bar above a page.

    Attributes:
        selector: The channel selector; hidden if the window has none.
        added: The buttons that an app has added, in their order.
        close_clicked: Emitted when the close button is clicked; the other buttons likewise.
        title_entered: Emitted with the title that the user entered.
        button_clicked: Emitted with the id of a button that an app has added.
        menu_wanted: Emitted with the position for the menu of the platform.
    """

    close_clicked = Signal()
    minimize_clicked = Signal()
    maximize_clicked = Signal()
    title_entered = Signal(str)
    button_clicked = Signal(str)
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget, grip: Grip, look: Look) -> None:
        """Create an empty bar; dragging it moves ``grip``."""
        super().__init__(parent)
        self.setObjectName("caption")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._grip = grip
        self._look = look
        self._color: str | None = None
        self._is_compact = False
        self._added: list[ToolButton] = []
        self.added: tuple[AddedButton, ...] = ()
        self.title_editable = False
        self.selector = ChannelSelector(look, self)
        self.selector.hide()
        self._icon = QLabel()
        self._icon.setFixedSize(18, 18)
        self._icon.hide()
        self._title = _Title()
        self._editor: TitleEditor | None = None
        self._second_click = SecondClick()
        self._minimize = self._button("minimize", "Minimize", self.minimize_clicked.emit)
        self._maximize = self._button("maximize", "Maximize", self.maximize_clicked.emit)
        self._close = self._button("close", "Close", self.close_clicked.emit)
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(6, 0, 2, 0)
        self._box.setSpacing(4)
        for widget, stretch in ((self.selector, 0), (self._icon, 0), (self._title, 1)):
            self._box.addWidget(widget, stretch)
        for button in (self._minimize, self._maximize, self._close):
            self._box.addWidget(button)
        self._draw()

    def set_title(self, title: str) -> None:
        self._title.set_whole(title)

    @property
    def title(self) -> str:
        """Return the complete title."""
        return self._title.whole

    @property
    def buttons(self) -> tuple[str, ...]:
        """Return the visible standard buttons."""
        every = (self._minimize, self._maximize, self._close)
        return tuple(button.objectName() for button in every if not button.isHidden())

    def set_icon(self, icon: QIcon) -> None:
        """Show an icon beside the title."""
        self._icon.setPixmap(icon.pixmap(QSize(16, 16)))
        self._icon.setVisible(not icon.isNull() and not self._is_compact)

    def set_compact(self, *, compact: bool) -> None:
        """Show only the buttons, or also icon and title."""
        self._is_compact = compact
        self._title.setVisible(not compact)
        self._icon.setVisible(not compact and not self._icon.pixmap().isNull())
        width = QSizePolicy.Policy.Maximum if compact else QSizePolicy.Policy.Preferred
        self.setSizePolicy(width, QSizePolicy.Policy.Fixed)

    def set_look(self, look: Look) -> None:
        """Draw the bar in other colours."""
        self._look = look
        self._draw()

    def set_color(self, color: str | None) -> None:
        """Set the colour of the bar; None uses the theme."""
        valid = color if color and QColor.isValidColorName(color) else None
        if valid != self._color:
            self._color = valid
            self._draw()

    def set_buttons(self, *, minimize: bool, maximize: bool, close: bool) -> None:
        """Choose which standard buttons are shown."""
        self._minimize.setVisible(minimize)
        self._maximize.setVisible(maximize)
        self._close.setVisible(close)

    def set_maximized(self, *, maximized: bool) -> None:
        """Set whether the maximize button restores the window."""
        name = "Restore" if maximized else "Maximize"
        self._maximize.setToolTip(name)
        self._maximize.setAccessibleName(name)
        self._maximize.setProperty("symbol", "restore" if maximized else "maximize")
        self._draw()

    def set_added(self, buttons: Sequence[AddedButton]) -> None:
        """Show the buttons that an app has added, in their order."""
        for old in self._added:
            self._box.removeWidget(old)
            old.deleteLater()
        self._added = []
        self.added = tuple(sorted(buttons, key=lambda each: each.order))
        place = self._box.indexOf(self._minimize)
        for one in self.added:
            button = self._button("added", one.tooltip, partial(self.button_clicked.emit, one.id))
            button.setIcon(QIcon(one.image))
            button.setIconSize(QSize(16, 16))
            self._box.insertWidget(place + len(self._added), button)
            self._added.append(button)

    @property
    def is_editing(self) -> bool:
        """Return whether the user is entering a title."""
        return self._editor is not None

    def edit_title(self) -> None:
        """Let the user enter another title."""
        if not self.title_editable or self._editor is not None or self._is_compact:
            return
        editor = TitleEditor(self._title.whole, self)
        editor.setMaxLength(_LONGEST_TITLE)
        editor.setGeometry(self._title.geometry().adjusted(0, 4, 0, -4))
        editor.finished.connect(self._title_edited)
        self._editor = editor
        editor.show()
        editor.selectAll()
        editor.setFocus()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a drag of the window."""
        self._second_click.release()
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip.begin_move(event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the window."""
        self._second_click.move(event)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._grip.drag_to(event.globalPosition().toPoint(), alt=alt_held(event))
        else:
            # The window manager may not forward the release: the window must not stay attached to the pointer.
            self._grip.end_drag(alt=alt_held(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip.end_drag(alt=alt_held(event))
            if self._second_click.release():
                self._double_clicked(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Start a drag; if the button is released without one, it was a double click."""
        self.mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._second_click.press(event)

    def _double_clicked(self, event: QMouseEvent) -> None:
        """Edit the title when it is clicked, else maximize or restore the window."""
        if self.title_editable and self._title.covers(event.position().toPoint()):
            self.edit_title()
        elif self._maximize.isVisibleTo(self):
            self.maximize_clicked.emit()

    def _title_edited(self, text: str | None) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        editor.deleteLater()
        if text is not None and text.strip() and text.strip() != self._title.whole:
            self.title_entered.emit(text.strip())

    def _button(self, name: str, label: str, clicked: Callable[[], object]) -> ToolButton:
        button = ToolButton(self)
        button.setObjectName(name)
        button.setProperty("symbol", name)
        button.setFixedSize(26, 24)
        button.setIconSize(QSize(12, 12))
        button.setToolTip(label)
        button.setAccessibleName(label)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: clicked())
        return button

    def _draw(self) -> None:
        look = self._look
        back = QColor(self._color or look.surface)
        text = readable_on(back.red(), back.green(), back.blue()) if self._color else look.text
        hover = back.lighter(130) if back.lightness() < 128 else back.darker(112)
        self.setStyleSheet(
            f"#caption {{ background: {back.name()}; }}"
            f"QLabel {{ color: {text}; }}"
            f"QLineEdit {{ color: {look.text}; background: {look.raised}; border: 1px solid {look.accent}; }}"
            "QToolButton { border: none; background: transparent; }"
            f"QToolButton:hover, QToolButton:focus {{ background: {hover.name()}; }}"
            f"#close:hover {{ background: {look.danger}; }}"
        )
        for button in (self._minimize, self._maximize, self._close):
            button.setIcon(symbol(str(button.property("symbol")), text))
        self.selector.set_look(look, text)


class _Title(QLabel):
    """A title that is truncated if there is not enough space."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Presses on the title go to the bar.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_whole(self, text: str) -> None:
        self.whole = text
        self._cut()

    def covers(self, place: QPoint) -> bool:
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return self.geometry().contains(place) and place.x() <= self.x() + width

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self.whole, Qt.TextElideMode.ElideRight, max(0, self.width() - 4)))


class TitleEditor(QLineEdit):
    """The input field for another title."""

    finished = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.finished.emit(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit(self.text())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.finished.emit(self.text())


def symbol(name: str, color: str) -> QIcon:
    """Draw the symbol of a button in the text colour of the theme."""
    picture = QPixmap(24, 24)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), 2))
    if name == "close":
        painter.drawLine(4, 4, 20, 20)
        painter.drawLine(20, 4, 4, 20)
    elif name == "minimize":
        painter.drawLine(4, 18, 20, 18)
    elif name == "maximize":
        painter.drawRect(4, 4, 16, 16)
    elif name == "restore":
        painter.drawRect(4, 8, 12, 12)
        painter.drawPolyline([QPoint(8, 8), QPoint(8, 4), QPoint(20, 4), QPoint(20, 16), QPoint(16, 16)])
    elif name == "more":
        painter.drawPolyline([QPoint(4, 8), QPoint(12, 16), QPoint(20, 8)])
    painter.end()
    return QIcon(picture)
