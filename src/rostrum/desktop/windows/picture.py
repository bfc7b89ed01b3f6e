"""A picture of the windows that a host must draw, for tests without a screen."""

import struct
import zlib
from collections.abc import Iterable

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.groups import GroupDrawing

DESKTOP = "#3a6ea5"
WINDOW = "#ffffff"
_LARGEST = 8192


class Picture:
    """A grid of coloured pixels."""

    def __init__(self, area: Bounds) -> None:
        self._left, self._top = round(area.left), round(area.top)
        self.width = max(1, min(_LARGEST, round(area.width)))
        self.height = max(1, min(_LARGEST, round(area.height)))
        self._rows = [bytearray(_rgb(DESKTOP) * self.width) for _ in range(self.height)]

    def draw(self, windows: Iterable[Bounds], groups: Iterable[GroupDrawing]) -> None:
        """Draw groups with their fill, and windows over them."""
        for group in groups:
            for gap in group.filled:
                self._fill(gap, group.background)
        for window in windows:
            self._fill(window, WINDOW)

    def at(self, x: float, y: float) -> str:
        """Return the colour at a position of the desktop."""
        column, row = round(x) - self._left, round(y) - self._top
        return "#" + bytes(self._rows[row][3 * column : 3 * column + 3]).hex()

    def png(self) -> bytes:
        """Write the picture as a PNG file."""
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in self._rows))
        chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)

    def _fill(self, bounds: Bounds, colour: str) -> None:
        first, last = (min(max(round(edge) - self._left, 0), self.width) for edge in (bounds.left, bounds.right))
        if first >= last:
            return
        line = _rgb(colour) * (last - first)
        for row in range(max(0, round(bounds.top) - self._top), min(self.height, round(bounds.bottom) - self._top)):
            self._rows[row][3 * first : 3 * last] = line


def _rgb(colour: str) -> bytes:
    return bytes.fromhex(colour.removeprefix("#"))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
