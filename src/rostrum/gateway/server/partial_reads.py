"""Limits what is read from a connection in one turn of the event loop."""

import asyncio
from typing import Protocol

from rostrum.gateway.costs import Costs

MOST_READ = 16 * 1024
"""Bytes that are read at once; the WebSocket library handles all frames in them without interruption."""
LEAST_READ = 1024
"""The same after the user has used up the turn."""

_INITIAL = 2048


class _Payer(Protocol):
    """A connection, with the costs of its user."""

    costs: Costs


class PartialReads(asyncio.BufferedProtocol):
    """Passes the data of a socket to the WebSocket protocol in small parts.

    The library's buffer grows with the largest frame, and a full buffer can contain a million tiny frames.
    """

    __slots__ = ("_buffer", "_payer", "buffer_updated", "protocol")

    def __init__(self, protocol: asyncio.BufferedProtocol, payer: _Payer) -> None:
        """Read small parts, and the smallest ones after the user has used up the turn."""
        self.protocol = protocol
        self._buffer = protocol.get_buffer
        self._payer = payer
        # Called for each part: without a function of our own in between.
        self.buffer_updated = protocol.buffer_updated  # type: ignore[method-assign]

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return a part of the protocol's buffer."""
        buffer: memoryview = self._buffer(sizehint)  # type: ignore[assignment]
        if len(buffer) <= _INITIAL:
            return buffer
        most = LEAST_READ if self._payer.costs.room < 0 else MOST_READ
        return buffer if len(buffer) <= most else buffer[:most]

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
