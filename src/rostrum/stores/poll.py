"""Poller: asks again every so often, and at once when there is something new."""

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
"""Seconds that the start, or somebody who has edited something, waits for the other side."""


class Poller:
    """Runs one task that calls a function after each interval, or earlier when it is woken.

    Attributes:
        offline_reason: Why the last question was not answered; None when it was.
        connectivity_changed: Emitted when the other side becomes offline, or online again.

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

        A turn is skipped if ``needed`` is false or ``feed`` announces changes.
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
        """Return whether nobody reports changes now."""
        return self._feed is None or not self._feed.reliable

    def listen(self, feed: ChangeFeed | None = None) -> None:
        """Wake up at announcements of the manager, from before the first request on, so that none is missed."""
        self._feed = feed or self._feed
        if self._feed is not None:
            self._deaf = self._feed.connect(self.wake, self._hear_back)

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"poll {self._name}")

    def wake(self) -> None:
        """Ask now; several calls before the next turn count as one."""
        self._woken.set()

    def failed(self) -> None:
        """Retry soon, because a request of another caller has failed."""
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(self._after_failure, self.wake)

    async def open(self, patience: float = _PATIENCE) -> str | None:
        """Ask for the first time, and go on asking; return why there is no answer yet, None when there is one."""
        await self.ask(patience)
        self.start()
        return self.offline_reason

    async def ask(self, patience: float = _PATIENCE) -> None:
        """Ask at once and wait for the answer, but not long: who edits something does not wait for a slow server."""
        turn = asyncio.create_task(self._turn(), name=f"ask {self._name}")
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)
        await asyncio.wait({turn}, timeout=patience)
        if not turn.done():
            self._note(f"no answer within {patience:g} s")

    async def fetch(self, ask: Callable[[], Awaitable[object]] | None = None) -> None:
        """Send a request for the caller, and record the revision of the response; the caller handles failures.

        ``ask`` is another question to the same side: it shows whether that side is there, but not that all is new.
        """
        # A change that comes while we ask may be missing in the answer.
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
        """End, also in the middle of a question."""
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
            # Said once, not at every turn.
            if not self._failing:
                _log.warning("%s: %s", self._name, error)
            self._failing = True
            self.failed()
        except Exception:  # noqa: BLE001 - the outermost loop
            # Whatever one turn has met, the next one may go well.
            _log.exception("%s: a turn failed", self._name)
            self.failed()
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

    def _hear_back(self) -> None:
        if self._retry is not None:
            self.wake()

    def _calm(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
