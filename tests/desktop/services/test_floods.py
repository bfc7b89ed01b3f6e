"""An app that stores as much as it can in the gateway of a desktop with default settings."""

import asyncio

import pytest

from tests.desktop.services.test_app_rights import execute, two_apps
from tests.desktop.test_platform import Desk, desk

__all__ = ["desk"]

LIMIT = 33_554_432
"""The default of gw.configuration.limits.maxContextBytes."""


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
        assert stored <= LIMIT
        assert [*(await victim.call("Apps.List"))["applications"]]
