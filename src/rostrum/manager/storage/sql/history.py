"""The revisions of documents."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, false, func, insert, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.journal import Change
from rostrum.manager.storage.kinds import Action, Kind
from rostrum.manager.storage.origin import Deed
from rostrum.manager.storage.query import Page
from rostrum.manager.storage.records import Revision
from rostrum.manager.storage.sql import tables

__all__ = ["History"]

_ROW = tables.history.c

# What was kept of a document before, even if it has been deleted since.
_PREVIOUS = (
    select(func.max(_ROW.revision))
    .where(_ROW.kind == bindparam("its_kind"), _ROW.key == bindparam("its_key"))
    .scalar_subquery()
)
_KEEP = insert(tables.history).values(
    kind=bindparam("its_kind"),
    key=bindparam("its_key"),
    previous=_PREVIOUS,
    **{name: bindparam(name) for name in ("revision", "action", "at", "actor", "operation", "created", "created_by")},
    body=bindparam("body"),
)


class History:
    """The revisions of one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def keep(self, deed: Deed, changes: Sequence[Change]) -> None:
        """Keep what one transaction made of each document."""
        rows = [
            {
                "its_kind": change.kind,
                "its_key": change.key,
                "revision": deed.revision,
                "action": change.action,
                "at": deed.at,
                "actor": deed.actor,
                "operation": deed.origin.operation,
                "created": change.document.stamp.created if change.document else deed.at,
                "created_by": change.document.stamp.created_by if change.document else deed.actor,
                "body": change.after,
            }
            for change in changes
            if change.keeps_revisions
        ]
        if rows:
            await self._connection.execute(_KEEP, rows if len(rows) > 1 else rows[0])

    async def page(self, kind: Kind, key: str, *, limit: int, offset: int) -> Page[Revision]:
        """Read the revisions of one document, newest first, without their bodies."""
        of_it = (_ROW.kind == kind, _ROW.key == key)
        columns = [column for column in tables.history.columns if column is not _ROW.body]
        statement = select(*columns).where(*of_it).order_by(_ROW.revision.desc()).limit(limit).offset(offset)
        rows = (await self._connection.execute(statement)).all()
        total = await self._connection.scalar(select(func.count()).where(*of_it))
        return Page(items=tuple(_record(row, None) for row in rows), total=total or 0)

    async def as_of(self, kind: Kind, key: str, revision: int) -> Revision | None:
        """Read what a document was at a revision, which may be that of another change."""
        statement = (
            select(tables.history)
            .where(_ROW.kind == kind, _ROW.key == key, _ROW.revision <= revision)
            .order_by(_ROW.revision.desc())
            .limit(1)
        )
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else _record(row, row.body)

    async def oldest(self, kind: Kind, key: str) -> Revision | None:
        """Read the oldest revision that is kept of a document, without its body."""
        statement = select(tables.history).where(_ROW.kind == kind, _ROW.key == key).order_by(_ROW.revision).limit(1)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else _record(row, None)

    async def last_change(self, kind: Kind, key: str) -> Revision | None:
        """Read the newest revision of a document, its deletion included."""
        return await self.as_of(kind, key, 2**62)

    async def changed_since(self, kind: Kind, revision: int) -> list[Revision]:
        """Read the newest revision of each document of a kind that has changed after a revision."""
        last = (
            select(_ROW.key, func.max(_ROW.revision).label("last"))
            .where(_ROW.kind == kind, _ROW.revision > revision)
            .group_by(_ROW.key)
            .subquery()
        )
        statement = (
            select(tables.history)
            .join(last, (_ROW.key == last.c.key) & (_ROW.revision == last.c.last))
            .where(_ROW.kind == kind)
            .order_by(_ROW.key)
        )
        return [_record(row, row.body) for row in await self._connection.execute(statement)]

    async def purge(self, before: datetime, most: int) -> int:
        """Forget what was replaced before a time, and all but the newest of each document; say how many.

        The newest of each document stays, and what it was at any time since: so a revision goes only when its
        successor is old. ``-1`` keeps any number.
        """
        document = (_ROW.kind, _ROW.key)
        next_at = func.lead(_ROW.at, type_=_ROW.at.type)
        ranked = select(
            _ROW.kind,
            _ROW.key,
            _ROW.revision,
            func.row_number().over(partition_by=document, order_by=_ROW.revision.desc()).label("place"),
            next_at.over(partition_by=document, order_by=_ROW.revision).label("replaced"),
        ).subquery()
        too_many = ranked.c.place > most if most > 0 else false()
        going = select(ranked.c.kind, ranked.c.key, ranked.c.revision).where(
            ranked.c.place > 1, or_(too_many, ranked.c.replaced < before)
        )
        gone = await self._connection.execute(
            delete(tables.history).where(tuple_(_ROW.kind, _ROW.key, _ROW.revision).in_(going))
        )
        return gone.rowcount

    async def newest_of(self, kind: Kind) -> int:
        """Tell the newest revision of a kind of document; 0 when there is none."""
        return await self._connection.scalar(select(func.max(_ROW.revision)).where(_ROW.kind == kind)) or 0

    async def newest(self) -> int:
        """Tell the newest revision of all."""
        statement = select(tables.revision.c.value).where(tables.revision.c.id == 1)
        newest: int = (await self._connection.execute(statement)).scalar_one()
        return newest

    async def revision_at(self, moment: datetime) -> int:
        """Tell the newest revision that was made at a time or before it; 0 when there was none."""
        told = select(func.max(tables.audit.c.revision)).where(tables.audit.c.at <= moment)
        # What was there before there was an audit, or from before it was shortened, is in the history alone.
        kept = select(func.max(_ROW.revision)).where(_ROW.at <= moment)
        return await self._connection.scalar(told) or await self._connection.scalar(kept) or 0


def _record(row: Row[Any], body: str | None) -> Revision:
    return Revision(
        kind=Kind(row.kind),
        key=row.key,
        revision=row.revision,
        previous=row.previous,
        action=Action(row.action),
        at=row.at,
        actor=row.actor,
        operation=row.operation,
        created=row.created,
        created_by=row.created_by,
        body=body,
    )
