"""The apps of each audience as one JSON text, read once after a change and shared by all callers and routes."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from msgspec import Struct

from rostrum.base import json_text
from rostrum.manager.access.identity import Identity
from rostrum.manager.apps.service import AppService
from rostrum.manager.auth.caller import Caller
from rostrum.manager.content_versions import APPS_TOPICS, Revisions

"""The content that determines which apps are available to a user."""

_ENTRY_BYTES = 2048
"""The memory that a text needs in addition to its content, for group names and keys."""


class AppsText(Struct, frozen=True):
    """The apps of one audience.

    Attributes:
        mark: The content version; the text is at least as new.
        content: The definitions as a JSON array, or the body of a directory.
        checksum: A digest of the content.

    """

    mark: int
    content: bytes
    checksum: str


class SharedApps:
    """A cache with a limit in bytes; the most recently used texts are kept."""

    def __init__(self, apps: AppService, revisions: Revisions, *, most_bytes: int) -> None:
        self._apps = apps
        self._revisions = revisions
        self._most = most_bytes
        self._used = 0
        self._texts: OrderedDict[Hashable, AppsText] = OrderedDict()
        self._under_way: dict[Hashable, asyncio.Task[AppsText]] = {}

    async def of(self, caller: Caller) -> AppsText:
        """Return the definitions that are available to the caller."""

        async def read() -> bytes:
            texts = await self._apps.visible(caller.identity, caller.candidates)
            return json_text.array(text.encode() for text in texts)

        return await self._text(("apps", caller.audience(APPS_TOPICS)), read)

    async def directory(self, viewer: Identity) -> AppsText:
        """Return an FDC3 app directory of a user's apps, as the body of a response."""

        async def read() -> bytes:
            return json_text.dump({"applications": await self._apps.directory(viewer), "message": "OK"})

        return await self._text(("directory", viewer.user, viewer.groups), read)

    async def _text(self, audience: Hashable, read: Callable[[], Awaitable[bytes]]) -> AppsText:
        async def make(mark: int) -> AppsText:
            text = await read()
            return AppsText(mark, text, json_text.digest(text))

        marks = await self._revisions.current()
        if marks is None:
            # The database does not answer: the attempt to read from it raises the error for the caller.
            return await make(0)
        mark = marks.of(APPS_TOPICS)
        kept = self._texts.get(audience)
        if kept is not None and kept.mark >= mark:
            self._texts.move_to_end(audience)
            return kept
        key = (audience, mark)
        reading = self._under_way.get(key)
        if reading is None:
            # After a change, many requests arrive at once: one reads, and the others share the result.
            reading = self._under_way[key] = asyncio.create_task(make(mark))
            reading.add_done_callback(lambda task: self._finished(key, task))
        text = await asyncio.shield(reading)
        self._keep(audience, text)
        return text

    def _finished(self, key: Hashable, task: asyncio.Task[AppsText]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            # Waiting requests receive the error. Reading it here avoids a warning if no request waits any more.
            task.exception()

    def _keep(self, audience: Hashable, text: AppsText) -> None:
        before = self._texts.get(audience)
        if before is not None and before.mark >= text.mark:
            return
        self._texts[audience] = text
        self._texts.move_to_end(audience)
        self._used += _size(text) - (0 if before is None else _size(before))
        while self._used > self._most:
            self._used -= _size(self._texts.popitem(last=False)[1])


def _size(text: AppsText) -> int:
    return len(text.content) + _ENTRY_BYTES
