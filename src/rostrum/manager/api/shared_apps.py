"""The apps of each audience as one JSON text: read once after a change, for all callers and addresses."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from rostrum.base import json_text
from rostrum.manager.auth.caller import Caller
from rostrum.manager.resources.apps import AppResource
from rostrum.manager.storage import Revisions, Topic

__all__ = ["APPS_TOPICS", "AppsText", "SharedApps"]

APPS_TOPICS = (Topic.APPS, Topic.PEOPLE)
"""The content that decides which apps a user gets."""


@dataclass(frozen=True, slots=True)
class AppsText:
    """The definitions that an audience gets.

    Attributes:
        mark: The state of the content that the text is at least as new as.
        array: The definitions as a JSON array.
        checksum: A digest of the array.

    """

    mark: int
    array: bytes
    checksum: str


class SharedApps:
    """Bounded in bytes; texts that were used last are kept."""

    def __init__(self, apps: AppResource, revisions: Revisions, *, most_bytes: int) -> None:
        """Take the apps, what tells that they have changed, and the memory for texts."""
        self._apps = apps
        self._revisions = revisions
        self._most = most_bytes
        self._used = 0
        self._texts: OrderedDict[Hashable, AppsText] = OrderedDict()
        self._under_way: dict[Hashable, asyncio.Task[AppsText]] = {}

    async def of(self, caller: Caller) -> AppsText:
        """Give the apps that the caller gets."""
        marks = await self._revisions.current()
        if marks is None:
            # The database does not answer: the attempt to read from it raises what to tell the caller.
            return await self._read(caller, 0)
        mark, audience = marks.of(APPS_TOPICS), caller.audience(APPS_TOPICS)
        kept = self._texts.get(audience)
        if kept is not None and kept.mark >= mark:
            self._texts.move_to_end(audience)
            return kept
        key = (audience, mark)
        reading = self._under_way.get(key)
        if reading is None:
            # After a change everyone asks at once: one reads, the others get the same.
            reading = self._under_way[key] = asyncio.create_task(self._read(caller, mark))
            reading.add_done_callback(lambda _: self._under_way.pop(key, None))
        text = await asyncio.shield(reading)
        self._keep(audience, text)
        return text

    async def _read(self, caller: Caller, mark: int) -> AppsText:
        texts = await self._apps.visible(caller.identity)
        array = json_text.array(text.encode() for text in texts)
        return AppsText(mark, array, json_text.digest(array))

    def _keep(self, audience: Hashable, text: AppsText) -> None:
        before = self._texts.get(audience)
        if before is not None and before.mark >= text.mark:
            return
        self._texts[audience] = text
        self._texts.move_to_end(audience)
        self._used += len(text.array) - (0 if before is None else len(before.array))
        while self._used > self._most:
            self._used -= len(self._texts.popitem(last=False)[1].array)
