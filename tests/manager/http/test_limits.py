"""Limits at the edge: event streams open a few at a time, large documents are read one at a time, others pass."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from rostrum.manager.http.asgi import Application, Message, Receive, Scope, Send
from rostrum.manager.http.edge import Edge
from rostrum.manager.http.limits import wait_for_turn
from rostrum.manager.http.metrics import Metrics

AT_ONCE = 8
LARGE: dict[str, bytes | str] = {
    "many bytes": b"x" * 600_000,
    "many elements": b"[" + b"[]," * 15_000 + b"[]]",
    "text": "[]," * 15_000,
}
SMALL = {"few bytes": b"x" * 500_000, "few elements": b"[" + b"[]," * 8_000 + b"[]]"}


class Listening:
    """An application whose responses start when a test requests it, and do not end by themselves."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_begin = asyncio.Event()
        self.may_end = asyncio.Event()
        self.fails = False

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self.asked += 1
        await self.may_begin.wait()
        if self.fails:
            raise ZeroDivisionError
        await send({"type": "http.response.start", "status": 200})
        await self.may_end.wait()


class Parsing:
    """An application that parses the text in the scope, and responds when a test requests it."""

    def __init__(self) -> None:
        self.working: set[str] = set()
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        await wait_for_turn(scope, scope["text"])
        # JSON inside another value is parsed as well, in the same turn.
        await wait_for_turn(scope, scope["text"])
        self.working.add(scope["path"])
        await self.go_on.wait()
        self.working.discard(scope["path"])
        if scope["path"] == "/broken":
            raise ValueError("broken")


async def receive() -> Message:
    raise AssertionError("no application of these tests reads a body")


async def send(_message: Message) -> None:
    pass


def edge(application: Callable[[Scope, Receive, Send], Awaitable[None]]) -> Edge:
    return Edge(application, Metrics(), base="api")


def sent(
    server: Application, path: str = "/api/events", *, text: bytes | str = b"", **headers: str
) -> "asyncio.Task[None]":
    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: Scope = {"type": "http", "scheme": "http", "method": "GET", "path": path, "headers": given, "text": text}

    async def request() -> None:
        await server(scope, receive, send)

    return asyncio.create_task(request())


async def until_idle() -> None:
    """Let every task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_event_streams_open_a_few_at_a_time_and_the_next_when_a_response_has_started() -> None:
    app = Listening()
    server = edge(app)
    tasks = [sent(server) for _ in range(3 * AT_ONCE)]
    await until_idle()
    assert app.asked == AT_ONCE
    app.may_begin.set()
    await until_idle()
    # All of them are open, although none has ended.
    assert app.asked == 3 * AT_ONCE
    app.may_end.set()
    await asyncio.gather(*tasks)


async def test_other_requests_and_requests_with_a_password_do_not_wait_for_event_streams() -> None:
    app = Listening()
    server = edge(app)
    tasks = [sent(server) for _ in range(AT_ONCE)]
    tasks.append(sent(server, "/api/apps"))
    tasks.append(sent(server, authorization="Basic x"))
    await until_idle()
    assert app.asked == AT_ONCE + 2
    app.may_begin.set()
    app.may_end.set()
    await asyncio.gather(*tasks)


async def test_an_event_stream_that_fails_or_is_cancelled_lets_the_next_one_open() -> None:
    app = Listening()
    app.fails = True
    server = edge(app)
    tasks = [sent(server) for _ in range(2 * AT_ONCE)]
    await until_idle()
    for task in tasks[AT_ONCE // 2 : AT_ONCE + 2]:
        task.cancel()
    app.may_begin.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    app.fails = False
    asked = app.asked
    later = [sent(server) for _ in range(AT_ONCE)]
    await until_idle()
    assert app.asked == asked + AT_ONCE
    app.may_end.set()
    await asyncio.gather(*later)


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
async def test_large_requests_are_worked_on_one_at_a_time_and_small_ones_beside_them(text: bytes | str) -> None:
    application = Parsing()
    server = edge(application)
    large = [sent(server, f"/large{number}", text=text) for number in range(3)]
    small = [sent(server, f"/small{number}", text=body) for number, body in enumerate(SMALL.values())]
    await until_idle()

    assert application.working == {"/large0", "/small0", "/small1"}
    assert not gc.isenabled()
    application.go_on.set()
    await asyncio.gather(*large, *small)
    assert gc.isenabled()


async def test_a_large_request_that_fails_or_is_cancelled_lets_the_next_one_in() -> None:
    application = Parsing()
    server = edge(application)
    gone, waiting, broken, last = (
        sent(server, path, text=LARGE["many bytes"]) for path in ("/gone", "/waiting", "/broken", "/last")
    )
    await until_idle()
    waiting.cancel()
    gone.cancel()
    await asyncio.gather(gone, waiting, return_exceptions=True)
    application.go_on.set()

    with pytest.raises(ValueError, match="broken"):
        await broken
    await last
    assert gc.isenabled()


async def test_what_is_not_a_request_passes() -> None:
    seen: list[Any] = []

    async def application(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope)

    await edge(application)({"type": "lifespan"}, receive, send)

    assert seen == [{"type": "lifespan"}]
