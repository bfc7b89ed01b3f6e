"""Test mode of the window process, with features that are not available otherwise.

``ROSTRUM_WINDOWS_TEST=1`` enables it. Then the process may run as root (without Chromium's sandbox), and
``ROSTRUM_WINDOWS_DEBUGGING=127.0.0.1:<port>`` opens Chromium's debugging port, through which any local program can
control all pages. ``ROSTRUM_WINDOWS_PRINT_FILE=<path>`` is a printer that writes this file.
``ROSTRUM_WINDOWS_HEARTBEAT=<milliseconds>`` is the interval of the checks that pages respond.
"""

import os
import re

_LOOPBACK = re.compile(r"127\.0\.0\.1:\d{1,5}")


def is_test_mode() -> bool:
    """Return whether this process runs for tests."""
    return os.environ.get("ROSTRUM_WINDOWS_TEST") == "1"


def debugging_address() -> str | None:
    """Return the address of the debugging port; None outside test mode, and for addresses other than loopback."""
    written = os.environ.get("ROSTRUM_WINDOWS_DEBUGGING", "")
    return written if is_test_mode() and _LOOPBACK.fullmatch(written) else None


def heartbeat_interval() -> int | None:
    """Return the interval of the checks that pages respond, in milliseconds; None outside test mode."""
    written = os.environ.get("ROSTRUM_WINDOWS_HEARTBEAT", "")
    return int(written) if is_test_mode() and written.isdecimal() else None


def print_file() -> str | None:
    """Return the file that is written instead of printing; None outside test mode."""
    return os.environ.get("ROSTRUM_WINDOWS_PRINT_FILE") or None if is_test_mode() else None
