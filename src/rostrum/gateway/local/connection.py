"""The connection of a peer in this process: requests with their responses, and unsolicited frames."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from rostrum.gateway.errors import CallFailed, NotConnected
from rostrum.gateway.local.source import Frame, Transport

_log = logging.getLogger("rostrum.gateway")

_ANSWERS = frozenset(
    {"success", "error", "result", "token", "subscribed", "context-created", "subscribed-context", "initiated"}
)


class PeerConnection:
    """Sends requests as one peer, and calls listeners for frames that are not responses."""

    def __init__(self, transport: Transport, peer_id: str, identity: dict[str, Any]) -> None:
        self.id = peer_id
        self.identity = identity
        self._transport = transport
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._listeners: dict[tuple[str, str], Callable[[Frame], None]] = {}
        self._requests = 0
        transport.on_frame = self._on_frame
        transport.on_end = self._on_end

    async def join(self, *domains: str) -> None:
        """Join domains."""
        for domain in domains:
            await self.request("join", domain="global", destination=domain)

    async def close(self) -> None:
        """Leave the gateway; pending calls fail."""
        self._transport.close()

    def _on_end(self) -> None:
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(NotConnected("the peer is no longer connected"))
        self._answers.clear()

    async def request(self, kind: str, *, domain: str, **members: Any) -> Frame:
        """Send a request, and wait for its response; raise CallFailed if it is an error."""
        if not self._transport.is_open:
            raise NotConnected("the peer is no longer connected")
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
        self._transport.send({"type": kind, "domain": domain, "peer_id": self.id, **members})

    def listen(self, domain: str, kind: str, listener: Callable[[Frame], None]) -> None:
        """Call a function with each frame of a type in a domain; a second call replaces the function."""
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
