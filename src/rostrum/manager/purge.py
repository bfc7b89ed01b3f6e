"""Retention: once at start-up and then once a day, what is older than the settings say goes."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta

from rostrum.manager.config import ManagerConfig
from rostrum.manager.storage import Storage, StorageError

__all__ = ["purge", "purge_daily"]

_log = logging.getLogger(__name__)

_DAY = 24 * 60 * 60


async def purge(storage: Storage, config: ManagerConfig) -> Mapping[str, int]:
    """Forget what is too old, and count it by kind."""
    gone: dict[str, int] = {}
    async with storage.note() as work:
        kinds = {
            "commands": (config.purge_commands_after_days, work.commands.purge),
            "sessions": (config.purge_sessions_after_days, work.sessions.purge),
            "machines": (config.purge_sessions_after_days, work.machines.purge),
            "crashes": (config.purge_crashes_after_days, work.crashes.purge),
            "feedback": (config.purge_feedback_after_days, work.feedback.purge),
        }
        for kind, (days, forget) in kinds.items():
            # -1 keeps for ever.
            if days > 0:
                gone[kind] = await forget(work.now - timedelta(days=days))
        await work.announcements.purge()
        await work.receipts.purge()
        gone["revoked tokens"] = await work.revoked_tokens.purge(work.now)
    return gone


async def purge_daily(storage: Storage, config: ManagerConfig) -> None:
    """Purge for as long as the server runs."""
    if not config.purge_at_startup:
        await asyncio.sleep(_DAY)
    while True:
        try:
            gone = await purge(storage, config)
        except StorageError as error:
            _log.warning("the daily clean-up has to wait until tomorrow: %s", error)
        else:
            found = ", ".join(f"{count} {kind}" for kind, count in gone.items() if count)
            if found:
                _log.info("cleaned up %s", found)
        await asyncio.sleep(_DAY)
