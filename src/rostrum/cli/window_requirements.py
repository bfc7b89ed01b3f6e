"""Requirements of windows: the browser engine, a display, and a user other than root."""

import os
import sys

from rostrum.cli.output import fail

_WINDOWS_TEST = "ROSTRUM_WINDOWS_TEST"
"""Set by window tests, which may run as root."""


def check_windows() -> None:
    """End the command if windows cannot be shown."""
    from rostrum.desktop.hosts.engines import installed_version, missing_engine

    if installed_version() is None:
        fail(missing_engine(), 2)
    if hasattr(os, "geteuid") and os.geteuid() == 0 and os.environ.get(_WINDOWS_TEST) != "1":
        # The sandbox for web pages does not work as root.
        fail("Windows cannot be shown as root. Start the desktop as another user, or run with --headless.", 2)
    if _has_no_display():
        fail(
            "There is no display: DISPLAY is not set. Start the desktop in a graphical session, "
            "or run with --headless.",
            2,
        )


def _has_no_display() -> bool:
    # Another platform plugin, such as offscreen, needs no X server.
    is_x11 = sys.platform.startswith("linux") and os.environ.get("QT_QPA_PLATFORM", "xcb") == "xcb"
    return is_x11 and not os.environ.get("DISPLAY")
