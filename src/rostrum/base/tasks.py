"""Ends tasks of the event loop."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

_PAUSE = 1.0
_MOST_ATTEMPTS = 10
_log = logging.getLogger(__name__)


async def end_tasks(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    """Cancel tasks, and wait until they have ended.

    They are cancelled again if they go on: a library that is interrupted at the end of its work may catch the
    cancellation, and a loop would wait for the next turn. A task that ignores all attempts is logged and left behind,
    so that it cannot prevent a process from ending.
    """
    given = {*tasks}
    remaining = {task for task in given if not task.done()}
    for _ in range(_MOST_ATTEMPTS):
        if not remaining:
            break
        for task in remaining:
            task.cancel()
        _, remaining = await asyncio.wait(remaining, timeout=_PAUSE)
    for task in given - remaining:
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("the task %s has failed", task.get_name(), exc_info=error)
    for task in remaining:
        _log.error("the task %s does not end: %r", task.get_name(), task.get_coro())
