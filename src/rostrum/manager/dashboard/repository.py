"""Counts rows for the dashboard; the database calculates each count from an index."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, Row, Select, column, func, select, values

from rostrum.manager.dashboard.model import Days, RecentChange, Versions
from rostrum.manager.database import tables
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

_SESSION = tables.sessions.c
_CRASH = tables.crashes.c
_COMMAND = tables.commands.c
_RUN = tables.command_runs.c
_ROLLOUT = tables.rollouts.c
_TOKEN = tables.api_tokens.c
_ROW = tables.history.c
_REASON = tables.revision_reasons.c

_FILE = tables.config_files.c
_LAYOUT = tables.layouts.c


class DashboardFigures(Repository):
    """The figures of one transaction."""

    async def versions(self, days: Days, most: int) -> Versions:
        """Count the sessions of each day for the most frequent versions, and for all other versions together."""
        number = func.count()
        frequent = (
            select(_SESSION.version)
            .where(_SESSION.started >= days.starts[0])
            .group_by(_SESSION.version)
            .order_by(number.desc(), _SESSION.version)
            .limit(most)
        )
        names = list(await self._connection.scalars(frequent))
        each = [select(func.count()).where(_SESSION.version == name) for name in names]
        rows = await self._by_day(days, _SESSION.started, *each, select(func.count()))
        counts = [list(row[:-1]) for row in rows]
        others = [row[-1] - sum(row[:-1]) for row in rows]
        return Versions(names=names, counts=counts, others=others)

    async def crashes(self, days: Days) -> list[int]:
        """Count the crash reports of each day."""
        return [number for (number,) in await self._by_day(days, _CRASH.received, select(func.count()))]

    async def crashes_since(self, since: datetime) -> int:
        return await self._count(_CRASH.received >= since)

    async def changes(self, days: Days, kinds: Collection[Kind]) -> list[int]:
        """Count the revisions of each day that administrators have made."""
        revisions = select(func.count(_ROW.revision.distinct())).where(_of_administrators(kinds))
        return [number for (number,) in await self._by_day(days, _ROW.at, revisions)]

    async def last_change(self, kinds: Collection[Kind]) -> datetime | None:
        """Return the time of the newest change that administrators have made."""
        newest = await self._newest(kinds, 1)
        return newest[0][0] if newest else None

    async def recent(self, kinds: Collection[Kind], most: int) -> list[RecentChange]:
        """Read the newest revisions that administrators have made."""
        found = [await self._revision(at, revision, kinds) for at, revision in await self._newest(kinds, most)]
        names = await self._names([row for row, _ in found])
        return [
            RecentChange(
                revision=row.revision,
                at=row.at,
                actor=row.actor,
                operation=row.operation,
                comment=row.comment or "",
                ticket=row.ticket or "",
                changed=changed,
                kind=Kind(row.kind),
                key=row.key,
                name=names.get((row.kind, row.key), row.key),
                action=Action(row.action),
            )
            for row, changed in found
        ]

    async def failed_commands(self, since: datetime) -> int:
        return await self._count(_COMMAND.created >= since, _COMMAND.status == "failed")

    async def stopped_runs(self) -> int:
        return await self._count(_RUN.status == "stopped")

    async def halted_rollouts(self) -> dict[str, int]:
        """Count the halted roll-outs of each kind."""
        statement = select(_ROLLOUT.kind, func.count().label("number")).where(_ROLLOUT.status == "halted")
        rows = await self._connection.execute(statement.group_by(_ROLLOUT.kind))
        return {row.kind: row.number for row in rows}

    async def expiring_tokens(self, since: datetime, until: datetime) -> int:
        return await self._count(_TOKEN.expires >= since, _TOKEN.expires < until)

    async def _newest(self, kinds: Collection[Kind], most: int) -> list[tuple[datetime, int]]:
        """Read the times and numbers of the newest revisions that administrators have made."""
        found: set[tuple[datetime, int]] = set()
        for kind in kinds:
            # The index contains the revisions of one kind in order, so only the newest are read.
            statement = select(_ROW.at, _ROW.revision).where(_of_administrators([kind])).distinct()
            ordered = statement.order_by(_ROW.at.desc(), _ROW.revision.desc()).limit(most)
            found.update((row.at, row.revision) for row in await self._connection.execute(ordered))
        return sorted(found, reverse=True)[:most]

    async def _revision(self, at: datetime, revision: int, kinds: Collection[Kind]) -> tuple[Row[Any], int]:
        """Read the first document of a revision, and the number of its documents."""
        # With the time, the database finds the rows in the index.
        which = (_of_administrators(kinds), _ROW.at == at, _ROW.revision == revision)
        statement = (
            select(
                *(_ROW.kind, _ROW.key, _ROW.revision, _ROW.action, _ROW.at, _ROW.actor, _ROW.operation),
                *(_REASON.comment, _REASON.ticket),
            )
            .join(tables.revision_reasons, _REASON.revision == _ROW.revision, isouter=True)
            .where(*which)
            # If the plain column were used, SQLite would read all documents of the kind.
            .order_by(_ROW.kind.concat(""), _ROW.key)
            .limit(1)
        )
        rows: list[Row[Any]] = [*await self._connection.execute(statement)]
        return rows[0], await self._count(*which)

    async def _names(self, rows: Sequence[Row[Any]]) -> dict[tuple[str, str], str]:
        """Read the names of layouts and configuration files, whose keys are random."""
        layouts = [row.key for row in rows if row.kind == Kind.LAYOUT]
        files = [row.key for row in rows if row.kind == Kind.CONFIG]
        found = await self._connection.execute(select(_LAYOUT.id, _LAYOUT.name).where(_LAYOUT.id.in_(layouts)))
        names = {(Kind.LAYOUT.value, row.id): row.name for row in found}
        statement = select(_FILE.id, _FILE.file, _FILE.scope, _FILE.target).where(_FILE.id.in_(files))
        for row in await self._connection.execute(statement):
            scope = f" for {row.scope} {row.target}" if row.target else ""
            names[Kind.CONFIG.value, row.id] = f"{row.file}{scope}"
        return names

    async def _by_day(self, days: Days, at: ColumnElement[Any], *counts: Select[int]) -> Sequence[Sequence[int]]:
        """Evaluate each of the counts for each day; the database reads a range of an index for each."""
        columns = (column("number", Integer), column("first", tables.Instant), column("next", tables.Instant))
        # In SQLite, the columns of a list of values only have names in a common table expression.
        day = values(*columns).data(days.each()).cte("day")
        of_day = (each.where(at >= day.c.first, at < day.c.next).correlate(day).scalar_subquery() for each in counts)
        statement = select(*of_day).select_from(day).order_by(day.c.number)
        return [tuple(row) for row in await self._connection.execute(statement)]

    async def _count(self, *conditions: ColumnElement[bool]) -> int:
        return await self._connection.scalar(select(func.count()).where(*conditions)) or 0


def _of_administrators(kinds: Collection[Kind]) -> ColumnElement[bool]:
    """Return the condition for documents of these kinds that do not belong to a single user."""
    return _ROW.owner.is_(None) & _ROW.kind.in_([kind.value for kind in kinds])
