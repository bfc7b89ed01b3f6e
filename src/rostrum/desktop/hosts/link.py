"""Calls and responses between the platform and the window process.

Both sides use the same frames: a length of 4 bytes (big-endian), then JSON. ``call {n, op, args}`` is answered with
``answer {n, result}`` or ``answer {n, error}``; a call without ``n`` gets no response. This module depends neither on
asyncio nor on Qt: each side passes in the bytes that it has read, and writes the bytes that it is given.
"""

import struct
from collections.abc import Callable, Iterator

import msgspec

from rostrum.base.errors import RostrumError

MAX_FRAME = 64 * 1024 * 1024
"""The largest frame in bytes; screenshots and documents are the largest contents."""
MAX_PENDING = 10_000
"""Maximum number of pending calls."""

_LENGTH = struct.Struct(">I")
_NOTHING = msgspec.Raw(b"null")


class LinkBroken(RostrumError):
    """The connection has ended, or the other process sent an invalid frame."""


class CallFailed(RostrumError):
    """The other process rejected a call, or could not execute it."""


class _Frame(msgspec.Struct, omit_defaults=True):
    n: int | None = None
    op: str | None = None
    args: msgspec.Raw = _NOTHING
    result: msgspec.Raw = _NOTHING
    error: str | None = None


class Reply:
    """The response to a call; only the first response is sent."""

    def __init__(self, send: Callable[[_Frame], None] | None, number: int | None) -> None:
        self._send = send
        self._number = number

    def result(self, value: bytes = b"null") -> None:
        """Respond with an encoded value."""
        self._answer(_Frame(n=self._number, result=msgspec.Raw(value)))

    def error(self, reason: str) -> None:
        """Respond with an error."""
        self._answer(_Frame(n=self._number, error=reason or "unknown error"))

    def _answer(self, frame: _Frame) -> None:
        send, self._send = self._send, None
        if send is not None and self._number is not None:
            send(frame)


OnResult = Callable[[bytes | None, Exception | None], None]
"""Called once: with the encoded result, or with the error."""
Serve = Callable[[str, bytes, Reply], None]
"""Executes a call of the other process; must not raise."""


class Link:
    """One end of the connection.

    Attributes:
        write: Writes bytes to the other process, in order.
        serve: Executes the calls of the other process.
    """

    def __init__(self, write: Callable[[bytes], None], serve: Serve) -> None:
        self.write = write
        self.serve = serve
        self._buffer = bytearray()
        self._waiting: dict[int, OnResult] = {}
        self._last = 0
        self._broken: LinkBroken | None = None
        self._decoder = msgspec.json.Decoder(_Frame)
        self._encoder = msgspec.json.Encoder()

    @property
    def pending(self) -> int:
        """Return the number of pending calls."""
        return len(self._waiting)

    def call(self, op: str, args: bytes, answered: OnResult) -> None:
        """Call the other process; ``answered`` is called with the response, or when the connection ends."""
        if self._broken is None and len(self._waiting) >= MAX_PENDING:
            answered(None, CallFailed(f"{op}: {MAX_PENDING} calls already wait for an answer"))
            return
        if self._broken is not None:
            answered(None, self._broken)
            return
        self._last += 1
        number = self._last
        self._waiting[number] = answered
        try:
            self._send(_Frame(n=number, op=op, args=msgspec.Raw(args)))
        except CallFailed as error:
            self._waiting.pop(number, None)
            answered(None, error)

    def post(self, op: str, args: bytes) -> None:
        """Call the other process without a response; has no effect after the connection has ended."""
        if self._broken is None:
            self._send(_Frame(op=op, args=msgspec.Raw(args)))

    def feed(self, data: bytes) -> None:
        """Process received bytes; raise LinkBroken if they are not valid frames."""
        if self._broken is not None:
            return
        self._buffer += data
        for body in self._bodies():
            self._take(body)

    def end(self, reason: str) -> None:
        """Fail all pending and later calls."""
        if self._broken is not None:
            return
        self._broken = LinkBroken(reason)
        self._buffer.clear()
        waiting, self._waiting = self._waiting, {}
        for answered in waiting.values():
            answered(None, self._broken)

    def _bodies(self) -> Iterator[bytes]:
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > MAX_FRAME:
                raise LinkBroken(f"a frame of {length} bytes arrived; at most {MAX_FRAME} are allowed")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield body

    def _take(self, body: bytes) -> None:
        try:
            frame = self._decoder.decode(body)
        except msgspec.MsgspecError as error:
            raise LinkBroken(f"a frame that arrived cannot be read: {error}") from error
        if frame.op is not None:
            self.serve(frame.op, bytes(frame.args), Reply(self._reply, frame.n))
        elif frame.n is not None and (answered := self._waiting.pop(frame.n, None)) is not None:
            if frame.error is not None:
                answered(None, CallFailed(frame.error))
            else:
                answered(bytes(frame.result), None)

    def _reply(self, frame: _Frame) -> None:
        if self._broken is not None:
            return
        try:
            self._send(frame)
        except CallFailed as error:
            self._send(_Frame(n=frame.n, error=str(error)))

    def _send(self, frame: _Frame) -> None:
        body = self._encoder.encode(frame)
        if len(body) > MAX_FRAME:
            raise CallFailed(f"the message has {len(body)} bytes; at most {MAX_FRAME} are allowed")
        self.write(_LENGTH.pack(len(body)) + body)
