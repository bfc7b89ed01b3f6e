"""Transport of a peer in this process: frames go in directly and come out in the next iteration of the event loop."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from rostrum.gateway.peer import Source

_log = logging.getLogger("rostrum.gateway")

Frame = dict[str, Any]


class Entrance(Protocol):
    """The gateway, as used by a local peer."""

    def receive(self, source: Source, payload: bytes) -> None:
        """Process one frame."""
        ...

    def disconnect(self, source: Source) -> None:
        """Remove all peers of a source."""
        ...


class Transport(Protocol):
    """The transport between a peer and its gateway: inside the process, or over a socket.

    Attributes:
        is_open: Whether it is connected.
        on_frame: Called with each frame.
        on_end: Called when the transport has ended.
    """

    is_open: bool
    on_frame: Callable[[Frame], None] | None
    on_end: Callable[[], None] | None

    def send(self, frame: Frame) -> None: ...

    def close(self) -> None: ...


class LocalSource(Source):
    """The transport of one local peer; frames are handled in the next iteration of the event loop."""

    __slots__ = ("_entrance", "_waiting", "on_end", "on_frame")

    is_local = True

    def __init__(self, entrance: Entrance) -> None:
        super().__init__("local")
        self._entrance = entrance
        self._waiting: list[bytes] = []
        self.on_frame: Callable[[Frame], None] | None = None
        self.on_end: Callable[[], None] | None = None

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Queue a frame for the next iteration: the gateway is still processing a message."""
        self.sent += 1
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._waiting.append(head + tail)

    def send(self, frame: Frame) -> None:
        self._entrance.receive(self, msgspec.json.encode(frame))

    def close(self) -> None:
        if self.is_open:
            self._entrance.disconnect(self)
            if self.on_end is not None:
                self.on_end()

    def _hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        for text in waiting:
            try:
                frame = read_frame(text)
            except RecursionError:
                _log.warning("a local peer was sent a message that is nested too deeply")
                continue
            if self.on_frame is not None:
                self.on_frame(frame)


def read_frame(text: bytes) -> Frame:
    try:
        frame: Frame = msgspec.json.decode(text)
    except msgspec.DecodeError:
        # Payloads are forwarded without parsing, and may contain numbers that only this parser accepts.
        frame = json.loads(text)
    return frame
