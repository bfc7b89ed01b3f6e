"""Clients that come to listen are let in a few at a time, and keep nobody else waiting."""

import asyncio
from typing import Any

from rostrum.manager.http.admission_limit import AdmissionLimit

AT_ONCE = 8


class Listening:
    """An application whose answers begin when a test says so, and never end by themselves."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_begin = asyncio.Event()
        self.may_end = asyncio.Event()
        self.fails = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await self.may_begin.wait()
        if self.fails:
            raise ZeroDivisionError
        await send({"type": "http.response.start"})
        await self.may_end.wait()


async def ask(limit: AdmissionLimit, path: str = "/api/events", **headers: str) -> None:
    async def send(_message: Any) -> None:
        pass

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    await limit({"type": "http", "path": path, "headers": given}, None, send)


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_only_some_come_in_at_once_and_the_next_when_an_answer_has_begun() -> None:
    app = Listening()
    limit = AdmissionLimit(app, "/api/events")
    tasks = [asyncio.create_task(ask(limit)) for _ in range(3 * AT_ONCE)]
    await settled()
    assert app.asked == AT_ONCE
    app.may_begin.set()
    await settled()
    # All of them are in, although none has ended.
    assert app.asked == 3 * AT_ONCE
    app.may_end.set()
    await asyncio.gather(*tasks)


async def test_anyone_who_wants_something_else_or_brings_a_password_passes() -> None:
    app = Listening()
    limit = AdmissionLimit(app, "/api/events")
    tasks = [asyncio.create_task(ask(limit)) for _ in range(AT_ONCE)]
    tasks.append(asyncio.create_task(ask(limit, "/api/apps")))
    tasks.append(asyncio.create_task(ask(limit, authorization="Basic x")))
    await settled()
    assert app.asked == AT_ONCE + 2
    app.may_begin.set()
    app.may_end.set()
    await asyncio.gather(*tasks)


async def test_who_fails_or_goes_away_leaves_a_place() -> None:
    app = Listening()
    app.fails = True
    limit = AdmissionLimit(app, "/api/events")
    tasks = [asyncio.create_task(ask(limit)) for _ in range(2 * AT_ONCE)]
    await settled()
    for task in tasks[AT_ONCE // 2 : AT_ONCE + 2]:
        task.cancel()
    app.may_begin.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    app.fails = False
    later = [asyncio.create_task(ask(limit)) for _ in range(AT_ONCE)]
    await settled()
    assert app.asked >= 2 * AT_ONCE
    app.may_end.set()
    await asyncio.gather(*later)
