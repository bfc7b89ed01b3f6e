"""A copy of a remote collection on disk, which stays usable and editable while the service is offline."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from rostrum.base.signal import Signal
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import NotPermitted, Refused, ServiceFailed
from rostrum.stores.errors import StoreFailed
from rostrum.stores.outbox import Edit, Outbox
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)


class Replica(ABC):
    """The parts that all replicas share: the poller, the outbox and the order of each exchange with the service.

    Attributes:
        noun: The kind of store, for messages.
        name: The name of the store.
        problems: Messages for users, such as edits that the service rejected.
    """

    noun: ClassVar[str]

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        interval: float,
        feed: ChangeFeed | None,
        needed: Callable[[], bool] | None = None,
    ) -> None:
        """Open the outbox in the folder of the copy. ``interval`` is in seconds; see ``Poller`` for ``needed``."""
        self.name = name
        self.problems: list[str] = []
        self._outbox = Outbox(folder / "outbox.json")
        self._exchanging = asyncio.Lock()
        self._poller = Poller(f"{self.noun} store {name}", self.refresh, interval, needed=needed, feed=feed)

    async def open(self) -> None:
        """Load the copy and request current content; while the service is offline, the copy is used."""
        self._poller.listen()
        is_empty = not await asyncio.to_thread(self._read_copy)
        if await self._poller.open() is not None and not is_empty:
            _log.warning("%s store %s: the service is offline; the stored copy is used", self.noun, self.name)

    async def close(self) -> None:
        """Stop polling. Edits that were not sent stay on disk until the next start."""
        await self._poller.stop()

    @property
    def offline_reason(self) -> str | None:
        """Return why the service cannot be reached; ``None`` while it responds."""
        return self._poller.offline_reason

    @property
    def connectivity_changed(self) -> Signal[None]:
        """Return the signal that the service went offline or came online."""
        return self._poller.connectivity_changed

    @property
    def waiting(self) -> int:
        """Count the edits that were not sent yet."""
        return len(self._outbox)

    async def refresh(self) -> None:
        """Send the pending edits, and fetch newer content."""
        async with self._exchanging:
            await asyncio.to_thread(self._outbox.flush)
            try:
                await self._exchange()
            except ServiceFailed as error:
                raise StoreFailed(str(error)) from error
            await asyncio.to_thread(self._save_copy)
        self._report_changes()

    @abstractmethod
    def _read_copy(self) -> bool:
        """Load the copy from disk; return whether it has any content."""

    @abstractmethod
    def _write_copy(self) -> None:
        """Write the content of the service to disk; raises ``OSError``."""

    @abstractmethod
    async def _exchange(self) -> None:
        """Fetch the content of the service, and send the pending edits."""

    @abstractmethod
    async def _send(self, edit: Edit) -> None:
        """Send one edit."""

    @abstractmethod
    def _report_changes(self) -> None:
        """Notify the users of the store if its content changed since the last report."""

    @abstractmethod
    def _describe(self, edit: Edit) -> str:
        """Name an edit for a message."""

    async def _deliver(self, edit: Edit) -> None:
        self._outbox.under_way = edit
        try:
            await self._send(edit)
        except (Refused, NotPermitted) as error:
            # A retry would be rejected as well, and later edits must not wait for it.
            kept = await asyncio.to_thread(self._outbox.refused, edit)
            self._warn(f"{self._describe(edit)} was refused: {error}. It is stored in {kept}.")
        else:
            await asyncio.to_thread(self._outbox.done, edit)

    def _save_copy(self) -> None:
        try:
            self._write_copy()
        except OSError as error:
            _log.warning("the copy of %s cannot be written: %s", self.name, error.strerror or error)

    def _warn(self, message: str) -> None:
        _log.warning("%s store %s: %s", self.noun, self.name, message)
        self.problems.append(message)
