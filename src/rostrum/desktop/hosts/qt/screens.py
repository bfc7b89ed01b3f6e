"""The displays, as reported by Qt."""

import base64
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen

from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.drags import bounds_of
from rostrum.desktop.windows.geometry import Screen

_SETTLE_MS = 100
"""Several changes arrive together when a display is connected."""


def screens_now() -> tuple[Screen, ...]:
    """Return the displays, the primary one first."""
    primary = QGuiApplication.primaryScreen()
    every = sorted(QGuiApplication.screens(), key=lambda one: one is not primary and one != primary)
    return tuple(_screen(one, number, is_primary=one == primary) for number, one in enumerate(every))


def capture_screen(identity: str, scale: float) -> str:
    """Return a screenshot of a display as Base64 of a PNG file."""
    for number, screen in enumerate(QGuiApplication.screens()):
        if (screen.name() or str(number)) == identity:
            picture = screen.grabWindow(0)
            if picture.isNull():
                raise Refused("this system does not allow screenshots")
            smooth = Qt.TransformationMode.SmoothTransformation
            width = max(1, round(picture.width() * scale))
            shown = picture if scale == 1 else picture.scaledToWidth(width, smooth)
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            shown.save(buffer, "PNG")
            return base64.b64encode(bytes(buffer.data().data())).decode()
    raise Refused(f"there is no display {identity!r}")


class ScreenWatch(QObject):
    """Calls a function when the displays change."""

    def __init__(self, changed: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(changed)
        app = QGuiApplication.instance()
        app.screenAdded.connect(self._added)
        app.screenRemoved.connect(lambda _: self._timer.start())
        app.primaryScreenChanged.connect(lambda _: self._timer.start())
        for screen in QGuiApplication.screens():
            self._watch(screen)

    def _added(self, screen: QScreen) -> None:
        self._watch(screen)
        self._timer.start()

    def _watch(self, screen: QScreen) -> None:
        for signal in (
            screen.geometryChanged,
            screen.availableGeometryChanged,
            screen.logicalDotsPerInchChanged,
        ):
            signal.connect(lambda _: self._timer.start())


def _screen(screen: QScreen, number: int, *, is_primary: bool) -> Screen:
    return Screen(
        id=screen.name() or str(number),
        work_area=bounds_of(screen.availableGeometry()),
        primary=is_primary,
        bounds=bounds_of(screen.geometry()),
        scale=screen.devicePixelRatio(),
        name=screen.name(),
        dpi=round(screen.logicalDotsPerInch() * screen.devicePixelRatio()),
    )
