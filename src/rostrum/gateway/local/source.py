"""Transport of a peer in this process: frames go in directly and come out in the next iteration of the event loop."""

import json
import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec

from rostrum.base.errors import Invalid
from rostrum.base.json_text import decoder, refuse_many_elements
from rostrum.gateway.local.announcements import is_announcement, parts_of
from rostrum.gateway.peer import ProgramSource, Source

_log = logging.getLogger("rostrum.gateway")

Frame = dict[str, Any]

_LARGE = 65_536
_MOST_ELEMENTS = 200_000
"""Elements of a large message: each can take thirty times as much memory as its text."""


class _Head(msgspec.Struct):
    """The members of a frame that a response needs."""

    type: str
    peer_id: str
    invocation_id: str | None = None


_ANNOUNCEMENTS = tuple(
    f'"type":"{kind}"'.encode() for kind in ("methods-added", "methods-removed", "peer-added", "peer-removed")
)
_LONGEST_ANNOUNCEMENT = max(map(len, _ANNOUNCEMENTS))
_frames = decoder()
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_heads = msgspec.json.Decoder(_Head)


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


class LocalSource(ProgramSource):
    """The transport of one local peer; frames are handled in a later iteration of the event loop."""

    __slots__ = ("_entrance", "_is_waiting", "_later", "_observes", "_unfinished", "_waiting", "on_end", "on_frame")

    def __init__(self, entrance: Entrance, later: Callable[["LocalSource"], None], *, observes: bool = True) -> None:
        """Prepare a transport; ``later`` calls ``hand_over``.

        A peer that does not observe others receives no announcements of peers and methods.
        """
        super().__init__("local")
        self._entrance = entrance
        self._later = later
        self._observes = observes
        self._is_waiting = False
        self._unfinished: Iterator[None] | None = None
        self._waiting: deque[tuple[bytes, bytes | memoryview, msgspec.Raw | None]] = deque()
        self.on_frame: Callable[[Frame], None] | None = None
        self.on_end: Callable[[], None] | None = None

    @property
    def owner(self) -> str:
        """Return the user of the peer, with the account."""
        return next((peer.user for peer in self.peers.values()), "")

    def deliver(self, head: bytes, tail: bytes | memoryview) -> None:
        """Queue a frame for the next iteration: the gateway is still processing a message."""
        if self._observes or not bytes(tail[:_LONGEST_ANNOUNCEMENT]).startswith(_ANNOUNCEMENTS):
            self._queue(head, tail, None)

    def deliver_call(self, head: bytes, tail: bytes | memoryview, arguments: msgspec.Raw) -> None:
        """Queue a call with large arguments, which are a part of the received message."""
        self._queue(head, tail, arguments)

    def _queue(self, head: bytes, tail: bytes | memoryview, arguments: msgspec.Raw | None) -> None:
        self.sent += 1
        self._waiting.append((head, tail, arguments))
        if not self._is_waiting:
            self._is_waiting = True
            self._later(self)

    def send(self, frame: Frame) -> None:
        self._entrance.receive(self, msgspec.json.encode(frame))

    def close(self) -> None:
        if self.is_open:
            self._entrance.disconnect(self)
            if self.on_end is not None:
                self.on_end()

    def hand_over(self, is_over: Callable[[], bool]) -> None:
        """Process the waiting frames, or some of them; the others follow in a later turn."""
        self._is_waiting = False
        try:
            if not self._is_finished(is_over):
                return
            for _ in range(len(self._waiting)):
                head, tail, arguments = self._waiting.popleft()
                if is_announcement(tail):
                    self._unfinished = self._announce(tail)
                    if not self._is_finished(is_over):
                        break
                else:
                    self._receive(head, tail, arguments)
                # Other peers have their turn after a large frame.
                if len(tail) > _LARGE or arguments is not None or is_over():
                    break
        finally:
            if (self._waiting or self._unfinished is not None) and not self._is_waiting:
                self._is_waiting = True
                self._later(self)

    def _is_finished(self, is_over: Callable[[], bool]) -> bool:
        """Continue with an announcement that was begun until the step is over; return whether it has ended."""
        steps, self._unfinished = self._unfinished, None
        for _ in steps or ():
            if is_over():
                self._unfinished = steps
                return False
        return True

    def _announce(self, tail: bytes | memoryview) -> Iterator[None]:
        try:
            for part in parts_of(tail):
                if part is not None and self.on_frame is not None:
                    self.on_frame(part)
                yield
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            _log.warning("a local peer was sent an announcement that it cannot read: %s", error)

    def _receive(self, head: bytes, tail: bytes | memoryview, arguments: msgspec.Raw | None) -> None:
        try:
            frame = read_frame(head + tail) if isinstance(tail, bytes) else _read_large(head, tail)
        except (Invalid, ValueError, RecursionError) as error:
            _log.warning("a local peer was sent a message that it cannot read: %s", error)
            self._refuse(head + tail)
            return
        if arguments is not None:
            frame["arguments_kv"] = arguments
        if self.on_frame is not None:
            self.on_frame(frame)

    def _refuse(self, text: bytes) -> None:
        """Answer a call, so that the caller does not wait."""
        head = _heads.decode(text)
        if head.type == "invoke":
            reason = "The arguments are nested too deeply, or have too many elements"
            uri = "agm.errors.invocation.failure"
            answer = {"domain": "agm", "peer_id": head.peer_id, "request_id": head.invocation_id}
            self.send({"type": "error", **answer, "reason_uri": uri, "reason": reason})


def _read_large(head: bytes, tail: memoryview) -> Frame:
    """Read a large frame without copying it; the arguments of a call stay text until the method reads them."""
    frame = read_frame(head.removesuffix(b",") + b"}")
    # The tail is a part of this text: everything but the opening brace.
    members = _members.decode(tail.obj)
    if bytes(members["type"]) == b'"invoke"':
        frame["arguments_kv"] = members.pop("arguments_kv", None)
    return {**frame, **{name: read_text(value) for name, value in members.items()}}


def read_text(text: msgspec.Raw | bytes) -> Any:
    """Read JSON from a client; raise Invalid if it has very many elements."""
    if memoryview(text).nbytes > _LARGE:
        refuse_many_elements(bytes(text), _MOST_ELEMENTS)
    return read_frame(bytes(text))


def read_frame(text: bytes) -> Frame:
    try:
        frame: Frame = _frames.decode(text)
    except msgspec.DecodeError:
        # Payloads are forwarded without parsing, and may contain numbers that only this parser accepts.
        frame = json.loads(text)
    return frame
