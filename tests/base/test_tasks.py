"""Tasks are ended, whatever they do when they are cancelled."""

import asyncio
import logging
from collections.abc import Coroutine

import pytest

from rostrum.base import tasks
from rostrum.base.tasks import end_tasks


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_PAUSE", 0.01)


async def goes_on(times: int) -> None:
    """Ignore some cancellations."""
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            times -= 1
            if times < 0:
                raise


async def fails() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        raise ValueError("no more")


async def started(*coroutines: Coroutine[None, None, None]) -> list["asyncio.Task[None]"]:
    made = [asyncio.create_task(one) for one in coroutines]
    await asyncio.sleep(0)
    return made


async def test_tasks_have_ended_afterwards_even_if_they_ignore_a_cancellation() -> None:
    running = await started(goes_on(0), goes_on(1), goes_on(5))
    await end_tasks(running)
    assert all(task.cancelled() for task in running)


async def test_tasks_that_have_ended_and_no_tasks_are_no_problem(caplog: pytest.LogCaptureFixture) -> None:
    (done,) = await started(asyncio.sleep(0))
    await done
    await end_tasks([done])
    await end_tasks([])
    assert not done.cancelled()
    assert caplog.records == []


@pytest.mark.parametrize("has_failed_before", [True, False])
async def test_a_task_that_fails_is_logged(caplog: pytest.LogCaptureFixture, has_failed_before: bool) -> None:
    (task,) = await started(fails())
    if has_failed_before:
        task.cancel()
        await asyncio.wait([task])
    await end_tasks([task])
    assert "no more" in caplog.text


async def test_a_task_that_ignores_all_cancellations_is_logged_and_left(caplog: pytest.LogCaptureFixture) -> None:
    (stubborn,) = await started(goes_on(20))
    with caplog.at_level(logging.ERROR):
        await end_tasks([stubborn])
    assert "does not end" in caplog.text
    assert "goes_on" in caplog.text
    assert not stubborn.done()
    while not stubborn.done():
        stubborn.cancel()
        await asyncio.wait([stubborn], timeout=0.01)
