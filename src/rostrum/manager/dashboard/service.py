"""The figures of the dashboard; each part requires the permission to read its list."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.audiences import EventKind
from rostrum.manager.dashboard.model import Days, RecentChange, Versions
from rostrum.manager.dashboard.repository import DashboardFigures
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.proposals.repository import Proposals
from rostrum.manager.proposals.service import approvable
from rostrum.manager.rollouts.model import TOPICS
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage, Work

FAILED_DAYS = 7
EXPIRING_DAYS = 14
_MOST_VERSIONS = 6
_MOST_CHANGES = 8

_FOR_DESKTOPS = (Kind.APP, Kind.LAYOUT, Kind.CONFIG, Kind.GROUP)
"""The kinds whose changes can be the cause of crashes."""
_RECEIVED = (EventKind.APPS, EventKind.LAYOUTS, EventKind.SYSTEM_CONFIG)


class Dashboard(Struct, frozen=True, kw_only=True):
    """The figures; ``None`` for parts that the caller may not read."""

    days: Days
    now: datetime
    failed_commands: int | None
    stopped_runs: int | None
    halted_rollouts: dict[Kind, int | None]
    proposals: int
    last_change: datetime | None
    crashes_since: int | None
    outdated: dict[EventKind, tuple[int, int]] | None
    expiring_tokens: int | None
    changes: list[RecentChange]
    versions: Versions | None
    crashes: list[int] | None
    changes_by_day: list[int]

    def as_json(self) -> dict[str, Any]:
        return {
            "days": list(self.days.starts),
            "attention": self._attention(),
            "changes": [change.as_json() for change in self.changes],
            "versions": self.versions and self.versions.as_json(),
            "crashes": None if self.crashes is None else {"counts": self.crashes, "changes": self.changes_by_day},
        }

    def _attention(self) -> dict[str, Any]:
        failed = {"count": self.failed_commands, "since": self.days.last(FAILED_DAYS)}
        crashes = {"count": self.crashes_since, "since": self.last_change}
        expiring = {"count": self.expiring_tokens, "since": self.now, "until": _soon(self.now)}
        outdated = {
            kind.value: {"applied": applied, "pending": pending}
            for kind, (applied, pending) in (self.outdated or {}).items()
        }
        return {
            "failedCommands": None if self.failed_commands is None else failed,
            "stoppedRuns": self.stopped_runs,
            "haltedRollouts": {kind.value: count for kind, count in self.halted_rollouts.items()},
            "proposals": self.proposals,
            "crashes": None if self.crashes_since is None else crashes,
            "outdated": outdated or None,
            "expiringTokens": None if self.expiring_tokens is None else expiring,
        }


class DashboardService:
    """Reads the figures of the dashboard."""

    def __init__(self, storage: Storage, *, idle_seconds: int) -> None:
        self._storage = storage
        self._idle = timedelta(seconds=idle_seconds)

    async def read(self, identity: Identity, days: str | None = None) -> Dashboard:
        """Read the figures that the caller may read, by days of the caller's time zone or in UTC."""
        rights = identity.permissions
        given = None if days is None else Days.parse(days)
        async with self._storage.read() as work:
            period = given or Days.until(work.now)
            figures, now = work.of(DashboardFigures), work.now
            readable = [kind for kind, facts in DOCUMENT_KINDS.items() if facts.read in rights]
            causes = [kind for kind in _FOR_DESKTOPS if kind in readable]
            last_change = await figures.last_change(causes)
            sees_crashes = Permission.CRASHES_READ in rights
            sees_commands = Permission.COMMANDS_READ in rights
            sees_sessions = Permission.SESSIONS_READ in rights
            return Dashboard(
                days=period,
                now=now,
                failed_commands=await figures.failed_commands(period.last(FAILED_DAYS)) if sees_commands else None,
                stopped_runs=await figures.stopped_runs() if sees_commands else None,
                halted_rollouts=await _halted(work, readable),
                proposals=await work.of(Proposals).count_for(identity.user, approvable(identity)),
                last_change=last_change,
                crashes_since=await figures.crashes_since(last_change) if sees_crashes and last_change else None,
                outdated=await self._outdated(work) if sees_sessions else None,
                expiring_tokens=(
                    await figures.expiring_tokens(now, _soon(now)) if Permission.USERS_READ in rights else None
                ),
                changes=await figures.recent(readable, _MOST_CHANGES),
                versions=await figures.versions(period, _MOST_VERSIONS) if sees_sessions else None,
                crashes=await figures.crashes(period) if sees_crashes else None,
                changes_by_day=await figures.changes(period, causes) if sees_crashes else [],
            )

    async def _outdated(self, work: Work) -> dict[EventKind, tuple[int, int]]:
        since = work.now - self._idle
        active = await work.of(Sessions).count_active(since)
        pending = {kind: await work.of(Sessions).count_active(since, outdated=kind) for kind in _RECEIVED}
        return {kind: (active - count, count) for kind, count in pending.items()}


async def _halted(work: Work, readable: Collection[Kind]) -> dict[Kind, int | None]:
    found = await work.of(DashboardFigures).halted_rollouts()
    return {kind: found.get(kind, 0) if kind in readable else None for kind in TOPICS}


def _soon(now: datetime) -> datetime:
    return now + timedelta(days=EXPIRING_DAYS)
