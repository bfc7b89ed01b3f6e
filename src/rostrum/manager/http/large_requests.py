"""Lets requests with very large documents in one at a time.

Their objects take far more memory and processor time than their text. Threads of one process take turns, so each
further large request that is worked on would make all other requests slower.
"""

import asyncio
from contextlib import ExitStack
from typing import Any

from rostrum.base import json_text
from rostrum.base.memory import without_collecting

_TURN = "rostrum.large_request"
_MOST_BYTES = 512 * 1024
_MOST_ELEMENTS = 20_000


class LargeRequests:
    """Stands before the application, and ends the turn of a large request when it has been answered."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._place = asyncio.Lock()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        turn = scope[_TURN] = _Turn(self._place)
        try:
            await self._app(scope, receive, send)
        finally:
            turn.end()


async def wait_for_turn(scope: Any, text: bytes | str) -> None:
    """Wait, before a text is parsed, until no other large request is worked on; small ones do not wait."""
    turn: _Turn | None = scope.get(_TURN)
    if turn is not None and _is_large(text):
        await turn.take()


def _is_large(text: bytes | str) -> bool:
    return len(text) > _MOST_BYTES or json_text.count_elements(text, _MOST_ELEMENTS) > _MOST_ELEMENTS


class _Turn:
    """The turn of one request, which most requests never take."""

    __slots__ = ("_held", "_place")

    def __init__(self, place: asyncio.Lock) -> None:
        self._place = place
        self._held: ExitStack | None = None

    async def take(self) -> None:
        if self._held is None:
            await self._place.acquire()
            self._held = ExitStack()
            self._held.callback(self._place.release)
            self._held.enter_context(without_collecting())

    def end(self) -> None:
        if self._held is not None:
            self._held.close()
