"""Crash reports."""

from typing import Any

from sqlalchemy import Row, Select, func, insert, select, update

from rostrum.manager.crashes.model import Crash, dump_of, dump_text
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.reports.repository import Reports, file_of, with_files

_CRASH = tables.crashes.c

_LISTING = Listing(
    fields={
        "id": _CRASH.id,
        "user": _CRASH.user_id,
        "product": _CRASH.product,
        "app": _CRASH.app,
        "machine": _CRASH.machine_id,
        "group": _CRASH.group_id,
        "version": _CRASH.version,
        "platform": _CRASH.platform,
        "processType": _CRASH.process_type,
        "received": _CRASH.received,
        "reviewed": _CRASH.reviewed,
        "reviewedBy": _CRASH.reviewed_by,
    },
    searched=("id", "user", "product", "version"),
    key="id",
)
_GROUP = tables.crash_groups.c
_ALL = (
    with_files(tables.crashes)
    .outerjoin(tables.crash_groups, _GROUP.id == _CRASH.group_id)
    .add_columns(func.coalesce(_GROUP.signature, "").label("signature"))
)


class Crashes(Reports):
    """The crash reports of one transaction."""

    table = tables.crashes
    kind = Kind.CRASH

    def select(self) -> Select[Any]:
        """Return a statement that also reads the signature of the group."""
        return _ALL

    async def get(self, crash_id: str) -> Crash | None:
        row = await self.row(crash_id)
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Crash]:
        found = await _LISTING.page(self._connection, self.select(), query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all reports that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def unreviewed(self, group_id: str) -> int:
        """Count the reports of a group that are not marked as reviewed."""
        statement = select(func.count()).where(_CRASH.group_id == group_id, _CRASH.reviewed.is_(False))
        return await self._connection.scalar(statement) or 0

    async def review_group(self, group_id: str, reviewed_by: str, revision: int, most: int, key: str = "*") -> None:
        """Mark the reports of a group as reviewed, the newest first; the audit has one entry with their number.

        ``key`` is the ID in the audit; a transaction that does this for several groups gives each a different one.
        """
        newest = (
            select(_CRASH.id)
            .where(_CRASH.group_id == group_id, _CRASH.reviewed.is_(False))
            .order_by(_CRASH.received.desc(), _CRASH.id)
            .limit(most)
        )
        marked = await self._connection.execute(
            update(tables.crashes)
            .where(_CRASH.id.in_(newest))
            .values(reviewed=True, reviewed_by=reviewed_by, revision=revision)
        )
        if marked.rowcount:
            after = {"group": group_id, "reviewed": True, "count": marked.rowcount}
            self._journal.noted(Kind.CRASH, key, Action.CHANGED, after=after)

    async def add(self, crash: Crash) -> None:
        """Store a new report; its file is already stored."""
        told = {name: getattr(crash, name) for name in ("user", "product", "version", "platform", "process_type")}
        self._journal.noted(Kind.CRASH, crash.id, Action.CREATED, after=told)
        await self._connection.execute(
            insert(tables.crashes).values(
                id=crash.id,
                user_id=crash.user,
                product=crash.product,
                version=crash.version,
                platform=crash.platform,
                process_type=crash.process_type,
                fields=crash.fields,
                received=crash.received,
                file_id=crash.minidump.id if crash.minidump else None,
                reviewed=crash.reviewed,
                reviewed_by=crash.reviewed_by,
                comment=crash.comment,
                revision=crash.revision,
                app=crash.app,
                machine_id=crash.machine,
                group_id=crash.group,
                dump=dump_text(crash.dump),
            )
        )


def _record(row: Row[Any]) -> Crash:
    return Crash(
        id=row.id,
        user=row.user_id,
        product=row.product,
        version=row.version,
        platform=row.platform,
        process_type=row.process_type,
        fields=row.fields,
        received=row.received,
        minidump=file_of(row),
        reviewed=row.reviewed,
        reviewed_by=row.reviewed_by,
        comment=row.comment,
        revision=row.revision,
        app=row.app,
        machine=row.machine_id,
        group=row.group_id,
        signature=row.signature,
        dump=dump_of(row.dump),
    )
