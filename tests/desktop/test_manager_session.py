"""The session with the manager: the contents and times of heartbeats."""

import asyncio
import json
from typing import Any

import pytest

from rostrum.client.changes import ManagerChanges
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.manager_session import ManagerSession
from tests.sources.server import Request, answering, response, running

OPENED: dict[str, Any] = {
    **dict.fromkeys(("user", "machine", "version", "env", "region", "product"), "x"),
    "id": "s1",
    "commands": [],
    **dict.fromkeys(("started", "lastSeen"), "2026-01-01T00:00:00Z"),
    "ended": None,
    "active": True,
    "token": "t",
    "expiresIn": 3600,
}


async def only_spreads(seconds: float) -> None:
    """Let the pause before a receipt end at once, and no other."""
    if seconds:
        await asyncio.Event().wait()


async def forgotten(changes: ManagerChanges, revision: int) -> None:
    """Wait until a number that was refused is not claimed any more."""
    for _ in range(3000):
        if changes.applied.get("apps") != revision:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the number is still claimed")


async def test_revisions_in_use_are_reported_before_the_next_heartbeat_and_again_after_a_reset() -> None:
    told: list[object] = []
    heard = asyncio.Event()

    async def answer(request: Request) -> bytes:
        if request.method == "POST":
            return response(201, json.dumps(OPENED).encode())
        if request.method == "PATCH":
            told.append(request.json)
            heard.set()
            # The manager does not know a revision 90: it was restored from a copy.
            return response(400 if request.json["applied"]["apps"] == 90 else 200, b"{}")
        return response(200, b"{}")

    async with running(answer) as server:
        address = f"http://127.0.0.1:{server.port}/api"
        async with Service(address) as login, Service(address) as work:
            changes = ManagerChanges(ManagerClient(work))
            session = ManagerSession(login, work, {}, [], sleep=only_spreads, spread=lambda: 0)
            session.report(changes)
            await session.open()
            for revision in (90, 12):
                heard.clear()
                changes.note("apps", revision)
                await asyncio.wait_for(heard.wait(), 30)
                await forgotten(changes, 90)
            await session.close()
    assert told == [{"applied": {"apps": 90}}, {"applied": {"apps": 12}}]


@pytest.mark.parametrize(("interval", "wait"), [(None, 1800), (90, 90), (7200, 1800), (0.01, 1)])
async def test_the_token_is_renewed_at_the_interval_and_before_it_ends(interval: float | None, wait: float) -> None:
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.Event().wait()

    async with running(answering(201, json.dumps(OPENED).encode())) as server:
        address = f"http://127.0.0.1:{server.port}/api"
        async with Service(address) as login, Service(address) as work:
            session = ManagerSession(login, work, {}, [], refresh_interval=interval, sleep=note)
            await session.open()
            for _ in range(1000):
                if wait in waits:
                    break
                await asyncio.sleep(0)
            await session.close()
    assert wait in waits


async def test_each_heartbeat_confirms_the_account_and_a_refused_sign_in_refuses_it() -> None:
    heard: list[str] = []
    is_over = asyncio.Event()

    async def answer(request: Request) -> bytes:
        if request.method == "PATCH":
            return response(200 if not heard else 401, b"{}")
        return response(201 if not heard else 401, json.dumps(OPENED).encode())

    async def confirm() -> None:
        heard.append("confirmed")
        changes.note("apps", 2)

    async def refuse() -> None:
        heard.append("refused")
        is_over.set()

    async with running(answer) as server:
        address = f"http://127.0.0.1:{server.port}/api"
        async with Service(address) as login, Service(address) as work:
            changes = ManagerChanges(ManagerClient(work))
            session = ManagerSession(
                login, work, {}, [], confirm=confirm, refuse=refuse, sleep=only_spreads, spread=lambda: 0
            )
            session.report(changes)
            await session.open()
            changes.note("apps", 1)
            await asyncio.wait_for(is_over.wait(), 30)
            await session.close()
    assert heard[:2] == ["confirmed", "refused"]
