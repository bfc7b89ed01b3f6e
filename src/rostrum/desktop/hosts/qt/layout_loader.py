"""LayoutLoader: the window shown while a layout is restored."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.covers import LoaderCover
from rostrum.desktop.hosts.qt.drags import bounds_of, rect_of
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.windows.loader import Loader

__all__ = ["LayoutLoader"]


class LayoutLoader(QWidget):
    """A loading animation, or the page that the settings name, in the middle of the primary display."""

    def __init__(self, loader: Loader, look: Look) -> None:
        """Prepare it."""
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle(loader.title or "Restoring the layout")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        if loader.url:
            from PySide6.QtWebEngineWidgets import QWebEngineView

            view = QWebEngineView(self)
            view.load(QUrl.fromUserInput(loader.url))
            box.addWidget(view)
        else:
            box.addWidget(LoaderCover({"text": loader.title or "Restoring the layout"}, look))
        area = bounds_of(QGuiApplication.primaryScreen().availableGeometry())
        self.setGeometry(rect_of(centred(area, loader.width or 360, loader.height or 180)))
