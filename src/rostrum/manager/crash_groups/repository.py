"""Stores the triage of crash groups, and counts their reports."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, Select, delete, func, insert, select, type_coerce, update

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.crash_formats.signature import is_newer
from rostrum.manager.crash_groups.model import DAYS, Affected, CrashGroup
from rostrum.manager.crashes.repository import Crash
from rostrum.manager.database import tables
from rostrum.manager.database.conditions import within
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.reports.model import OPEN, TriageStatus
from rostrum.manager.reports.note_repository import Notes

_GROUP = tables.crash_groups.c
_CRASH = tables.crashes.c
_STORED = tuple(column.name for column in tables.crash_groups.columns if column.name != "status")
_DAY = 24 * 60 * 60 * 1000
_MOST_EARLIER = 100
_MOST_AFFECTED = 20


def _with_status(wanted: str) -> ColumnElement[bool]:
    """Require a status; ``open`` selects all statuses that administrators still have to handle."""
    if wanted == "open":
        return _GROUP.status.in_([status.value for status in OPEN])
    if wanted not in set(TriageStatus):
        message = f"must be open or one of {', '.join(TriageStatus)}"
        raise Invalid("invalid filter", [Problem(path="status", message=message)])
    return _GROUP.status == wanted


def _listing(count: ColumnElement[int]) -> Listing:
    return Listing(
        fields={
            "id": _GROUP.id,
            "product": _GROUP.product,
            "app": _GROUP.app,
            "version": _GROUP.version,
            "signature": _GROUP.signature,
            "assignee": _GROUP.assignee,
            "firstSeen": _GROUP.first_seen,
            "lastSeen": _GROUP.last_seen,
            "count": count,
            # Only for sorting; ``lists`` has the filter.
            "status": _GROUP.status,
        },
        searched=("product", "app", "version", "signature", "assignee"),
        key="id",
        lists={"status": _with_status},
    )


class CrashGroups(Repository):
    """The crash groups of one transaction."""

    async def get(self, group_id: str) -> CrashGroup | None:
        """Read a group without the numbers of its reports."""
        row = (await self._connection.execute(select(tables.crash_groups).where(_GROUP.id == group_id))).one_or_none()
        return None if row is None else _record(row)

    async def page(self, query: Query, now: datetime) -> Page[CrashGroup]:
        """Read one page of the groups that have reports; the filter ``received`` limits the counted reports."""
        period, rest = _period(query)
        number = func.count().label("number")
        counted = select(_CRASH.group_id, number).where(*period).group_by(_CRASH.group_id).subquery()
        statement = select(tables.crash_groups, counted.c.number).join(counted, counted.c.group_id == _GROUP.id)
        found = await _listing(counted.c.number).page(self._connection, statement, rest)
        groups = [replace(_record(row), count=row.number) for row in found.rows]
        return found.page(await self._numbered(groups, period, now))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all groups that a list shows, up to a limit."""
        period, rest = _period(query)
        has_reports = _GROUP.id.in_(select(_CRASH.group_id).where(*period))
        return await _listing(_GROUP.revision).keys(self._connection, rest, most, has_reports)

    async def counted(self, group: CrashGroup, now: datetime) -> CrashGroup:
        """Add the numbers of all reports to a group."""
        number = await self._connection.scalar(select(func.count()).where(_CRASH.group_id == group.id)) or 0
        (complete,) = await self._numbered([replace(group, count=number)], (), now)
        return complete

    async def affected(self, group_id: str) -> list[Affected]:
        """Read the users with the most reports, up to a limit."""
        number, last = func.count().label("number"), func.max(_CRASH.received).label("last")
        statement = (
            select(_CRASH.user_id, number, last)
            .where(_CRASH.group_id == group_id)
            .group_by(_CRASH.user_id)
            .order_by(number.desc(), last.desc(), _CRASH.user_id)
            .limit(_MOST_AFFECTED)
        )
        rows = await self._connection.execute(statement)
        return [Affected(user=row.user_id, count=row.number, last_seen=row.last) for row in rows]

    async def saw(self, crash: Crash, revision: int) -> None:
        """Add a new report to its group; the status of a resolved group becomes ``returned``."""
        group = await self.get(crash.group)
        if group is None:
            await self._add(crash, revision)
            return
        seen = {
            "first_seen": min(group.first_seen, crash.received),
            "last_seen": max(group.last_seen, crash.received),
        }
        await self._connection.execute(update(tables.crash_groups).where(_GROUP.id == group.id).values(seen))
        if group.status is TriageStatus.RESOLVED:
            await self.put(
                group,
                replace(
                    group, status=TriageStatus.RETURNED, changed=crash.received, changed_by=None, revision=revision
                ),
            )

    async def put(self, before: CrashGroup, after: CrashGroup) -> None:
        """Store the status and the assignee of a group."""
        states = [{"status": each.status.value, "assignee": each.assignee} for each in (before, after)]
        self._journal.noted(Kind.CRASH_GROUP, after.id, Action.CHANGED, *states)
        values = {name: getattr(after, name) for name in ("assignee", "changed", "changed_by", "revision")}
        values["status"] = after.status.value
        await self._connection.execute(update(tables.crash_groups).where(_GROUP.id == after.id).values(values))

    async def refit(self, group_ids: Sequence[str]) -> None:
        """Set the times of groups to those of their reports, after the times of reports were changed."""
        for group_id in group_ids:
            reports = select(func.min(_CRASH.received), func.max(_CRASH.received)).where(_CRASH.group_id == group_id)
            first, last = (await self._connection.execute(reports)).one()
            if first is not None:
                seen = {"first_seen": first, "last_seen": last}
                await self._connection.execute(update(tables.crash_groups).where(_GROUP.id == group_id).values(seen))

    async def purge(self, before: datetime) -> int:
        """Delete groups without reports that were last seen before a time, with their notes."""
        gone: Select[tuple[str]] = select(_GROUP.id).where(
            _GROUP.last_seen < before, ~select(_CRASH.id).where(_CRASH.group_id == _GROUP.id).exists()
        )
        await self._work.of(Notes).remove(Kind.CRASH_GROUP, gone)
        return (await self._connection.execute(delete(tables.crash_groups).where(_GROUP.id.in_(gone)))).rowcount

    async def _add(self, crash: Crash, revision: int) -> None:
        resolved = await self._resolved_earlier(crash)
        group = CrashGroup(
            id=crash.group,
            product=crash.product,
            app=crash.app,
            version=crash.version,
            signature=crash.signature,
            status=TriageStatus.NEW if resolved is None else TriageStatus.RETURNED,
            assignee=None if resolved is None else resolved.assignee,
            first_seen=crash.received,
            last_seen=crash.received,
            revision=revision,
        )
        values = {name: getattr(group, name) for name in _STORED} | {"status": group.status.value}
        await self._connection.execute(insert(tables.crash_groups).values(values))

    async def _resolved_earlier(self, crash: Crash) -> CrashGroup | None:
        """Find the group of the same crash in an earlier version, if it was resolved there."""
        statement = (
            select(tables.crash_groups)
            .where(
                _GROUP.signature == crash.signature,
                _GROUP.product == crash.product,
                _GROUP.app == crash.app,
                _GROUP.status == TriageStatus.RESOLVED.value,
            )
            .order_by(_GROUP.last_seen.desc())
            .limit(_MOST_EARLIER)
        )
        rows = await self._connection.execute(statement)
        return next((_record(row) for row in rows if is_newer(crash.version, row.version)), None)

    async def _numbered(
        self, groups: Sequence[CrashGroup], period: Sequence[ColumnElement[bool]], now: datetime
    ) -> list[CrashGroup]:
        """Add the numbers of users and machines, and of the reports of each day."""
        among = _CRASH.group_id.in_([group.id for group in groups])
        different = (func.count(_CRASH.user_id.distinct()), func.count(_CRASH.machine_id.distinct()))
        statement = select(_CRASH.group_id, *different).where(among, *period).group_by(_CRASH.group_id)
        numbers = {row[0]: (row[1], row[2]) for row in await self._connection.execute(statement)}
        days = await self._days(among, now)
        return [
            replace(
                group,
                users=numbers.get(group.id, (0, 0))[0],
                machines=numbers.get(group.id, (0, 0))[1],
                days=tuple(days[group.id].get(day, 0) for day in range(DAYS)),
            )
            for group in groups
        ]

    async def _days(self, among: ColumnElement[bool], now: datetime) -> Mapping[str, dict[int, int]]:
        today = (now - tables.EPOCH) // timedelta(days=1)
        first = today - DAYS + 1
        day = (type_coerce(_CRASH.received, BigInteger) // _DAY).label("day")
        statement = (
            select(_CRASH.group_id, day, func.count().label("number"))
            .where(among, _CRASH.received >= tables.EPOCH + timedelta(days=first))
            .group_by(_CRASH.group_id, day)
        )
        days: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for row in await self._connection.execute(statement):
            days[row.group_id][row.day - first] = row.number
        return days


def _period(query: Query) -> tuple[list[ColumnElement[bool]], Query]:
    """Separate the period of the reports from the conditions for groups."""
    if "count" in query.filters:
        raise Invalid("unknown filter", [Problem(path="count", message="can be used for sorting, but not as a filter")])
    filters = dict(query.filters)
    wanted = filters.pop("received", None)
    conditions = [] if wanted is None else [within(_CRASH.received, "received", wanted).checked]
    return conditions, replace(query, filters=filters)


def _record(row: Row[Any]) -> CrashGroup:
    return CrashGroup(**{name: getattr(row, name) for name in _STORED}, status=TriageStatus(row.status))
