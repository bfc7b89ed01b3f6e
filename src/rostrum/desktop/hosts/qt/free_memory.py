"""FreeMemory: returns memory to the system that closed windows have left.

The C library of Linux keeps freed memory for later uses, which often do not fit into it. After hours of opening and
closing windows, most memory of the window process was free and yet not returned.
"""

import ctypes
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

__all__ = ["FreeMemory"]

_PAUSE_MS = 1500
"""Memory is returned this long after the last window was closed, and not for each one of many."""


class FreeMemory(QObject):
    """Waits until windows were closed; without effect where the C library returns memory by itself."""

    def __init__(self, parent: QObject) -> None:
        """Start to wait."""
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        trim = _trim()
        if trim is not None:
            self._timer.timeout.connect(lambda: trim(0))

    def window_closed(self) -> None:
        """Return memory soon."""
        self._timer.start()


def _trim() -> Callable[[int], int] | None:
    """Return the function of glibc that returns memory; other C libraries do not have it."""
    if not sys.platform.startswith("linux"):
        return None
    function = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if function is not None:
        function.argtypes, function.restype = (ctypes.c_size_t,), ctypes.c_int
    return function
