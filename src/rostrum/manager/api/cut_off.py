"""Ends a connection whose other end does not read: what is left to send would keep it open for as long as it likes."""

import socket
from contextlib import suppress
from pathlib import Path

__all__ = ["cut_off"]

_OPEN_FILES = Path("/dev/fd")


def cut_off(peer: tuple[str, int]) -> bool:
    """Shut the connection to an address down; say whether there was one.

    The server keeps its sockets to itself, so it is looked for among the open files. That takes some milliseconds with
    thousands of connections, and is done only for clients that were given up.
    """
    for file in _OPEN_FILES.iterdir():
        # A file of our own for the same socket: the server may close its own at any moment.
        with suppress(OSError), socket.fromfd(int(file.name), socket.AF_INET, socket.SOCK_STREAM) as connection:
            if connection.getpeername()[:2] == peer:
                connection.shutdown(socket.SHUT_RDWR)
                return True
    return False
