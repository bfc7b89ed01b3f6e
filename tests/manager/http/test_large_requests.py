"""Requests with very large documents: one at a time, while small ones pass."""

import asyncio
import gc
from typing import Any

import pytest

from rostrum.manager.http.large_requests import LargeRequests, wait_for_turn

LARGE: dict[str, bytes | str] = {
    "many bytes": b"x" * 600_000,
    "many elements": b"[" + b"[]," * 15_000 + b"[]]",
    "text": "[]," * 15_000,
}
SMALL = {"few bytes": b"x" * 500_000, "few elements": b"[" + b"[]," * 8_000 + b"[]]"}


class Application:
    """Parses what the scope names as its text, and answers when it may."""

    def __init__(self) -> None:
        self.working: set[str] = set()
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, _receive: Any, _send: Any) -> None:
        await wait_for_turn(scope, scope["text"])
        # What comes inside of another value is parsed as well, in the same turn.
        await wait_for_turn(scope, scope["text"])
        self.working.add(scope["path"])
        await self.go_on.wait()
        self.working.discard(scope["path"])
        if scope["path"] == "/broken":
            raise ValueError("broken")


async def until_idle() -> None:
    """Let every task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


def sent(requests: LargeRequests, path: str, text: bytes | str) -> "asyncio.Task[None]":
    return asyncio.create_task(requests({"type": "http", "path": path, "text": text}, None, None))


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
async def test_large_requests_are_worked_on_one_at_a_time_and_small_ones_beside_them(text: bytes | str) -> None:
    application = Application()
    requests = LargeRequests(application)
    large = [sent(requests, f"/large{number}", text) for number in range(3)]
    small = [sent(requests, f"/small{number}", body) for number, body in enumerate(SMALL.values())]
    await until_idle()

    assert application.working == {"/large0", "/small0", "/small1"}
    assert not gc.isenabled()
    application.go_on.set()
    await asyncio.gather(*large, *small)
    assert gc.isenabled()


async def test_a_large_request_that_fails_or_goes_away_lets_the_next_one_in() -> None:
    application = Application()
    requests = LargeRequests(application)
    gone, waiting, broken, last = (
        sent(requests, path, LARGE["many bytes"]) for path in ("/gone", "/waiting", "/broken", "/last")
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


async def test_what_is_no_request_passes() -> None:
    seen: list[Any] = []

    async def application(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope)

    await LargeRequests(application)({"type": "lifespan"}, None, None)

    assert seen == [{"type": "lifespan"}]
