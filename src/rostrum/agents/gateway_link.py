"""The link between an agent and a platform or program on the gateway."""

import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from rostrum.agents.user_work import LARGE, pause
from rostrum.base.ids import new_id
from rostrum.gateway.costs import Costs
from rostrum.gateway.local.methods import LocalStream, Subscriber


@dataclass(frozen=True, slots=True)
class PlatformPeer:
    """A peer that opens apps of its user and is trusted to state their identity."""


@dataclass(frozen=True, slots=True)
class ProgramPeer:
    """A peer that is an app: the platform started it as this instance."""

    app_id: str
    instance_id: str


Peer = PlatformPeer | ProgramPeer


class GatewayLink:
    """A link over the gateway: a subscription to the stream."""

    def __init__(
        self,
        stream: LocalStream,
        subscriber: Subscriber,
        program: ProgramPeer | None,
        costs: Costs,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """Create the link of a new subscriber."""
        self.id = new_id()
        self.peer = subscriber.peer
        self.program = program
        self.is_platform = program is None
        self.is_external = True
        self.can_deliver = program is None and subscriber.arguments.get("delivers") is True
        self.takes_lists = subscriber.arguments.get("lists") is True
        self._stream = stream
        self._subscriber = subscriber
        self._costs = costs
        self._spawn = spawn
        self._waiting: deque[dict[str, Any]] = deque()
        self._is_closed = False

    def send(self, event: dict[str, Any]) -> None:
        """Send an event; each in its own message, so that pages handle each in a separate task.

        Large events are sent in separate turns of the event loop, and those after them as well.
        """
        if self._is_closed:
            return
        size = _size(event)
        if not self._waiting and size < LARGE:
            self._stream.send(self._subscriber, event)
            return
        self._costs.hold(size)
        self._waiting.append(event)
        if len(self._waiting) == 1:
            self._spawn(self._send_waiting())

    def close(self) -> None:
        """Discard what was not sent, and all that follows: the subscription has ended."""
        self._is_closed = True
        self._costs.release(sum(map(_size, self._waiting)))
        self._waiting.clear()

    async def _send_waiting(self) -> None:
        while self._waiting:
            await pause(self._costs)
            if self._waiting:
                event = self._waiting[0]
                began = time.perf_counter()
                self._stream.send(self._subscriber, event)
                self._costs.worked(time.perf_counter() - began)
                size = _size(event)
                self._costs.sent(size, 1)
                self._costs.release(size)
                self._waiting.popleft()


def _size(event: dict[str, Any]) -> int:
    payload = event.get("payload")
    return memoryview(payload).nbytes if isinstance(payload, Raw) else 0
