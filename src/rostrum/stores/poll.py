"""Repeats a request at intervals, and immediately when a change is reported."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.client.changes import ChangeFeed

_log = logging.getLogger(__name__)
_AGAIN = 30.0
"""Seconds until a failed request is retried, unless the next regular request is earlier."""
_PATIENCE = 10.0
"""Seconds for which the start, or the author of an edit, waits for the service."""


class Poller:
    """Runs a task that calls a function after each interval, or earlier when it is woken.

    Attributes:
        offline_reason: Why the last request failed; None if it succeeded.
        connectivity_changed: Emitted when the service goes offline or comes online.
    """

    def __init__(
        self,
        name: str,
        ask: Callable[[], Awaitable[object]],
        interval: float,
        *,
        needed: Callable[[], bool] | None = None,
        feed: ChangeFeed | None = None,
        again: float = _AGAIN,
    ) -> None:
        """Call ``ask`` every ``interval`` seconds; 0 calls it only when woken.

        A regular call is skipped while ``needed`` returns false; by default, while ``feed`` reports all changes.
        """
        self.offline_reason: str | None = None
        self.connectivity_changed: Signal[None] = Signal()
        self._name = name
        self._ask = ask
        self._interval = interval
        self._after_failure = min(interval or again, again)
        self._feed = feed
        self._needed = needed or self.polling_required
        self._deaf: Callable[[], None] = lambda: None
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failing = False
        self._retry: asyncio.TimerHandle | None = None
        self._turns: set[asyncio.Task[None]] = set()

    def polling_required(self) -> bool:
        """Return whether changes are not reported, so that polling is needed."""
        return self._feed is None or not self._feed.reliable

    def listen(self, feed: ChangeFeed | None = None) -> None:
        """Wake up at change notifications; connected before the first request, so that none is missed."""
        self._feed = feed or self._feed
        if self._feed is not None:
            self._deaf = self._feed.connect(self.wake, self._hear_back)

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"poll {self._name}")

    def wake(self) -> None:
        """Run now; several calls before the next run count as one."""
        self._woken.set()

    def failed(self) -> None:
        """Retry soon, because a request of another caller has failed."""
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(self._after_failure, self.wake)

    async def open(self, patience: float = _PATIENCE) -> str | None:
        """Send the first request and start polling; return why there is no response yet, or None."""
        await self.ask(patience)
        self.start()
        return self.offline_reason

    async def ask(self, patience: float = _PATIENCE) -> None:
        """Send a request and wait for the response, with a limit: edits must not be delayed by a slow server."""
        turn = asyncio.create_task(self._turn(), name=f"ask {self._name}")
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)
        await asyncio.wait({turn}, timeout=patience)
        if not turn.done():
            self._note(f"no answer within {patience:g} s")

    async def fetch(self, ask: Callable[[], Awaitable[object]] | None = None) -> None:
        """Send a request for the caller, and record the revision of the response; the caller handles failures.

        ``ask`` may be a different request to the service: it shows that the service is available, not that all content
        is current.
        """
        # A change during the request may be missing in the response.
        revision = self._feed.revision if self._feed is not None else 0
        try:
            await (ask or self._ask)()
        except RostrumError as error:
            self._note(str(error))
            raise
        self._note(None)
        if self._feed is not None and ask is None:
            self._feed.applied(revision)

    def _note(self, reason: str | None) -> None:
        before, self.offline_reason = self.offline_reason, reason
        if (before is None) != (reason is None):
            self.connectivity_changed.emit(None)

    async def stop(self) -> None:
        """Stop, even during a request."""
        self._deaf()
        self._calm()
        tasks = [*self._turns, *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._task = None

    async def _run(self) -> None:
        while True:
            woken = await self._pause()
            if not woken and not self._needed():
                continue
            await self._turn()

    async def _turn(self) -> None:
        self._calm()
        try:
            await self.fetch()
        except RostrumError as error:
            # Reported once, not with every run.
            if not self._failing:
                _log.warning("%s: %s", self._name, error)
            self._failing = True
            self.failed()
        except Exception:  # noqa: BLE001 - the outermost loop
            # A failed run must not prevent the next one.
            _log.exception("%s: a poll failed", self._name)
            self.failed()
        else:
            if self._failing:
                _log.info("%s: online again", self._name)
            self._failing = False

    async def _pause(self) -> bool:
        try:
            async with asyncio.timeout(self._interval or None):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

    def _hear_back(self) -> None:
        if self._retry is not None:
            self.wake()

    def _calm(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
