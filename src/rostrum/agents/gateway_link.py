"""The link between an agent and a platform or program on the gateway."""

import asyncio
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

_STEP = 0.002
"""Seconds after which further events are sent in other turns: one message of an app can cause a thousand of them."""
_SMALL_EVENT = 512
"""What an event without a message, or the record of an event, takes while it waits, in bytes."""


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
        self._step_began: float | None = None

    def send(self, event: dict[str, Any]) -> None:
        """Send an event; each in its own message, so that pages handle each in a separate task.

        Large events, and those that take long together, are sent in separate turns of the event loop, and those after
        them as well.
        """
        if self._is_closed:
            return
        size = _size(event)
        if not self._waiting and size < LARGE and not self._is_step_over():
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

    def _is_step_over(self) -> bool:
        """Return whether the events of this turn of the event loop have taken long."""
        now = time.perf_counter()
        if self._step_began is None:
            self._step_began = now
            asyncio.get_running_loop().call_soon(self._end_step)
        return now - self._step_began > _STEP

    def _end_step(self) -> None:
        self._step_began = None

    async def _send_waiting(self) -> None:
        while self._waiting:
            await pause(self._costs)
            began = time.perf_counter()
            while self._waiting:
                large = _size(self._waiting[0]) >= LARGE
                self._send_first()
                if large or time.perf_counter() - began > _STEP:
                    break
            self._costs.worked(time.perf_counter() - began)

    def _send_first(self) -> None:
        event = self._waiting[0]
        self._stream.send(self._subscriber, event)
        size = _size(event)
        self._costs.sent(size, 1)
        self._costs.release(size)
        self._waiting.popleft()


def _size(event: dict[str, Any]) -> int:
    payload = event.get("payload")
    return _SMALL_EVENT + (memoryview(payload).nbytes if isinstance(payload, Raw) else 0)
