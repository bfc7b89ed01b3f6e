"""The channel selector at the window of a program."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QHBoxLayout, QWidget

from rostrum.desktop.hosts.qt.channel_selector import ChannelSelector
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import ChannelChosen, ChannelRestricted
from rostrum.desktop.windows.chrome import Selector
from rostrum.desktop.windows.geometry import Bounds

_LEFT, _HEIGHT = 28, 24
"""Offset of a selector from its window, and its maximum height."""


class SelectorWindow(QWidget):
    """A window with a channel selector; the window manager keeps it above the window of the program."""

    def __init__(self, instance: str, selector: Selector, shared: Shared) -> None:
        kind = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(None, kind)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle("Channel selector")
        self._shared = shared
        self._foreign: QWindow | None = None
        self._above = 0
        self.button = ChannelSelector(shared.look, self)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.button)
        self.button.set_selector(selector)
        self.set_look()
        self.set_channels()
        if selector.channel:
            self.button.set_joined((selector.channel,))
        report = shared.platform.report
        self.button.channels_chosen.connect(
            lambda names: report(ChannelChosen(instance=instance, channels=tuple(names)))
        )
        self.button.access_chosen.connect(
            lambda name, read, write: report(ChannelRestricted(instance=instance, channel=name, read=read, write=write))
        )

    def set_channels(self) -> None:
        self.button.set_channels([(one.name, one.color) for one in self._shared.channels])

    def set_look(self) -> None:
        self.setStyleSheet(f"background: {self._shared.look.surface};")
        self.button.set_look(self._shared.look, self._shared.look.text)

    def show_at(self, window: int, place: Bounds, title_height: int) -> None:
        """Show it in the title bar of a window, or at the top of its contents if the window has no title bar."""
        height = min(_HEIGHT, title_height) if title_height >= _HEIGHT / 2 else _HEIGHT
        top = place.top - (title_height + height) / 2 if title_height >= _HEIGHT / 2 else place.top
        self.button.setFixedHeight(round(height))
        self.setGeometry(round(place.left) + _LEFT, round(top), self.button.width(), round(height))
        if self._above != window:
            self._above = window
            self._foreign = QWindow.fromWinId(window)
            self.winId()
            self.windowHandle().setTransientParent(self._foreign)
        if not self.isVisible():
            # The window manager minimizes it together with the window of the program. If shown as minimized, it would
            # minimize that window again.
            self.setWindowState(Qt.WindowState.WindowNoState)
            self.show()
