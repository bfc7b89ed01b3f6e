"""Ports for servers that tests start and stop."""

import atexit
import socket


def free_port() -> int:
    """Return a port that nothing listens on, for a server that is started later, or stopped and started again.

    It stays reserved until this process ends: the system gives it to nobody else, also not to other workers of pytest,
    and lets only those listen on it who ask for this very port and share addresses, as the browser engine does.
    """
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
    atexit.register(one.close)
    port: int = one.getsockname()[1]
    return port
