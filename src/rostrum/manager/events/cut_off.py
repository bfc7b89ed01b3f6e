"""Ends a connection whose other end does not read: what is left to send would keep it open for as long as it likes."""

import os
import socket
from contextlib import suppress
from pathlib import Path

_OPEN_FILES = Path("/dev/fd")


def cut_off(peer: tuple[str, int]) -> bool:
    """Shut the connection to an address down; say whether there was one.

    The server keeps its sockets to itself, so it is looked for among the open files. That takes some milliseconds with
    thousands of connections, and is done only for clients that were given up.
    """
    for file in _OPEN_FILES.iterdir():
        connection = _socket(int(file.name))
        if connection is not None:
            with suppress(OSError), connection:
                if connection.getpeername()[:2] == peer:
                    connection.shutdown(socket.SHUT_RDWR)
                    return True
    return False


def _socket(number: int) -> socket.socket | None:
    """Open the socket behind an open file once more, if it is one: the server may close its own at any moment."""
    try:
        copy = os.dup(number)
    except OSError:
        return None
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        return None
