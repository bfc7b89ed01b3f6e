"""Load for one server: a few connections, one request at a time on each, as little work as possible on this side."""

import os
import re
import selectors
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.effort import Effort, meter
from bench.processes import LOAD_CORE

CONNECTIONS = 16
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)\r\n")
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
_PIECE = 1 << 20
_LAST = b"0\r\n\r\n"
"""The end of an answer that comes in chunks."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What some seconds of load cost the server."""

    requests: int
    seconds: float
    effort: Effort

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all requests."""
        return self.effort.seconds

    @property
    def each(self) -> float:
        """Processor time per request, in seconds."""
        return self.cpu_seconds / self.requests


def request(address: str, path: str, headers: Mapping[str, str], method: str = "GET") -> tuple[tuple[str, int], bytes]:
    """Write a request once, for sending it many times."""
    parts = urlsplit(f"{address}{path}")
    lines = [f"{method} {parts.path}{'?' if parts.query else ''}{parts.query} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return (parts.hostname or "", parts.port or 80), ("\r\n".join(lines) + "\r\n\r\n").encode()


def drive(
    pids: Sequence[int],
    target: tuple[tuple[str, int], bytes],
    *,
    expected: int = 200,
    seconds: float = 1.0,
    connections: int = CONNECTIONS,
) -> Cost:
    """Ask the same over and over from a core of our own, and see what that costs the processes that answer it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {LOAD_CORE})
    try:
        with meter(*pids) as read:
            return _drive(read, target, expected=expected, seconds=seconds, connections=connections)
    finally:
        os.sched_setaffinity(0, before)


def _drive(
    read: Callable[[], Effort],
    target: tuple[tuple[str, int], bytes],
    *,
    expected: int,
    seconds: float,
    connections: int,
) -> Cost:
    place, question = target
    sockets = [socket.create_connection(place, timeout=60) for _ in range(connections)]
    size = _first(sockets[0], question, expected)
    selector = selectors.DefaultSelector()
    for each in sockets:
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(each, selectors.EVENT_READ, _Answer(size))
    buffer = memoryview(bytearray(_PIECE))
    count, began, before = 0, time.perf_counter(), read()
    for each in sockets:
        each.sendall(question)
    until = began + seconds
    while (now := time.perf_counter()) < until:
        for key, _ in selector.select(1):
            ready = key.fileobj
            assert isinstance(ready, socket.socket)
            got = ready.recv_into(buffer)
            if got == 0:
                raise RuntimeError("the server hung up")
            if key.data.is_whole(buffer, got):
                count += 1
                ready.sendall(question)
    spent = read().since(before)
    selector.close()
    for each in sockets:
        each.close()
    return Cost(count, now - began, spent)


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until_listening(port: int, seconds: float = 60) -> None:
    """Knock until somebody opens."""
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


class _Answer:
    """Finds the end of an answer: by the length that the first one had, or by the last chunk."""

    def __init__(self, size: int | None) -> None:
        self._size = self._missing = size
        self._tail = b""

    def is_whole(self, buffer: memoryview, got: int) -> bool:
        """Process what has arrived."""
        if self._missing is None:
            self._tail = (self._tail + bytes(buffer[max(0, got - len(_LAST)) : got]))[-len(_LAST) :]
            return self._tail == _LAST
        self._missing -= got
        if self._missing < 0:
            raise RuntimeError("the server answered otherwise than at first")
        if self._missing == 0:
            self._missing = self._size
            return True
        return False


def _first(connection: socket.socket, question: bytes, expected: int) -> int | None:
    """Ask until the server is warm; give the length of an answer, or nothing when it comes in chunks."""
    size: int | None = 0
    for _ in range(20):
        connection.sendall(question)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += _some(connection)
        status, length = _STATUS.match(answer), _LENGTH.search(answer)
        if status is None or int(status[1]) != expected:
            raise RuntimeError(f"expected {expected}, got {answer[:400]!r}")
        size = answer.index(b"\r\n\r\n") + 4
        if b"transfer-encoding: chunked" in answer[:size].lower():
            size = None
        elif length and expected == 200:
            size += int(length[1])
        while not answer.endswith(_LAST) if size is None else len(answer) < size:
            answer += _some(connection)
    return size


def _some(connection: socket.socket) -> bytes:
    piece = connection.recv(_PIECE)
    if not piece:
        raise RuntimeError("the server hung up")
    return piece
