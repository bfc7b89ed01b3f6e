"""The button with which the user selects the channels of a window, and its access to each."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from rostrum.desktop.hosts.port import ChannelAccess
from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.look import Look, menu_style
from rostrum.desktop.windows.chrome import Selector

_NO_CHANNEL = "No channel"


class ChannelSelector(ToolButton):
    """A button in the colours of the joined channels; its menu selects others.

    Attributes:
        channels_chosen: Emitted with the names of the selected channels.
        access_chosen: Emitted with a channel, and whether the window receives from it and sends to it.
    """

    channels_chosen = Signal(list)
    access_chosen = Signal(str, bool, bool)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        """Create a button for one channel, with no channel selected."""
        super().__init__(parent)
        self._look = look
        self._text = look.text
        self._selector = Selector(type="single", read_only=False, channel=None)
        self._channels: Sequence[tuple[str, str]] = ()
        self._joined: tuple[str, ...] = ()
        self._access: dict[str, ChannelAccess] = {}
        self.setObjectName("channel")
        self.setFixedSize(26, 24)
        self.setIconSize(QSize(12, 12))
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._name()
        self.clicked.connect(lambda: self.open_at(self.mapToGlobal(QPoint(0, self.height()))))

    @property
    def selector(self) -> Selector:
        """Return the type of the selector: one channel or several, with or without directions."""
        return self._selector

    @property
    def joined(self) -> tuple[tuple[str, str], ...]:
        """Return the channels that the window has joined, each with its colour."""
        colors = dict(self._channels)
        return tuple((name, colors.get(name, "")) for name in self._joined)

    @property
    def access(self) -> tuple[ChannelAccess, ...]:
        """Return the access of the window to its channels."""
        return tuple(self._access_of(name) for name in self._joined)

    def set_selector(self, selector: Selector) -> None:
        """Set the type: one channel or several, with or without directions, or no selection."""
        self._selector = selector
        self._name()
        self.update()

    def set_look(self, look: Look, text: str) -> None:
        """Draw the button in other colours; ``text`` is that of the symbol while no channel is joined."""
        self._look, self._text = look, text
        self.update()

    def set_channels(self, channels: Sequence[tuple[str, str]]) -> None:
        """Set the available channels with their colours."""
        self._channels = channels
        self.update()

    def set_joined(self, names: Sequence[str], access: Sequence[ChannelAccess] = ()) -> None:
        """Show the channels that the window has joined, and its access to them."""
        self._joined = tuple(names)
        self._access = {one.channel: one for one in access}
        self._name()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw one stripe for each channel, and the symbol: a link, or an arrow for each allowed direction."""
        painter = QPainter(self)
        colors = [QColor(color) for name, color in self._channels if name in self._joined]
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), QColor(self._look.border))
        for number, color in enumerate(colors):
            left, right = (round(self.width() * one / len(colors)) for one in (number, number + 1))
            painter.fillRect(left, 0, right - left, self.height(), color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("#ffffff" if colors else self._text), 1.5))
        self._draw_symbol(painter)
        painter.end()

    def _draw_symbol(self, painter: QPainter) -> None:
        if not self._is_directional or not self._joined:
            painter.drawEllipse(8, 10, 3, 3)
            painter.drawEllipse(15, 10, 3, 3)
            painter.drawLine(11, 12, 15, 12)
            return
        access = [self._access_of(name) for name in self._joined]
        if any(one.read for one in access):
            painter.drawPolyline([QPoint(7, 12), QPoint(10, 15), QPoint(13, 12)])
            painter.drawLine(10, 8, 10, 15)
        if any(one.write for one in access):
            painter.drawPolyline([QPoint(13, 11), QPoint(16, 8), QPoint(19, 11)])
            painter.drawLine(16, 8, 16, 15)

    @property
    def _is_directional(self) -> bool:
        return self._selector.type.startswith("directional")

    def _access_of(self, channel: str) -> ChannelAccess:
        return self._access.get(channel) or ChannelAccess(channel=channel)

    def _name(self) -> None:
        shown = f"Channel: {', '.join(self._joined)}" if self._joined else "Select channel"
        if self._selector.read_only and not self._joined:
            shown = "No channel"
        self.setToolTip(shown)
        self.setAccessibleName(shown)

    def open_at(self, place: QPoint) -> None:
        """Open the menu at a position of the screen, unless selection is disabled."""
        if self._selector.read_only:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(menu_style(self._look))
        for name, color in self._channels:
            action = menu.addAction(_dot(color), name)
            action.setCheckable(True)
            action.setChecked(name in self._joined)
            action.triggered.connect(lambda _, chosen=name: self._clicked(chosen))
        if self._joined:
            menu.addSeparator()
            menu.addAction(_NO_CHANNEL).triggered.connect(lambda: self.channels_chosen.emit([]))
        if self._is_directional:
            self._add_directions(menu)
        menu.popup(place)

    def _add_directions(self, menu: QMenu) -> None:
        for name in self._joined:
            menu.addSeparator()
            access = self._access_of(name)
            receive, send = menu.addAction(f"Receive from {name}"), menu.addAction(f"Send to {name}")
            for action, allowed in ((receive, access.read), (send, access.write)):
                action.setCheckable(True)
                action.setChecked(allowed)
            receive.triggered.connect(lambda on, one=name, kept=access.write: self.access_chosen.emit(one, on, kept))
            send.triggered.connect(lambda on, one=name, kept=access.read: self.access_chosen.emit(one, kept, on))

    def _clicked(self, name: str) -> None:
        if "multi" not in self._selector.type.lower():
            self.channels_chosen.emit([] if self._joined == (name,) else [name])
        elif name in self._joined:
            self.channels_chosen.emit([one for one in self._joined if one != name])
        else:
            self.channels_chosen.emit([*self._joined, name])


def _dot(color: str) -> QIcon:
    picture = QPixmap(14, 14)
    picture.fill(QColor(color) if QColor.isValidColorName(color) else QColor("#808080"))
    return QIcon(picture)
