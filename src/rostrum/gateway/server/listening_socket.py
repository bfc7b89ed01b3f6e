"""Listening sockets that limit connections before their upgrade to a WebSocket."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rostrum.gateway.server.sign_in_guard import WaitingRoom


@dataclass(eq=False, slots=True)
class _Arrival:
    """An accepted connection and its address."""

    machine: str
    connection: socket.socket

    def end(self) -> None:
        """Shut the connection down; the event loop then closes it."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


class Arrivals:
    """Accepted connections that have not been upgraded.

    The WebSocket library shows a connection only after its upgrade. Without a limit, connections that never request it
    would use up the file descriptors of the process.
    """

    def __init__(self, most: int, on_eviction: Callable[[], None]) -> None:
        """Limit the waiting connections; ``on_eviction`` is called for each that is closed in favour of a newer one."""
        self._room: WaitingRoom[_Arrival] = WaitingRoom(most)
        # A descriptor is reused only after its connection was closed, so closed connections need no handling.
        self._by_descriptor: dict[int, _Arrival] = {}
        self._on_eviction = on_eviction

    def __len__(self) -> int:
        return len(self._room)

    def accepted(self, connection: socket.socket, address: Any) -> None:
        """Record a new connection; above the limit, another one is closed."""
        self.upgraded(connection.fileno())
        arrival = _Arrival(str(address[0]), connection)
        self._by_descriptor[connection.fileno()] = arrival
        evicted = self._room.enter(arrival, 0.0)
        if evicted is not None:
            evicted.end()
            self._by_descriptor.pop(evicted.connection.fileno(), None)
            self._on_eviction()

    def upgraded(self, descriptor: int) -> None:
        """Remove a connection that was upgraded to a WebSocket."""
        arrival = self._by_descriptor.pop(descriptor, None)
        if arrival is not None:
            self._room.leave(arrival)


class ListeningSocket(socket.socket):
    """A socket that reports every connection it accepts."""

    def __init__(self, family: int, arrivals: Arrivals) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._arrivals = arrivals

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self._arrivals.accepted(connection, address)
        return connection, address


async def open_sockets(host: str, port: int, arrivals: Arrivals) -> list[ListeningSocket]:
    """Bind a socket to each address of a host; if one fails, all are closed."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[ListeningSocket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            sockets.append(ListeningSocket(family, arrivals))
            if os.name == "posix":
                sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sockets[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sockets[-1].bind(address)
    except OSError:
        for one in sockets:
            one.close()
        raise
    return sockets
