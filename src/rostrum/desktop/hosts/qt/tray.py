"""The platform's menu in the notification area, or in a small window if there is no such area."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from rostrum.desktop.hosts.port import TrayEntry
from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.look import Look, menu_style

_OFFLINE = "offline"
_SIZE = 36


class TrayIcon:
    """The icon and its menu."""

    def __init__(self, chosen: Callable[[str], None], look: Callable[[], Look]) -> None:
        self._chosen = chosen
        self._look = look
        self._icon: QSystemTrayIcon | None = None
        self._button: ToolButton | None = None
        self._menu: QMenu | None = None

    @property
    def menu(self) -> QMenu | None:
        """Return the menu."""
        return self._menu

    def show(self, entries: Sequence[TrayEntry]) -> None:
        """Show the icon with this menu."""
        menu = QMenu()
        menu.setStyleSheet(menu_style(self._look()))
        self._fill(menu, entries)
        old, self._menu = self._menu, menu
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._show_icon(menu)
        else:
            self._show_button()
        if old is not None:
            old.deleteLater()

    def close(self) -> None:
        """Remove the icon."""
        for one in (self._icon, self._button, self._menu):
            if one is not None:
                one.hide()
                one.deleteLater()
        self._icon = self._button = self._menu = None

    def open_menu(self, place: QPoint) -> None:
        """Open the menu at a position."""
        if self._menu is not None:
            self._menu.popup(place)

    def move(self) -> None:
        """Keep the small window in the corner of the primary display."""
        if self._button is not None:
            area = QGuiApplication.primaryScreen().availableGeometry()
            self._button.move(area.left() + 8, area.bottom() - _SIZE - 8)

    def _show_icon(self, menu: QMenu) -> None:
        if self._icon is None:
            self._icon = QSystemTrayIcon(product_icon())
            self._icon.setToolTip("Rostrum")
            self._icon.activated.connect(self._activated)
        self._icon.setContextMenu(menu)
        self._icon.show()
        if self._button is not None:
            self._button.hide()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger and self._menu is not None:
            self._menu.popup(self._icon.geometry().center() if self._icon is not None else QPoint(0, 0))

    def _show_button(self) -> None:
        """Show a small window in the corner: without it, users could not exit the platform."""
        if self._button is None:
            button = ToolButton()
            button.setWindowFlags(
                Qt.WindowType.Tool
                | Qt.WindowType.FramelessWindowHint
                | Qt.WindowType.WindowStaysOnTopHint
                | Qt.WindowType.WindowDoesNotAcceptFocus
            )
            button.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            button.setWindowTitle("Rostrum menu")
            button.setAccessibleName("Open the menu of Rostrum")
            button.setIcon(product_icon())
            button.setIconSize(button.iconSize() * 1.4)
            button.setFixedSize(_SIZE, _SIZE)
            button.clicked.connect(lambda: self.open_menu(button.mapToGlobal(QPoint(0, 0))))
            look = self._look()
            button.setStyleSheet(f"background: {look.raised}; border: 1px solid {look.border}; border-radius: 6px;")
            self._button = button
        self.move()
        self._button.show()

    def _fill(self, menu: QMenu, entries: Sequence[TrayEntry]) -> None:
        for entry in entries:
            if entry.entries:
                self._fill(menu.addMenu(entry.title), entry.entries)
                continue
            action = menu.addAction(entry.title)
            action.setEnabled(entry.id != _OFFLINE)
            action.triggered.connect(lambda _, chosen=entry.id: self._chosen(chosen))


def product_icon() -> QIcon:
    """Draw the icon of the platform."""
    picture = QPixmap(64, 64)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#2563c9"))
    painter.drawRoundedRect(4, 4, 56, 56, 12, 12)
    painter.setPen(QColor("#ffffff"))
    painter.setFont(QFont("sans-serif", 30, QFont.Weight.Bold))
    painter.drawText(picture.rect(), Qt.AlignmentFlag.AlignCenter, "R")
    painter.end()
    return QIcon(picture)
