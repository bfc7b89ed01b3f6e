"""Long work on documents, done outside the event loop, so that short requests do not wait for it."""

import asyncio
import sys
from asyncio import AbstractEventLoop, Semaphore
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rostrum.base.memory import without_collecting

LARGE = 64 * 1024
"""Characters of JSON from which on reading, checking or comparing a document takes milliseconds."""

# Threads of one process take turns: with each more that computes, the loop waits longer for its own. A write to SQLite
# changes threads dozens of times, and waits for such a turn each time.
_AT_ONCE = 2
_TURN_SECONDS = 0.00005

P = ParamSpec("P")
T = TypeVar("T")

_turns: WeakKeyDictionary[AbstractEventLoop, Semaphore] = WeakKeyDictionary()


async def offload(size: int, work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Do work on documents of so many characters: at once when that is short, otherwise in another thread."""
    if size < LARGE:
        return work(*arguments, **options)
    turn = _turns.setdefault(asyncio.get_running_loop(), Semaphore(_AT_ONCE))
    async with turn:
        with without_collecting():
            return await asyncio.to_thread(work, *arguments, **options)


def take_short_turns() -> None:
    """Let threads that compute give way after 0.05 ms, not after 5: others who need a short turn hardly wait then."""
    sys.setswitchinterval(_TURN_SECONDS)
