"""Limits what is read from a connection in one turn of the event loop."""

import asyncio
from typing import Protocol

from rostrum.base.memory_pages import free_pages
from rostrum.gateway.costs import MOST_BUFFERED, MOST_READ, MOST_SHARED_READ, SMALL, Costs

_AFTER_TURN = 128
"""Bytes that are read at once after the user has used up the turn."""
LARGE_READ = 128 * 1024
"""Bytes of an unfinished message from which on a user sends one message at a time."""

_HEADER = 64
"""More than the header of a frame."""
_INITIAL = 2048
_MARGIN = 32 * 1024
"""More than what is read at once, and the header of a frame."""
_DISCARDED = bytearray(64 * 1024)
_DISCARD_PAUSE = 0.02


class Payer(Protocol):
    """A connection, with the costs of its user."""

    costs: Costs

    def must_wait(self) -> bool:
        """Return whether the user has used up the turn; if so, nothing more is read in it."""
        ...

    def buffer(self, size: int) -> None:
        """Count bytes of messages that are not processed yet; a negative number subtracts them."""
        ...

    def receive_large(self) -> None:
        """Continue to receive a large message when it is its turn."""
        ...


class _Forwarding(asyncio.BufferedProtocol):
    """Forwards everything but the data of a socket to the WebSocket protocol."""

    __slots__ = ("protocol",)

    def __init__(self, protocol: asyncio.BufferedProtocol) -> None:
        self.protocol = protocol

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


class DiscardedReads(_Forwarding):
    """Discards the data of a socket without looking for frames: it must be read, or the client misses the reason."""

    __slots__ = ("_transport",)

    def __init__(self, protocol: asyncio.BufferedProtocol, transport: asyncio.Transport) -> None:
        """Discard a little at a time, as a flood can arrive faster than everything else."""
        super().__init__(protocol)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002 - the interface
        return _DISCARDED

    def buffer_updated(self, nbytes: int) -> None:  # noqa: ARG002 - the interface
        self._transport.pause_reading()
        asyncio.get_running_loop().call_later(_DISCARD_PAUSE, self._continue)

    def _continue(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()


class PartialReads(_Forwarding):
    """Passes the data of a socket to the WebSocket protocol in small parts.

    The library's buffer grows with the largest frame, and a full buffer can contain a million tiny frames.
    """

    __slots__ = ("_buffer", "_filled", "_payer", "_size", "buffer_updated")

    def __init__(self, protocol: asyncio.BufferedProtocol, payer: Payer) -> None:
        """Read small parts, and the smallest ones after the user has used up the turn."""
        super().__init__(protocol)
        self._buffer = protocol.get_buffer
        self._payer = payer
        self._filled = 0
        self._size = len(memoryview(self._buffer(-1)))
        # Called for each part: without a function of our own in between.
        self.buffer_updated = protocol.buffer_updated  # type: ignore[method-assign]

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return a part of the protocol's buffer."""
        buffer: memoryview = self._buffer(sizehint)  # type: ignore[assignment]
        costs = self._payer.costs
        if len(buffer) > _INITIAL and self._must_alternate(buffer, costs):
            self._payer.receive_large()
            if costs.slice.is_shared:
                # The transport reads on as long as there is something.
                costs.room -= MOST_SHARED_READ
        if costs.room < 0 and self._payer.must_wait():
            return buffer[:_AFTER_TURN]
        if len(buffer) <= _INITIAL:
            return buffer
        return buffer[: costs.most_read if costs.slice.is_shared else MOST_READ]

    def _must_alternate(self, buffer: memoryview, costs: Costs) -> bool:
        """Count what the buffer contains; return whether one connection at a time may continue to fill it."""
        while self._size < len(buffer):
            # The library doubles its buffer when it is nearly full.
            self._size *= 2
        unfinished = self._size - len(buffer)
        if unfinished > self._filled:
            self._payer.buffer(unfinished - self._filled)
            self._filled = unfinished
        elif unfinished <= SMALL < self._filled and costs.buffered > MOST_BUFFERED // 2:
            # The message was processed. The memory that it needed is given back when connections have to share it.
            free_pages(buffer[: self._filled])
            self._payer.buffer(unfinished - self._filled)
            self._filled = unfinished
        return unfinished > LARGE_READ or (unfinished > SMALL + _HEADER and costs.buffered > MOST_BUFFERED)

    def give_back(self, start: int, end: int) -> None:
        """Free the memory between two positions of the last message: the library keeps the buffer.

        The unused part of the buffer begins a little before or after the message: a margin of this part stays.
        """
        free_pages(memoryview(self._buffer(-1))[max(0, start - _MARGIN) : max(0, end - _MARGIN)])
