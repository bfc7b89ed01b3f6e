"""rostrum-windows: the window process. The platform starts it, and it ends with the connection to the platform."""

import argparse
import os
import signal
import socket
import sys

from rostrum.base.name_check import warn_about_conflict
from rostrum.desktop.hosts.qt.test_mode import is_test_mode

CANNOT_RUN = 78
"""The exit code for permanent failures: the platform does not restart the process."""


def main() -> None:
    """Run until the platform ends the connection."""
    # The platform, which passes an argument, has printed the warning.
    if not any(argument.startswith("--link") for argument in sys.argv):
        warn_about_conflict()
    parser = argparse.ArgumentParser(
        prog="rostrum-windows",
        description="Draws the windows of a Rostrum desktop. `rostrum desktop` starts this program.",
    )
    parser.add_argument("--link", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.link is None:
        parser.error("this program is started by `rostrum desktop`")
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not is_test_mode():
        _refuse("Windows cannot be shown as root: the sandbox of web pages does not work for root. Run as a user.")
    # Ctrl+C in a terminal also reaches this process; the platform decides when windows close.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        from rostrum.desktop.hosts.qt.run import run
    except ImportError as error:
        _refuse(f"The browser engine cannot be loaded: {error}. `rostrum doctor` names what is missing.")
    sys.exit(run(_connection(arguments.link)))


def _connection(link: str) -> socket.socket:
    if sys.platform == "win32":
        return socket.fromshare(sys.stdin.buffer.read())
    return socket.socket(fileno=int(link))


def _refuse(reason: str) -> None:
    sys.stderr.write(f"{reason}\n")
    sys.stderr.flush()
    raise SystemExit(CANNOT_RUN)
