"""Transparent windows: blended by the system, or with parts cut out of them.

Blending needs a compositor. Cutting out works on every X server: pixels of a colour, or all that the page leaves empty,
or all that the page does not declare as its regions, show the window behind, which also gets the pointer there.
"""

import json
from typing import Any

from PySide6.QtCore import QObject, QRect, Qt, QTimer
from PySide6.QtGui import QBitmap, QColor, QImage, QRegion
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView

from rostrum.desktop.windows.surface import Surface

_INTERVAL_MS = 150
_NOTHING = QRegion(0, 0, 1, 1)
"""An empty region would mean the whole window."""
_ISOLATED = 1
"""A separate script world, in which the page cannot change the result."""
_APP_REGIONS = """JSON.stringify([...document.querySelectorAll('*')]
  .filter((one) => !['none', ''].includes(getComputedStyle(one).getPropertyValue('-webkit-app-region')))
  .map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height]))"""
_MOST_REGIONS = 1000
_WHITE, _BLACK = 0xFFFFFFFF, 0xFF000000


def is_blended(surface: Surface) -> bool:
    """Return whether a transparent window needs a surface with an alpha channel."""
    return surface.transparency != "KeyColor"


def make_transparent(view: QWebEngineView, page: QWebEnginePage, surface: Surface) -> None:
    """Make the window of a page transparent, as configured."""
    is_keyed = surface.transparency == "KeyColor" and surface.key_color is not None
    page.setBackgroundColor(QColor(surface.key_color) if is_keyed else Qt.GlobalColor.transparent)
    if is_keyed or surface.transparency == "Regions" or surface.regions is not None:
        _CutOut(view, page, surface)


class _CutOut(QObject):
    """Gives a window the shape of its page's content.

    The engine does not report when a page has drawn, so this polls while the window is on the screen.
    """

    def __init__(self, view: QWebEngineView, page: QWebEnginePage, surface: Surface) -> None:
        super().__init__(view)
        self._view = view
        self._page = page
        self._surface = surface
        self._seen: Any = None
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        if not self._view.isVisible():
            return
        if self._surface.regions == "UseAppRegion":
            self._page.runJavaScript(_APP_REGIONS, _ISOLATED, self._declared)
            return
        # Of the whole window: the view alone would be drawn on its own background.
        window, place = self._view.window(), self._view.rect()
        shown = QRect(self._view.mapTo(window, place.topLeft()), place.size())
        image = window.grab(shown).toImage().scaled(place.size())
        if image != self._seen:
            self._seen = image
            self._cut(self._drawn(image))

    def _drawn(self, image: QImage) -> QRegion:
        if self._surface.transparency == "KeyColor":
            color = QColor(self._surface.key_color).rgb()
            opaque = image.convertToFormat(QImage.Format.Format_RGB32)
            mask = opaque.createMaskFromColor(color, Qt.MaskMode.MaskOutColor)
            # Black belongs to the region; Qt returns this mask inverted.
            mask.setColorTable([_WHITE, _BLACK])
        else:
            mask = image.createAlphaMask()
        return QRegion(QBitmap.fromImage(mask))

    def _declared(self, found: object) -> None:
        seen = (found, self._view.size())
        if seen == self._seen or not isinstance(found, str) or not found:
            return
        self._seen = seen
        zoom, region = self._page.zoomFactor(), QRegion()
        for left, top, width, height in json.loads(found)[:_MOST_REGIONS]:
            region += QRect(round(left * zoom), round(top * zoom), round(width * zoom), round(height * zoom))
        self._cut(region)

    def _cut(self, region: QRegion) -> None:
        window, place = self._view.window(), self._view.rect()
        corner = self._view.mapTo(window, place.topLeft())
        around = QRegion(window.rect()) - QRegion(place.translated(corner))
        shape = around + (region & place).translated(corner)
        window.setMask(_NOTHING if shape.isEmpty() else shape)
        # Qt does not draw an added part of the shape until something else changes.
        window.update()
