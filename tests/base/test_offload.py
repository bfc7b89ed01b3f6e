import asyncio
import threading

import pytest

from rostrum.base import offload as module
from rostrum.base.offload import LARGE, offload


async def test_short_work_is_done_at_once_and_long_work_in_another_thread() -> None:
    assert await offload(LARGE - 1, threading.current_thread) is threading.current_thread()
    assert await offload(LARGE, threading.current_thread) is not threading.current_thread()


async def test_errors_are_raised_in_the_caller() -> None:
    for size in (0, LARGE):
        with pytest.raises(ValueError, match="invalid literal"):
            await offload(size, int, "x")


def test_only_a_few_compute_at_once_in_each_loop() -> None:
    lock, running, most = threading.Lock(), 0, 0
    pair = threading.Barrier(module._AT_ONCE)

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        # Each waits for a second one: were they done one after the other, this would not end.
        pair.wait(10)
        with lock:
            running -= 1

    async def many() -> None:
        await asyncio.gather(*(offload(LARGE, work) for _ in range(3 * module._AT_ONCE)))

    for _ in range(2):
        asyncio.run(many())

    assert most == module._AT_ONCE
