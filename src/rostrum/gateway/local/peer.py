"""A peer that this process is: requests and their answers, and what others send by themselves."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from rostrum.gateway.local.errors import CallFailed, NotConnected
from rostrum.gateway.state import Source

__all__ = ["Frame", "LocalPeer", "LocalSource", "Way", "read_frame"]

_log = logging.getLogger("rostrum.gateway")

Frame = dict[str, Any]
_ANSWERS = frozenset(
    {"success", "error", "result", "token", "subscribed", "context-created", "subscribed-context", "initiated"}
)


class Entrance(Protocol):
    """The gateway, as a local peer knows it."""

    def receive(self, source: Source, payload: bytes) -> None:
        """Carry out one frame."""
        ...

    def disconnect(self, source: Source) -> None:
        """Remove everyone who came through a source."""
        ...


class Way(Protocol):
    """How a peer reaches its gateway: inside the process, or over a socket.

    Attributes:
        is_open: Whether anybody is still there.
        on_frame: What is done with each frame that comes.
        on_end: What is done once nothing comes any more.

    """

    is_open: bool
    on_frame: Callable[[Frame], None] | None
    on_end: Callable[[], None] | None

    def send(self, frame: Frame) -> None:
        """Send a frame to the gateway."""
        ...

    def close(self) -> None:
        """Leave the gateway."""
        ...


class LocalSource(Source):
    """The way in and out of the gateway for one local peer; frames are handled in the loop's next turn."""

    __slots__ = ("_entrance", "_waiting", "on_end", "on_frame")

    is_local = True

    def __init__(self, entrance: Entrance) -> None:
        """Take the gateway."""
        super().__init__("local")
        self._entrance = entrance
        self._waiting: list[bytes] = []
        self.on_frame: Callable[[Frame], None] | None = None
        self.on_end: Callable[[], None] | None = None

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Keep a frame for the next turn: the gateway is in the middle of its own work."""
        self.sent += 1
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._waiting.append(head + tail)

    def send(self, frame: Frame) -> None:
        """Send a frame to the gateway."""
        self._entrance.receive(self, msgspec.json.encode(frame))

    def close(self) -> None:
        """Leave the gateway."""
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
    """Read one frame of the gateway."""
    try:
        frame: Frame = msgspec.json.decode(text)
    except msgspec.DecodeError:
        # Payloads are passed on unread: there may be numbers in them that only this reader takes.
        frame = json.loads(text)
    return frame


class LocalPeer:
    """A peer that this process is. Its parts: ``methods`` to offer and call, ``contexts``, ``bus``."""

    def __init__(self, source: Way, peer_id: str, identity: dict[str, Any]) -> None:
        """Use ``Gateway.local_peer`` or, from another process, ``remote.connected``: they log it in."""
        from rostrum.gateway.local.bus import LocalBus
        from rostrum.gateway.local.contexts import LocalContexts
        from rostrum.gateway.local.methods import LocalMethods

        self.id = peer_id
        self.identity = identity
        self._source = source
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._listeners: dict[tuple[str, str], Callable[[Frame], None]] = {}
        self._requests = 0
        self.methods = LocalMethods(self)
        self.contexts = LocalContexts(self)
        self.bus = LocalBus(self)
        source.on_frame = self._on_frame
        source.on_end = self._on_end

    async def join(self, *domains: str) -> None:
        """Become a member of domains."""
        for domain in domains:
            await self.request("join", domain="global", destination=domain)

    async def close(self) -> None:
        """Leave the gateway; whoever waits for an answer is told."""
        self._source.close()

    def _on_end(self) -> None:
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(NotConnected("the peer is not connected any more"))
        self._answers.clear()

    async def request(self, kind: str, *, domain: str, **members: Any) -> Frame:
        """Send a request, and wait for its answer; CallFailed when it is an error."""
        if not self._source.is_open:
            raise NotConnected("the peer is not connected any more")
        self._requests += 1
        request_id = str(self._requests)
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        try:
            self.send(kind, domain=domain, request_id=request_id, **members)
            frame = await answer
        finally:
            self._answers.pop(request_id, None)
        if frame["type"] == "error":
            raise CallFailed(frame.get("reason_uri"), frame.get("reason"), frame.get("context"))
        return frame

    def send(self, kind: str, *, domain: str, **members: Any) -> None:
        """Send what needs no answer."""
        self._source.send({"type": kind, "domain": domain, "peer_id": self.id, **members})

    def listen(self, domain: str, kind: str, listener: Callable[[Frame], None]) -> None:
        """Have a kind of frame handled, in whichever domain contexts are told of."""
        self._listeners[domain, kind] = listener

    def _on_frame(self, frame: Frame) -> None:
        answer = self._answers.get(str(frame.get("request_id"))) if frame["type"] in _ANSWERS else None
        if answer is not None:
            if not answer.done():
                answer.set_result(frame)
            return
        listener = self._listeners.get((frame["domain"], frame["type"]))
        if listener is None:
            return
        try:
            listener(frame)
        except Exception:  # noqa: BLE001 - a listener may be anybody's
            _log.exception("a local peer failed on a message of type %s", frame["type"])
