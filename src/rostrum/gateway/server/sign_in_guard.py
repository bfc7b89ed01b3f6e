"""Limits before the sign-in: bytes of a connection, and number of connections."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

_DISCARDED = 4096


class SignInGuard(asyncio.BufferedProtocol):
    """Filters data between a socket and the WebSocket protocol until a peer has signed in.

    The WebSocket library has one limit for the frames of a connection, and fragments of an unfinished message can
    exceed it together. Here every byte counts, so no more than the limit is ever stored.
    """

    def __init__(self, protocol: asyncio.BufferedProtocol, most: int, on_excess: Callable[[], None]) -> None:
        """Pass a limited number of bytes on to the protocol; call ``on_excess`` at the first byte beyond."""
        self.protocol = protocol
        self._left = most
        self._on_excess = on_excess
        self._discarded: bytearray | None = None

    def get_buffer(self, sizehint: int) -> memoryview | bytearray:
        """Return the buffer for received data; beyond the limit, one that is discarded."""
        if self._discarded is not None:
            return self._discarded
        buffer = memoryview(self.protocol.get_buffer(sizehint))
        return buffer[: self._left + 1]

    def buffer_updated(self, nbytes: int) -> None:
        """Forward received data, unless it exceeds the limit."""
        if self._discarded is not None:
            return
        self._left -= nbytes
        if self._left >= 0:
            self.protocol.buffer_updated(nbytes)
            return
        self._discarded = bytearray(_DISCARDED)
        self._on_excess()

    def eof_received(self) -> bool | None:
        """Forward the end of the input."""
        return self.protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forward the end of the connection."""
        self.protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        """Forward that the socket accepts no more data for now."""
        self.protocol.pause_writing()

    def resume_writing(self) -> None:
        """Forward that the socket accepts data again."""
        self.protocol.resume_writing()


class _Waiting(Protocol):
    """A waiting connection; ``machine`` is its address."""

    machine: str


_Source = TypeVar("_Source", bound=_Waiting)


class WaitingRoom(Generic[_Source]):
    """Connections that have not signed in, and whose credentials are not being checked.

    Above the limit, the oldest connection of the address with the most connections is closed: a client that opens
    silent connections cannot block clients of other addresses.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._by_address: dict[str, dict[_Source, float]] = {}

    def __len__(self) -> int:
        return self._count

    def enter(self, source: _Source, since: float) -> _Source | None:
        """Add a connection with its time; return the one that must be closed in return."""
        self._by_address.setdefault(source.machine, {})[source] = since
        self._count += 1
        return self.evict() if self._count > self._most else None

    def evict(self) -> _Source | None:
        """Remove and return the oldest connection of the address with the most connections; None if there is none."""
        if not self._count:
            return None
        fullest = max(self._by_address.values(), key=len)
        oldest = next(iter(fullest))
        self.leave(oldest)
        return oldest

    def leave(self, source: _Source) -> float | None:
        """Remove a connection; return since when it waited, if it did."""
        waiting = self._by_address.get(source.machine, {})
        since = waiting.pop(source, None)
        if since is not None:
            self._count -= 1
            if not waiting:
                del self._by_address[source.machine]
        return since

    def take_late(self, since: float) -> list[_Source]:
        """Remove and return the connections that have waited since before a time."""
        late = [source for waiting in self._by_address.values() for source, at in waiting.items() if at < since]
        for source in late:
            self.leave(source)
        return late
