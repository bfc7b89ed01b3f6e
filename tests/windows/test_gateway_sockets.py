"""Connections for pages with a strict policy, against a real WebSocket server: what is passed on, and the limits."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from rostrum.desktop.hosts.start import child_environment
from tests.windows.desk import engine_wanted

PROGRAM = """
import json, sys
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from rostrum.desktop.hosts.qt import gateway_sockets
from rostrum.desktop.hosts.qt.gateway_sockets import GatewaySockets

app = QCoreApplication([])

def play(address, limit, script):
    told = []
    gateway_sockets._MOST_WAITING = limit

    def tell(event):
        told.append(event)
        for op, arguments in script.get(event["event"], []):
            sockets.execute(op, arguments)
        if event["event"] == "close":
            app.quit()

    parent, patience = QObject(), QTimer(singleShot=True, interval=20000)
    sockets = GatewaySockets(address, tell, parent)
    for op, arguments in script["start"]:
        sockets.execute(op, arguments)
    patience.timeout.connect(app.quit)
    patience.start()
    app.exec()
    return told

for line in sys.stdin:
    print(json.dumps(play(*json.loads(line))), flush=True)
"""
Behave = Callable[[ServerConnection], Awaitable[None]]
Told = Callable[..., Awaitable[list[dict[str, Any]]]]


@asynccontextmanager
async def server(behave: Behave) -> AsyncIterator[str]:
    async with serve(behave, "127.0.0.1", 0, max_size=None, compression=None) as running:
        yield f"ws://127.0.0.1:{running.sockets[0].getsockname()[1]}"


@pytest.fixture(scope="module")
def told() -> Iterator[Told]:
    """Returns the events of a page, in a process with Qt; the script is what the page does at each event."""
    engine_wanted()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment(os.environ),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        given, output = process.stdin, process.stdout

        async def play(address: str, limit: int, **script: Any) -> list[dict[str, Any]]:
            print(json.dumps([address, limit, script]), file=given, flush=True)
            events: list[dict[str, Any]] = json.loads(await asyncio.to_thread(output.readline))
            return events

        yield play


OPEN = ("socket.open", {"id": 1})


async def test_texts_go_both_ways_and_the_close_of_the_gateway_reaches_the_page(told: Told) -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.send(f"heard {await socket.recv(decode=True)}")
        await socket.close(4001, "signed out")

    async with server(behave) as address:
        sent = [("socket.send", {"id": 1, "data": "hello 😀", "length": 8}), ("socket.send", {"id": 9, "data": "?"})]
        assert await told(address, 1000, start=[OPEN], open=sent) == [
            {"socket": 1, "event": "open"},
            {"socket": 1, "event": "sent", "length": 8},
            {"socket": 1, "event": "messages", "data": ["heard hello 😀"], "length": 13},
            {"socket": 1, "event": "close", "code": 4001, "reason": "signed out"},
        ]


@pytest.mark.parametrize("reads", [False, True])
async def test_a_page_that_does_not_read_is_disconnected(told: Told, reads: bool) -> None:
    async def behave(socket: ServerConnection) -> None:
        for _ in range(20):
            await socket.send("x" * 100)
            await socket.recv()
        await socket.close(4002)

    async with server(behave) as address:
        more = ("socket.send", {"id": 1, "data": "more", "length": 4})
        script = {"messages": [*([("socket.read", {"id": 1, "length": 100})] if reads else []), more]}
        events = await told(address, 1000, start=[OPEN], **script)
        texts = [text for one in events if one["event"] == "messages" for text in one["data"]]
        assert len(texts) == (20 if reads else 10)
        assert events[-1]["code"] == (4002 if reads else 1013)


async def test_many_texts_are_passed_to_the_page_together_and_the_close_comes_last(told: Told) -> None:
    async def behave(socket: ServerConnection) -> None:
        for number in range(1000):
            await socket.send(str(number))
        await socket.send("x" * 300_000)
        await socket.send("last")
        await socket.close(4003)

    async with server(behave) as address:
        events = await told(address, 1_000_000, start=[OPEN])
    passed = [one["data"] for one in events if one["event"] == "messages"]
    assert [text for texts in passed for text in texts] == [*map(str, range(1000)), "x" * 300_000, "last"]
    assert max(map(len, passed)) == 64
    # After a large text, no further ones are added.
    assert passed[-1] == ["last"]
    assert events[-1]["code"] == 4003


async def test_a_gateway_that_is_not_there_and_too_many_connections_are_reported_as_failures(told: Told) -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with server(behave) as address:
        many = [("socket.open", {"id": number}) for number in range(1, 10)]
        events = await told(address, 1000, start=many, open=[("socket.close", {"id": 1})])
        assert events[0] == {"socket": 9, "event": "close", "code": 1006, "reason": "too many connections"}
    (gone,) = await told(address, 1000, start=[OPEN])
    assert (gone["event"], gone["code"]) == ("close", 1006)
