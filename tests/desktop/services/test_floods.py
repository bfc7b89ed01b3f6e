"""An app that stores as much as it can in the gateway of a desktop with default settings."""

import asyncio

import pytest

from rostrum.base.ids import new_id
from tests.desktop.services.test_app_rights import execute, two_apps
from tests.desktop.test_identities import Program, bearing, signed_in
from tests.desktop.test_platform import Desk, desk

__all__ = ["desk"]

LIMIT = 33_554_432
"""The default of gw.configuration.limits.maxContextBytes."""
SHARE = LIMIT // 2


@pytest.mark.long
async def test_a_flood_of_contexts_has_a_limit_and_the_platform_continues_to_work_for_others(desk: Desk) -> None:
    async with two_apps(desk) as (_, hostile, victim, __, own):
        refused: list[str] = []
        stored = 0
        finished = asyncio.Event()

        async def flood() -> None:
            nonlocal stored
            # One by one, large ones; then as many small ones as fit into the rest.
            for size in (1_000_000, 20_000):
                for number in range(60):
                    name, data = f"{size}-{number}", {"text": "x" * size}
                    answer = await hostile.ask(type="create-context", name=name, data=data, lifetime="retained")
                    if answer["type"] == "error":
                        refused.append(answer["reason_uri"])
                        break
                    stored += size
            finished.set()

        flooding = asyncio.create_task(flood())
        during = 0
        while not finished.is_set():
            # Windows and apps work meanwhile, and after it.
            moved = await execute(victim, "T42.Wnd.Execute", windowId=own, command="setZoomFactor", options=1.0)
            assert moved["type"] == "result", moved
            during += 1
        await flooding
        assert len(refused) == 2
        assert set(refused) == {"global.errors.limits_exceeded"}
        assert during > 5
        assert stored <= SHARE
        assert [*(await victim.call("Apps.List"))["applications"]]


async def fill(app: Program, size: int = 1_000_000) -> int:
    """Store contexts until one is refused; return the bytes of their data."""
    for number in range(LIMIT // size + 1):
        data = {"text": "x" * size}
        answer = await app.ask(type="create-context", name=f"{new_id()}-{number}", data=data, lifetime="retained")
        if answer["type"] == "error":
            assert answer["reason_uri"] == "global.errors.limits_exceeded"
            return number * size
    raise AssertionError("no limit")


async def test_apps_that_store_as_much_as_they_can_leave_a_share_to_other_apps(desk: Desk) -> None:
    desk.write_app("other", type="window", details={"url": "https://other.example"})
    async with two_apps(desk) as (platform, hostile, victim, *_):
        assert SHARE - 2_000_000 < await fill(hostile) <= SHARE
        other = (await platform.services.instances.start("other")).id
        bearer = bearing(platform.services.tokens.token(other))
        async with signed_in(platform.gateway.address, bearer) as second:
            await fill(second)
            # Together they have used up the limit of the user.
            assert LIMIT // 32 - 200_000 < await fill(victim, 100_000) < 3_000_000
            # Contexts that others have created count for those who make them larger.
            shared = await victim.ask(type="create-context", name="shared", data={}, lifetime="retained")
            delta = {"added": {"text": "x" * 1_000_000}}
            answer = await hostile.ask(type="update-context", context_id=shared["context_id"], delta=delta)
            assert answer["reason_uri"] == "global.errors.limits_exceeded"
