"""Connections for pages with a strict policy, against a real WebSocket server: what is passed on, and the limits."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
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

address, limit, script = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
gateway_sockets._MOST_WAITING = limit
app = QCoreApplication([])
told = []

def tell(event):
    told.append({name: value if name != "data" else value[:20] for name, value in event.items()})
    for op, arguments in script.get(event["event"], []):
        sockets.execute(op, arguments)
    if event["event"] == "close":
        app.quit()

parent = QObject()
sockets = GatewaySockets(address, tell, parent)
for op, arguments in script["start"]:
    sockets.execute(op, arguments)
QTimer.singleShot(20000, app.quit)
app.exec()
print(json.dumps(told))
"""
Behave = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def server(behave: Behave) -> AsyncIterator[str]:
    async with serve(behave, "127.0.0.1", 0, max_size=None, compression=None) as running:
        yield f"ws://127.0.0.1:{running.sockets[0].getsockname()[1]}"


async def told(address: str, limit: int, **script: Any) -> list[dict[str, Any]]:
    """Return the events of a page, in a process with Qt; ``script`` is what the page does at each event."""
    engine_wanted()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        address,
        str(limit),
        json.dumps(script),
        stdout=subprocess.PIPE,
        env=child_environment(os.environ),
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    events: list[dict[str, Any]] = json.loads(output)
    return events


OPEN = ("socket.open", {"id": 1})


async def test_texts_go_both_ways_and_the_close_of_the_gateway_reaches_the_page() -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.send(f"heard {await socket.recv(decode=True)}")
        await socket.close(4001, "signed out")

    async with server(behave) as address:
        sent = [("socket.send", {"id": 1, "data": "hello 😀", "length": 8}), ("socket.send", {"id": 9, "data": "?"})]
        assert await told(address, 1000, start=[OPEN], open=sent) == [
            {"socket": 1, "event": "open"},
            {"socket": 1, "event": "sent", "length": 8},
            {"socket": 1, "event": "message", "data": "heard hello 😀", "length": 13},
            {"socket": 1, "event": "close", "code": 4001, "reason": "signed out"},
        ]


@pytest.mark.parametrize("reads", [False, True])
async def test_a_page_that_does_not_read_is_disconnected(reads: bool) -> None:
    async def behave(socket: ServerConnection) -> None:
        for _ in range(20):
            await socket.send("x" * 100)
        await socket.close(4002)

    async with server(behave) as address:
        script = {"message": [("socket.read", {"id": 1, "length": 100})]} if reads else {}
        events = await told(address, 1000, start=[OPEN], **script)
        texts = [one for one in events if one["event"] == "message"]
        assert len(texts) == (20 if reads else 10)
        assert events[-1]["code"] == (4002 if reads else 1013)


async def test_a_gateway_that_is_not_there_and_too_many_connections_are_reported_as_failures() -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with server(behave) as address:
        many = [("socket.open", {"id": number}) for number in range(1, 10)]
        events = await told(address, 1000, start=many, open=[("socket.close", {"id": 1})])
        assert events[0] == {"socket": 9, "event": "close", "code": 1006, "reason": "too many connections"}
    (gone,) = await told(address, 1000, start=[OPEN])
    assert (gone["event"], gone["code"]) == ("close", 1006)
