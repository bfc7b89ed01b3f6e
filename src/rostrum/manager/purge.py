"""Retention: deletes data that is older than the settings allow, at the start and once a day."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from itertools import chain

from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.audit.repository import Audit
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.config import ManagerConfig
from rostrum.manager.database.engine import Task
from rostrum.manager.errors import StorageError
from rostrum.manager.files.repository import Files
from rostrum.manager.kinds import Action
from rostrum.manager.storage import Storage
from rostrum.manager.topics import TOPICS

_log = logging.getLogger(__name__)

_DAY = 24 * 60 * 60
Pause = Callable[[float], Awaitable[None]]


async def purge(storage: Storage, config: ManagerConfig) -> Mapping[str, int]:
    """Delete old data, and return the numbers by kind; skip this if another node is doing it."""
    gone: dict[str, int] = {}
    with acting(RequestOrigin(operation="purge")):
        async with storage.note(SYSTEM.user) as work:
            if not await work.is_only_one(Task.PURGE):
                return gone
            for part in chain.from_iterable(topic.purges for topic in TOPICS):
                count = await part.run(work, config)
                if count is not None and part.name:
                    gone[part.name] = count
                if count and part.kind is not None:
                    work.journal.noted(part.kind, "*", Action.DELETED, after={"count": count})
    async with storage.read() as work:
        # Only after the transaction has determined which files are no longer needed.
        gone["files left behind"] = await work.of(Files).sweep()
    return gone


async def purge_daily(storage: Storage, config: ManagerConfig, pause: Pause = asyncio.sleep) -> None:
    """Purge once a day while the server runs."""
    if not config.purge_at_startup:
        await pause(_DAY)
    while True:
        try:
            gone = await purge(storage, config)
            async with storage.read() as work:
                head = (await work.of(Audit).ends()).head
        except StorageError as error:
            _log.warning("the daily clean-up has to wait until tomorrow: %s", error)
        else:
            found = ", ".join(f"{count} {kind}" for kind, count in gone.items() if count)
            if found:
                _log.info("cleaned up %s", found)
            # People who can write to the database cannot change a log that is collected elsewhere.
            _log.info("the audit ends with %s", head)
        await pause(_DAY)
