"""Connection: the socket to the platform, read and written by Qt's event loop."""

import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

from rostrum.desktop.hosts.link import Link, LinkBroken

_CHUNK = 256 * 1024
_LARGEST_BACKLOG = 256 * 1024 * 1024


class Connection(QObject):
    """Reads messages of the platform, and calls ``ended`` when the connection has ended."""

    def __init__(self, sock: socket.socket, link: Link, ended: Callable[[str], None]) -> None:
        super().__init__()
        sock.setblocking(False)
        self._socket = sock
        self._ended = ended
        self._backlog = bytearray()
        self._link = link
        link.write = self._write
        self._readable = QSocketNotifier(sock.fileno(), QSocketNotifier.Type.Read, self)
        self._readable.activated.connect(self._read)
        self._writable = QSocketNotifier(sock.fileno(), QSocketNotifier.Type.Write, self)
        self._writable.setEnabled(False)
        self._writable.activated.connect(self._flush)

    def _read(self) -> None:
        try:
            data = self._socket.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end(str(error))
            return
        if not data:
            self._end("the platform has closed the connection")
            return
        try:
            self._link.feed(data)
        except LinkBroken as error:
            self._end(str(error))

    def _write(self, data: bytes) -> None:
        if len(self._backlog) + len(data) > _LARGEST_BACKLOG:
            self._end("the platform does not read what is sent to it")
            return
        self._backlog += data
        self._flush()

    def _flush(self) -> None:
        try:
            while self._backlog:
                sent = self._socket.send(self._backlog)
                del self._backlog[:sent]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self._end(str(error))
            return
        self._writable.setEnabled(bool(self._backlog))

    def _end(self, reason: str) -> None:
        self._readable.setEnabled(False)
        self._writable.setEnabled(False)
        self._backlog.clear()
        self._link.end(reason)
        self._ended(reason)
