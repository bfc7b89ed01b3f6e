"""Server-sent events: clients are notified of changes immediately, and fetch them."""

import asyncio
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Protocol

from litestar import get
from litestar.params import HeaderParameter, QueryParameter
from litestar.types import ASGIApp, Receive, Scope, Send

from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.caller import Caller
from rostrum.manager.events.listener import Listener
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.topic import Routes

_log = logging.getLogger(__name__)

_HEADERS = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    # Proxies must not buffer the stream.
    (b"x-accel-buffering", b"no"),
)

SessionChoice = Annotated[
    str | None,
    QueryParameter(max_length=64, description="An open session of the caller: only commands for it cause events."),
]
LastHeard = Annotated[
    str | None,
    HeaderParameter(name="Last-Event-ID", description="The ID of the last received event. Later changes are sent."),
]
LastHeardInAddress = Annotated[
    str | None, QueryParameter(name="lastEventId", description="The same, for clients that cannot set the header.")
]


class OpenSessions(Protocol):
    """The client sessions."""

    async def require_own_open(self, identity: Identity, session_id: str) -> object:
        """Refuse a session that has ended, or that belongs to another user."""
        ...


@get(
    "/events",
    operation_id="listenForEvents",
    tags=["events"],
    **answers(200, str, 404, 409, media_type="text/event-stream"),
)
async def listen(
    request: ManagerRequest,
    live: Part[LiveUpdates],
    sessions: Part[OpenSessions],
    *,
    session: SessionChoice = None,
    last_event_id: LastHeard = None,
    last_heard: LastHeardInAddress = None,
) -> ASGIApp:
    """Subscribe to changes: apps, layouts, prefs, systemConfig, commands.

    A new stream begins with `ready`. A stream with the ID of an earlier event begins with the changes since, or with
    `reset` if they are unknown; the client must then fetch all documents again. The data of an event contains the
    revision of the change. The ID of an event is the revision up to which all changes were sent.
    """
    caller = request.auth
    if caller.claims is not None and caller.claims.session is not None:
        session = session or caller.claims.session
    if session is not None:
        await sessions.require_own_open(request.user, session)
    return _EventStream(live, caller, session, last_event_id if last_event_id is not None else last_heard)


class _EventStream:
    """The response, which lasts until one side ends it."""

    def __init__(self, live: LiveUpdates, caller: Caller, session: str | None, last_event_id: str | None) -> None:
        self._live = live
        self._caller = caller
        self._session = session
        self._last_event_id = last_event_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._live.joined(self._caller, self._session) as listener:
            opening = await self._live.opening(listener, self._last_event_id)
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            if scope.get("is_head"):
                listener.end()
            gone = asyncio.get_running_loop().create_task(_end_when_gone(listener, receive))
            try:
                await self._send_all(listener, opening, send)
            except TimeoutError:
                peer: Any = scope.get("peer") or scope.get("client")
                _log.info("an event client of %r does not read: cut off", listener.user)
                if peer:
                    cut_off((peer[0], peer[1]))
                return
            finally:
                gone.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, listener: Listener, opening: bytes, send: Send) -> None:
        words: bytes | None = opening
        while words is not None:
            if words:
                async with asyncio.timeout(self._live.slow_seconds):
                    await send({"type": "http.response.body", "body": words, "more_body": True})
            words = await listener.next()


async def _end_when_gone(listener: Listener, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.end()


ROUTES = Routes((listen,))


_OPEN_FILES = Path("/dev/fd")


def cut_off(peer: tuple[str, int]) -> bool:
    """Shut the connection to an address down; return whether there was one.

    The server does not expose its sockets, so the socket is searched among the open files. With thousands of
    connections this takes some milliseconds, so it is done only for clients that do not read.
    """
    for file in _OPEN_FILES.iterdir():
        connection = _socket(int(file.name))
        if connection is not None:
            with suppress(OSError), connection:
                if connection.getpeername()[:2] == peer:
                    connection.shutdown(socket.SHUT_RDWR)
                    return True
    return False


def _socket(number: int) -> socket.socket | None:
    """Open the socket behind an open file once more, if it is one: the server may close its own at any moment."""
    try:
        copy = os.dup(number)
    except OSError:
        return None
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        return None
