"""Common parts of the REST store and the manager's store."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from rostrum.base.offload import offload
from rostrum.base.retry import Sleep
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import ServiceFailed
from rostrum.client.service import Reply
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.apps.read import entries_of, read_apps
from rostrum.stores.apps.store import Apps, Content
from rostrum.stores.errors import StoreFailed
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)
_OPTIONAL_PATIENCE = 5.0
"""Seconds for which the start waits for the first response of an optional store."""
_USUAL_LENGTH = 1000
"""Characters of a definition, roughly."""

Fetch = Callable[[str | None], Awaitable[Reply]]
"""Requests the list, given the current version."""


READ_CACHE_AFTER = 30.0
"""Seconds after which a store that does not respond starts with its copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Time limits and intervals of a store, in seconds."""

    poll_interval: float = 60
    read_cache_after: float = READ_CACHE_AFTER
    start_retries: int = 5
    start_retry_interval: float = 10


class RemoteAppStore(Content):
    """Fetches a list, stores the last valid response, and polls."""

    def __init__(
        self,
        name: str,
        fetch: Fetch,
        *,
        timing: Timing,
        kept: KeptAnswer | None = None,
        required: bool = True,
        trusted: bool = False,
        pages_reach: bool = True,
        overrides: AppDefinitionOverrides | None = None,
        watched: bool = True,
        feed: ChangeFeed | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Poll a service; a manager that reports changes is not polled.

        Without ``pages_reach``, members with which a page reaches further than itself are ignored.
        """
        super().__init__(name, required=required, trusted=trusted)
        self._fetch = fetch
        self._timing = timing
        self._kept = kept
        self._overrides = overrides
        self._pages_reach = pages_reach
        self._watched = watched
        self._sleep = sleep
        self._etag: str | None = None
        self._first: asyncio.Task[None] | None = None
        self._has_failed = asyncio.Event()
        self._has_answered = False
        self._saving: asyncio.Task[None] | None = None
        self._poller = Poller(name, self.refresh, timing.poll_interval, feed=feed)

    async def open(self) -> None:
        """Request the list; after a time limit, or if the service is not available, use the stored copy.

        An optional store delays the start only until its first request has failed or takes too long; it is then
        requested again in the background.
        """
        self._poller.listen()
        self._first = asyncio.create_task(self._ask_until_answered(), name=f"first answer of {self.name}")
        try:
            await self._wait_for_answer(self._first)
            answered = self._first.done() and self._first.exception() is None
            if answered or await self._use_kept():
                return
            if self.required or self._first.done():
                # No copy exists, so continue to wait.
                await self._first
            else:
                raise StoreFailed(
                    f"{self._poller.offline_reason or 'no answer yet'}; it is asked again while the platform runs"
                )
        finally:
            # If the store is not available at the start, its apps appear when it responds.
            self._first.add_done_callback(self._ask_on)
            if self._watched:
                self._poller.start()

    async def _wait_for_answer(self, first: asyncio.Task[None]) -> None:
        seconds = self._timing.read_cache_after
        awaited: list[asyncio.Task[Any]] = [first]
        if not self.required:
            seconds = min(seconds, _OPTIONAL_PATIENCE)
            awaited.append(asyncio.create_task(self._has_failed.wait()))
        awaited.append(asyncio.create_task(_wait(self._sleep, seconds)))
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in awaited[1:]:
                task.cancel()

    async def close(self) -> None:
        await self._poller.stop()
        if self._first is not None:
            self._first.cancel()
            await asyncio.gather(self._first, return_exceptions=True)
        if self._saving is not None:
            await self._saving

    async def refresh(self) -> None:
        """Request the list once; raise StoreFailed if that fails, and keep the content."""
        try:
            reply = await self._fetch(self._etag)
        except ServiceFailed as error:
            raise StoreFailed(str(error)) from error
        if reply.unchanged:
            return
        entries = entries_of(reply.body)
        differs = self.put(await self._read(entries))
        if not differs and not self._has_answered:
            # An empty list is a valid response: the store is no longer missing.
            self.changed.emit(self.apps)
        self._has_answered = True
        self._etag = reply.etag
        if self._kept is not None:
            # Not cancelled with the caller: a response that is in use must also be stored.
            self._saving = asyncio.create_task(self._keep(self._kept, reply.body))
            await asyncio.shield(self._saving)

    async def _ask_until_answered(self) -> None:
        for _ in range(self._timing.start_retries):
            try:
                return await self._poller.fetch()
            except StoreFailed as error:
                _log.info("%s: %s; asking again", self.name, error)
                self._has_failed.set()
            await self._sleep(self._timing.start_retry_interval)
        return await self._poller.fetch()

    def _ask_on(self, first: asyncio.Task[None]) -> None:
        if not first.cancelled() and first.exception() is not None and self._watched:
            self._poller.failed()

    async def _use_kept(self) -> bool:
        kept = await asyncio.to_thread(self._kept.load) if self._kept is not None else None
        if kept is None or self.apps.definitions:
            return bool(self.apps.definitions)
        answer, age = kept
        try:
            entries = entries_of(answer)
        except StoreFailed:
            return False
        _log.warning("%s does not answer; its answer from %.0f s ago is used", self.name, age)
        self.put(await self._read(entries, age))
        return True

    async def _read(self, entries: list[Any], age: float | None = None) -> Apps:
        """Validate the entries: very many would delay everything else for seconds, so these get a thread."""
        places = ((f"applications[{index}]", entry) for index, entry in enumerate(entries))
        size = len(entries) * _USUAL_LENGTH
        return await offload(size, read_apps, places, self._overrides, age=age, pages_reach=self._pages_reach)

    async def _keep(self, kept: KeptAnswer, body: object) -> None:
        try:
            await asyncio.to_thread(kept.save, body)
        except OSError as error:
            _log.warning("the answer of %s cannot be stored: %s", self.name, error.strerror or error)


async def _wait(sleep: Sleep, seconds: float) -> None:
    await sleep(seconds)
