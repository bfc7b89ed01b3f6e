"""Poller: asks again every so often, and at once when told to."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rostrum.base.errors import RostrumError

__all__ = ["Poller"]

_log = logging.getLogger(__name__)


class Poller:
    """Runs one task that calls a function after each interval, or earlier when it is woken."""

    def __init__(
        self,
        name: str,
        ask: Callable[[], Awaitable[object]],
        interval: float,
        *,
        needed: Callable[[], bool] | None = None,
    ) -> None:
        """Take seconds; 0 asks only when woken. ``needed`` false skips a turn that is only due."""
        self._name = name
        self._ask = ask
        self._interval = interval
        self._needed = needed
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failing = False

    def start(self) -> None:
        """Begin with a pause."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"poll {self._name}")

    def wake(self) -> None:
        """Ask now; several calls before the next turn count as one."""
        self._woken.set()

    async def stop(self) -> None:
        """End, also in the middle of a question."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while True:
            woken = await self._pause()
            if not woken and self._needed is not None and not self._needed():
                continue
            try:
                await self._ask()
            except RostrumError as error:
                # Said once, not at every turn.
                if not self._failing:
                    _log.warning("%s: %s", self._name, error)
                self._failing = True
            else:
                if self._failing:
                    _log.info("%s: back again", self._name)
                self._failing = False

    async def _pause(self) -> bool:
        try:
            async with asyncio.timeout(self._interval or None):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True
