"""Before sign-in: how many bytes a connection may send, and how many connections may wait."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

_DISCARDED = 4096


class SignInGuard(asyncio.BufferedProtocol):
    """Stands between a socket and the WebSocket protocol until somebody has signed in.

    The WebSocket library has one limit for the frames of a connection, and fragments of an unfinished message add up
    behind it. Here every byte counts, whatever it belongs to, so nothing larger than the limit is ever kept.
    """

    def __init__(self, protocol: asyncio.BufferedProtocol, most: int, on_excess: Callable[[], None]) -> None:
        """Pass at most so many bytes on to the protocol; call ``on_excess`` at the first byte beyond."""
        self.protocol = protocol
        self._left = most
        self._on_excess = on_excess
        self._discarded: bytearray | None = None

    def get_buffer(self, sizehint: int) -> memoryview | bytearray:
        """Return where to write what has come; beyond the limit to a place where it is discarded."""
        if self._discarded is not None:
            return self._discarded
        buffer = memoryview(self.protocol.get_buffer(sizehint))
        return buffer[: self._left + 1]

    def buffer_updated(self, nbytes: int) -> None:
        """Pass on what has come, unless it is too much."""
        if self._discarded is not None:
            return
        self._left -= nbytes
        if self._left >= 0:
            self.protocol.buffer_updated(nbytes)
            return
        self._discarded = bytearray(_DISCARDED)
        self._on_excess()

    def eof_received(self) -> bool | None:
        """Pass on that nothing more comes."""
        return self.protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass on that the connection has ended."""
        self.protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass on that the socket takes no more for now."""
        self.protocol.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the socket takes more again."""
        self.protocol.resume_writing()


class _Waiting(Protocol):
    """What waits; ``machine`` is the address that it comes from."""

    machine: str


_Source = TypeVar("_Source", bound=_Waiting)


class WaitingRoom(Generic[_Source]):
    """Connections that have not signed in, and whose credentials are not being checked at the moment.

    One too many ends the oldest of the address that has most: a client that opens connections and says nothing cannot
    keep the clients of other addresses out, nor for long those of its own.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._by_address: dict[str, dict[_Source, float]] = {}

    def __len__(self) -> int:
        return self._count

    def enter(self, source: _Source, since: float) -> _Source | None:
        """Let a connection wait, as of a time; return the one that has to leave for it."""
        self._by_address.setdefault(source.machine, {})[source] = since
        self._count += 1
        return self.evict() if self._count > self._most else None

    def evict(self) -> _Source | None:
        """Remove and return the oldest connection of the address that has most; None if nobody waits."""
        if not self._count:
            return None
        fullest = max(self._by_address.values(), key=len)
        oldest = next(iter(fullest))
        self.leave(oldest)
        return oldest

    def leave(self, source: _Source) -> float | None:
        """Let a connection wait no longer; return since when it waited, if it did."""
        waiting = self._by_address.get(source.machine, {})
        since = waiting.pop(source, None)
        if since is not None:
            self._count -= 1
            if not waiting:
                del self._by_address[source.machine]
        return since

    def take_late(self, since: float) -> list[_Source]:
        """Remove and return those that have waited since before a time."""
        late = [source for waiting in self._by_address.values() for source, at in waiting.items() if at < since]
        for source in late:
            self.leave(source)
        return late
