"""Lets clients that come to listen in one by one, so that a whole firm that comes back keeps nobody else waiting."""

import asyncio
from collections.abc import Iterable
from typing import Any

from rostrum.manager.auth.methods import brings_password

_AT_ONCE = 8


class AdmissionLimit:
    """Stands before the application; requests for the event stream wait here for their turn, others pass."""

    def __init__(self, app: Any, path: str) -> None:
        self._app = app
        self._path = path
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or scope["path"] != self._path or _brings_password(scope["headers"]):
            await self._app(scope, receive, send)
            return
        turn = _Turn(self._places, send)
        await turn.take()
        try:
            await self._app(scope, receive, turn.send)
        finally:
            turn.end()


def _brings_password(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    # Those wait in another queue, for longer: here they would be in the way.
    return any(name == b"authorization" and brings_password(value.decode("latin-1")) for name, value in headers)


class _Turn:
    """The turn of one client: it ends with the first words of the answer, however long that goes on."""

    __slots__ = ("_is_mine", "_places", "_send")

    def __init__(self, places: asyncio.Semaphore, send: Any) -> None:
        self._places = places
        self._send = send
        self._is_mine = False

    async def take(self) -> None:
        await self._places.acquire()
        self._is_mine = True

    def end(self) -> None:
        if self._is_mine:
            self._is_mine = False
            self._places.release()

    async def send(self, message: Any) -> None:
        self.end()
        await self._send(message)
