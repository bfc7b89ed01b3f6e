"""Test mode of the window process: what is allowed there and nowhere else.

``ROSTRUM_WINDOWS_TEST=1`` switches it on. Then the process may run as root (without Chromium's sandbox), and
``ROSTRUM_WINDOWS_DEBUGGING=127.0.0.1:<port>`` opens Chromium's debugging port, over which any local program has full
control of every page. ``ROSTRUM_WINDOWS_PRINT_FILE=<path>`` is a printer that writes this file.
``ROSTRUM_WINDOWS_HEARTBEAT=<milliseconds>`` is how often pages are asked whether they respond.
"""

import os
import re

__all__ = ["debugging_address", "heartbeat_interval", "is_test_mode", "print_file"]

_LOOPBACK = re.compile(r"127\.0\.0\.1:\d{1,5}")


def is_test_mode() -> bool:
    """Return whether this process runs for tests."""
    return os.environ.get("ROSTRUM_WINDOWS_TEST") == "1"


def debugging_address() -> str | None:
    """Return where the debugging port is opened; None outside test mode, and for every address but loopback."""
    written = os.environ.get("ROSTRUM_WINDOWS_DEBUGGING", "")
    return written if is_test_mode() and _LOOPBACK.fullmatch(written) else None


def heartbeat_interval() -> int | None:
    """Return after how many milliseconds pages are asked again whether they respond; None outside test mode."""
    written = os.environ.get("ROSTRUM_WINDOWS_HEARTBEAT", "")
    return int(written) if is_test_mode() and written.isdecimal() else None


def print_file() -> str | None:
    """Return the file that is written in place of printing; None outside test mode."""
    return os.environ.get("ROSTRUM_WINDOWS_PRINT_FILE") or None if is_test_mode() else None
