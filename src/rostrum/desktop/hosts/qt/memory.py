"""Memory limits of pages, and release of unused memory."""

import ctypes
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWebEngineCore import QWebEnginePage

_log = logging.getLogger(__name__)

_INTERVAL_MS = 2000
_MEGABYTE = 1024 * 1024
_PAUSE_MS = 1500
"""Delay after the last window was closed, so that memory is released once for many windows."""


def memory_of(process: int) -> int | None:
    """Return the private memory of a process in bytes; None if the system does not report it."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "VmSwap:")))


class MemoryWatch(QObject):
    """Monitors one page; on Linux, where the system reports the memory of a process."""

    def __init__(self, page: QWebEnginePage, megabytes: float, exceeded: Callable[[], None], parent: QObject) -> None:
        """Start to monitor; ``exceeded`` is called before the process of the page is ended."""
        super().__init__(parent)
        self._page = page
        self._limit = megabytes * _MEGABYTE
        self._exceeded = exceeded
        if sys.platform.startswith("linux"):
            timer = QTimer(self)
            timer.timeout.connect(self._look)
            timer.start(_INTERVAL_MS)

    def _look(self) -> None:
        process = self._page.renderProcessPid()
        used = memory_of(process) if process > 0 else None
        if used is not None and used > self._limit:
            _log.warning("a page uses %d MB, more than its window may, and is ended", used // _MEGABYTE)
            self._exceeded()
            os.kill(process, signal.SIGKILL)


class FreeMemory(QObject):
    """Releases memory after windows were closed; has no effect if the C library does this itself."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        trim = _trim()
        if trim is not None:
            self._timer.timeout.connect(lambda: trim(0))

    def window_closed(self) -> None:
        """Schedule the release of memory."""
        self._timer.start()


def _trim() -> Callable[[int], int] | None:
    """Return the function of glibc that releases memory; other C libraries do not have it."""
    if not sys.platform.startswith("linux"):
        return None
    function = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if function is not None:
        function.argtypes, function.restype = (ctypes.c_size_t,), ctypes.c_int
    return function
