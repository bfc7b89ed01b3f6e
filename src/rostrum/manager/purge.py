"""Retention: deletes data that is older than the settings allow, at the start and once a day."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.audit.origin import RequestOrigin, acting
from rostrum.manager.config import ManagerConfig
from rostrum.manager.database.engine import Task
from rostrum.manager.errors import StorageError
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.storage import Storage, Work

_log = logging.getLogger(__name__)

_DAY = 24 * 60 * 60
_CLOCKS_DIFFER = timedelta(days=2)
"""Additional time for which revoked tokens are recorded, in case a fast clock is corrected."""

_EXPIRED_TOKENS_SHOWN = timedelta(days=30)
"""How long expired API tokens remain in lists, so that their owners see why programs are refused."""

Pause = Callable[[float], Awaitable[None]]


async def purge(storage: Storage, config: ManagerConfig) -> Mapping[str, int]:
    """Delete old data, and return the numbers by kind; skip this if another node is doing it."""
    gone: dict[str, int] = {}
    with acting(RequestOrigin(operation="purge")):
        async with storage.note(SYSTEM.user) as work:
            if not await work.is_only_one(Task.PURGE):
                return gone
            kinds = {
                "command runs": (Kind.COMMAND_RUN, config.purge_commands_after_days, work.command_runs.purge),
                "commands": (Kind.COMMAND, config.purge_commands_after_days, work.commands.purge),
                "sessions": (Kind.SESSION, config.purge_sessions_after_days, work.sessions.purge),
                "machines": (Kind.MACHINE, config.purge_sessions_after_days, work.machines.purge),
                "crashes": (Kind.CRASH, config.purge_crashes_after_days, work.crashes.purge),
                "crash groups": (Kind.CRASH_GROUP, config.purge_crashes_after_days, work.crash_groups.purge),
                "feedback": (Kind.FEEDBACK, config.purge_feedback_after_days, work.feedback.purge),
            }
            for name, (kind, days, forget) in kinds.items():
                # -1 disables the deletion.
                if days > 0:
                    gone[name] = await forget(work.now - timedelta(days=days))
                    _report(work, kind, gone[name])
            await work.announcements.purge()
            await work.receipts.purge()
            gone["revoked tokens"] = await work.revoked_tokens.purge(work.now - _CLOCKS_DIFFER)
            gone["API tokens"] = await work.api_tokens.purge(work.now - _EXPIRED_TOKENS_SHOWN)
            _report(work, Kind.API_TOKEN, gone["API tokens"])
            gone["password links"] = await work.password_links.purge(work.now)
            gone["known addresses"] = await work.known_addresses.purge(work.now)
            if config.purge_history_after_days > 0:
                gone["roll-outs"] = await work.rollouts.purge(_before(work, config.purge_history_after_days))
                _report(work, Kind.ROLLOUT, gone["roll-outs"])
                gone["batches"] = await work.batches.purge(_before(work, config.purge_history_after_days))
                _report(work, Kind.BATCH, gone["batches"])
                gone["proposals"] = await work.proposals.purge(_before(work, config.purge_history_after_days))
                _report(work, Kind.PROPOSAL, gone["proposals"])
            gone["revisions"] = await work.history.purge(
                _before(work, config.purge_history_after_days), config.history_revisions
            )
            _report(work, Kind.HISTORY, gone["revisions"])
            left = await work.files.sweep_pieces()
            if left:
                gone["pieces of files"] = left
            if config.purge_audit_after_days > 0:
                gone["audit entries"] = await work.audit.shorten(_before(work, config.purge_audit_after_days))
    async with storage.read() as work:
        # Only after the transaction has determined which files are no longer needed.
        gone["files left behind"] = await work.files.sweep()
    return gone


def _before(work: Work, days: int) -> datetime:
    return work.now - timedelta(days=days) if days > 0 else datetime.min.replace(tzinfo=UTC)


def _report(work: Work, kind: Kind, count: int) -> None:
    if count:
        work.journal.noted(kind, "*", Action.DELETED, after={"count": count})


async def purge_daily(storage: Storage, config: ManagerConfig, pause: Pause = asyncio.sleep) -> None:
    """Purge once a day while the server runs."""
    if not config.purge_at_startup:
        await pause(_DAY)
    while True:
        try:
            gone = await purge(storage, config)
            async with storage.read() as work:
                head = (await work.audit.ends()).head
        except StorageError as error:
            _log.warning("the daily clean-up has to wait until tomorrow: %s", error)
        else:
            found = ", ".join(f"{count} {kind}" for kind, count in gone.items() if count)
            if found:
                _log.info("cleaned up %s", found)
            # People who can write to the database cannot change a log that is collected elsewhere.
            _log.info("the audit ends with %s", head)
        await pause(_DAY)
