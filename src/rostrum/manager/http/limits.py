"""Limits for requests that are processed at the same time.

Event streams are opened a few at a time: when all desktops of a firm reconnect at once, other requests must not wait
for them. Very large documents are read one at a time: their objects take far more memory and processor time than their
text, and threads of one process take turns, so each further one would slow down all other requests.
"""

import asyncio
from contextlib import ExitStack
from typing import Any

from rostrum.base import json_text
from rostrum.base.memory import without_collecting
from rostrum.manager.auth.schemes import brings_password
from rostrum.manager.http.asgi import Scope

_STREAMS_AT_ONCE = 8
_MOST_BYTES = 512 * 1024
_MOST_ELEMENTS = 20_000
_TURN = "rostrum.turn"


class Limits:
    """The limits of one server."""

    def __init__(self, events: str) -> None:
        """Limit how many event streams, requested at the path ``events``, are opened at the same time."""
        self._events = events
        self._streams = asyncio.Semaphore(_STREAMS_AT_ONCE)
        self._large = asyncio.Lock()

    async def admit(self, scope: Scope) -> "Turn":
        """Wait until a request may pass, and record its turn in the scope."""
        turn: Turn = Turn(self._large)
        scope[_TURN] = turn
        if scope["path"] == self._events and not _brings_password(scope):
            await self._streams.acquire()
            turn.stream = self._streams
        return turn


class Turn:
    """The places that one request occupies; most requests occupy none."""

    __slots__ = ("_held", "_large", "stream")

    def __init__(self, large: asyncio.Lock) -> None:
        self._large = large
        self._held: ExitStack | None = None
        self.stream: asyncio.Semaphore | None = None

    async def take_large(self) -> None:
        """Wait until no other large document is processed."""
        if self._held is None:
            await self._large.acquire()
            self._held = ExitStack()
            self._held.callback(self._large.release)
            self._held.enter_context(without_collecting())

    def response_started(self) -> None:
        """Let the next client open its event stream: the stream itself may last for hours."""
        if self.stream is not None:
            self.stream.release()
            self.stream = None

    def end(self) -> None:
        """Release the places that the request still occupies."""
        self.response_started()
        if self._held is not None:
            self._held.close()
            self._held = None


async def wait_for_turn(scope: Any, text: bytes | str) -> None:
    """Wait before parsing a large text until no other one is processed; small texts do not wait."""
    turn: Turn | None = scope.get(_TURN)
    if turn is not None and _is_large(text):
        await turn.take_large()


def _is_large(text: bytes | str) -> bool:
    return len(text) > _MOST_BYTES or json_text.count_elements(text, _MOST_ELEMENTS) > _MOST_ELEMENTS


def _brings_password(scope: Scope) -> bool:
    # Requests with passwords wait in the queue of the password checks, for longer: they would block this one.
    return any(
        name == b"authorization" and brings_password(value.decode("latin-1")) for name, value in scope["headers"]
    )
