"""Runs long work on documents outside the event loop, so that it does not delay short requests."""

import asyncio
import sys
from asyncio import AbstractEventLoop, Semaphore
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rostrum.base.memory import without_collecting

LARGE = 64 * 1024
"""Size in characters above which parsing, validating or comparing JSON takes milliseconds."""

# Threads of one process share the interpreter lock: each additional busy thread delays the event loop. A write to
# SQLite changes threads dozens of times and waits for the lock each time.
_AT_ONCE = 2
_TURN_SECONDS = 0.00005

P = ParamSpec("P")
T = TypeVar("T")

_turns: WeakKeyDictionary[AbstractEventLoop, Semaphore] = WeakKeyDictionary()


async def offload(size: int, work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Run work on documents of ``size`` characters: directly if they are small, otherwise in another thread."""
    if size < LARGE:
        return work(*arguments, **options)
    turn = _turns.setdefault(asyncio.get_running_loop(), Semaphore(_AT_ONCE))
    async with turn:
        with without_collecting():
            return await asyncio.to_thread(work, *arguments, **options)


def take_short_turns() -> None:
    """Make busy threads release the interpreter lock after 0.05 ms instead of 5 ms, so that other threads wait less."""
    sys.setswitchinterval(_TURN_SECONDS)
