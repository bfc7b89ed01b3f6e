"""Which windows on the desktop belong to a program that the platform has started."""

import os
from contextlib import suppress
from pathlib import Path

from rostrum.desktop.hosts.qt.x11 import X11

__all__ = ["belongs", "is_main"]

_MOST_PARENTS = 32


def is_main(x11: X11, window: int) -> bool:
    """Say whether a window is no dialog, menu or other part of another window."""
    kinds = x11.values(window, "_NET_WM_WINDOW_TYPE")
    is_usual = not kinds or x11.atom("_NET_WM_WINDOW_TYPE_NORMAL") in kinds
    return is_usual and not x11.values(window, "WM_TRANSIENT_FOR")


def belongs(owner: int, process: int) -> bool:
    """Say whether a process is another one, or was started by it; programs are started in sessions of their own."""
    if owner == process:
        return True
    with suppress(OSError):
        if os.getsid(owner) == process:
            return True
    for _ in range(_MOST_PARENTS):
        try:
            stat = Path(f"/proc/{owner}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        # The name of the program is in brackets and may contain blanks.
        owner = int(stat.rpartition(")")[2].split()[1])
        if owner == process:
            return True
        if owner <= 1:
            return False
    return False
