"""A window process that frees much memory when a window opens, and keeps it: python wasteful_host.py --link …"""

import ctypes
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__)
WASTE = 120_000
"""KiB."""
_PART = 4000


def _waste() -> None:
    """Allocate memory in small parts and free it; a part behind it, which stays, keeps it in the process."""
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, (ctypes.c_size_t,)
    library.free.argtypes = (ctypes.c_void_p,)
    parts = [library.malloc(_PART) for _ in range(WASTE * 1024 // _PART)]
    for part in parts:
        ctypes.memset(part, 1, _PART)
    library.malloc(_PART)
    for part in parts:
        library.free(part)


def _waste_when_a_window_opens() -> None:
    from rostrum.desktop.hosts.qt.window import AppWindow

    opened = AppWindow.open

    def wasteful(self: Any) -> Any:
        _waste()
        return opened(self)

    AppWindow.open = wasteful  # type: ignore[method-assign]


if __name__ == "__main__":
    from rostrum.desktop.hosts.qt import run

    application = run._application

    def started(engine: Any) -> Any:
        # Afterwards: classes of the engine are imported when it knows its switches.
        app = application(engine)
        _waste_when_a_window_opens()
        return app

    run._application = started
    from rostrum.desktop.hosts.qt.main import main

    main()
