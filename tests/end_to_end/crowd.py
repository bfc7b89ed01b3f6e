"""Many clients of the event stream at once, each with a connection of its own."""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

PATIENCE = 60


class Crowd:
    """Clients that all read; what they have seen is kept for each."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        self._selector = selectors.DefaultSelector()
        self._seen: dict[int, bytes] = {}
        for client in sockets:
            client.setblocking(False)
            self._selector.register(client, selectors.EVENT_READ)
            self._seen[client.fileno()] = b""

    def until_all_saw(self, words: bytes) -> None:
        """Read until every client has been sent these words."""
        deadline = time.monotonic() + PATIENCE
        missing = {number for number, text in self._seen.items() if words not in text}
        while missing:
            assert time.monotonic() < deadline, f"{len(missing)} of {len(self._seen)} have not seen {words!r}"
            for key, _ in self._selector.select(1):
                client = key.fileobj
                assert isinstance(client, socket.socket)
                piece = client.recv(65536)
                assert piece, "the server hung up"
                number = client.fileno()
                self._seen[number] = (self._seen[number] + piece)[-4096:]
                if words in self._seen[number]:
                    missing.discard(number)


@contextmanager
def listeners(address: str, cookie: str, count: int, *, buffer: int = 0) -> Iterator[list[socket.socket]]:
    """Open many streams; with a buffer, each client's system takes only so many bytes that nobody reads."""
    parts = urlsplit(address)
    request = f"GET {parts.path}/events HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {cookie}\r\n\r\n".encode()
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            if buffer:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            client.settimeout(PATIENCE)
            client.connect((parts.hostname, parts.port))
            client.sendall(request)
            opened.append(client)
        yield opened
