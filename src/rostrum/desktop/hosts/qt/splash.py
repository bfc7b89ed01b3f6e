"""Windows of the platform itself: the splash screen, and the window that is shown while a layout is restored.

A plain window: ``QSplashScreen`` blocks the process for about a second while it waits to be drawn.
"""

from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rostrum.desktop.hosts.port import Splash
from rostrum.desktop.hosts.qt.covers import LoaderCover
from rostrum.desktop.hosts.qt.drags import bounds_of, rect_of
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.windows.loader import Loader

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg")


class SplashWindow(QWidget):
    """The splash; ``drawn`` is resolved when it is on the screen."""

    def __init__(self, splash: Splash, look: Look) -> None:
        kind = Qt.WindowType.SplashScreen if not splash.in_taskbar else Qt.WindowType.Window
        flags = kind | Qt.WindowType.FramelessWindowHint
        if splash.always_on_top is not False:
            flags |= Qt.WindowType.WindowStaysOnTopHint
        super().__init__(None, flags)
        self.setObjectName("splash")
        self.setWindowTitle("Rostrum is starting")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        if splash.transparent:
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.drawn = Later()
        self._splash = splash
        self._look = look
        self._picture = _picture(splash.url)
        if splash.url is not None and self._picture is None:
            self._show_page(splash.url)
        area = QGuiApplication.primaryScreen().availableGeometry()
        place = QRect(0, 0, round(splash.width), round(splash.height))
        place.moveCenter(area.center())
        self.setGeometry(place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the picture, or the name and the version."""
        painter = QPainter(self)
        if self._picture is not None:
            painter.drawPixmap(self.rect(), self._picture)
        else:
            self._draw_name(painter)
        painter.end()
        self.drawn.resolve()

    def _draw_name(self, painter: QPainter) -> None:
        look = self._look
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(look.border))
        painter.setBrush(QColor(look.surface))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 10, 10)
        painter.setPen(QColor(look.accent))
        painter.setFont(QFont(self.font().family(), 26, QFont.Weight.DemiBold))
        painter.drawText(self.rect().adjusted(0, 0, 0, -20), Qt.AlignmentFlag.AlignCenter, "Rostrum")
        painter.setPen(QColor(look.muted))
        painter.setFont(QFont(self.font().family(), 10))
        facts = [self._splash.version, self._splash.build and f"build {self._splash.build}"]
        text = " · ".join(fact for fact in facts if fact)
        painter.drawText(self.rect().adjusted(0, 60, 0, 0), Qt.AlignmentFlag.AlignCenter, text)

    def _show_page(self, url: str) -> None:
        # Imported only if needed: the engine takes longer to load than a plain image.
        from PySide6.QtWebEngineWidgets import QWebEngineView

        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        view = QWebEngineView(self)
        view.page().setBackgroundColor(Qt.GlobalColor.transparent)
        # The page covers this widget completely, so that it is not always painted.
        view.loadFinished.connect(lambda _is_loaded: self.drawn.resolve())
        view.load(QUrl.fromUserInput(url))
        box.addWidget(view)


def _picture(url: str | None) -> QPixmap | None:
    if url is None or not url.lower().endswith(_PICTURES):
        return None
    address = QUrl.fromUserInput(url)
    picture = QPixmap(address.toLocalFile()) if address.isLocalFile() else QPixmap()
    return None if picture.isNull() else picture


class LayoutLoader(QWidget):
    """A loading animation, or the configured page, in the middle of the primary display."""

    def __init__(self, loader: Loader, look: Look) -> None:
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
