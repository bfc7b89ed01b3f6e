"""Background work, and results with a time limit."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any

from rostrum.base.retry import Sleep

_log = logging.getLogger(__name__)


class BackgroundTasks:
    """Runs background work of one service, logs failures, and waits for it at the end."""

    def __init__(self, failure: str) -> None:
        self._failure = failure
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Start some work; after ``close``, nothing is started."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def close(self) -> None:
        """Wait for the work that was started."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cancel(self) -> None:
        """Cancel the work that was started."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("%s: %s", self._failure, error)


async def answer_within(work: Awaitable[Any], seconds: float, sleep: Sleep) -> Any:
    """Wait for a result; after the time limit, cancel the work and raise TimeoutError."""
    asked = asyncio.ensure_future(work)
    limit = asyncio.ensure_future(sleep(seconds))
    try:
        await asyncio.wait({asked, limit}, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            return asked.result()
        raise TimeoutError
    finally:
        asked.cancel()
        limit.cancel()
        await asyncio.gather(asked, limit, return_exceptions=True)
