"""The revisions of documents."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, bindparam, delete, false, func, insert, or_, select, tuple_

from rostrum.manager.changes.origin import ChangeContext
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import ManyRows
from rostrum.manager.database.paging import Page
from rostrum.manager.database.transaction import Repository
from rostrum.manager.history.journal import Change
from rostrum.manager.history.model import Revision
from rostrum.manager.kinds import Action, Kind

_ROW = tables.history.c
_LATER = tables.history.alias("later").c
# To read the columns after the body, SQLite would have to read the body.
_WITHOUT_BODY = tuple(tables.history.columns)[: tables.history.columns.keys().index("body")]

_REASON = (tables.revision_reasons.c.comment, tables.revision_reasons.c.ticket)
_WITH_REASON = (tables.revision_reasons, tables.revision_reasons.c.revision == _ROW.revision)

_ROW_BYTES = 300
"""The size of a revision without its body, in the table and its indexes; it also limits the number of revisions."""

_BATCH = 500
_MOST_REMOVED = 500
"""The maximum number of revisions that one write deletes, because others wait for it; the next write continues."""

# The previous revision of a document, even if the document was deleted since.
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
    owner=bindparam("owner"),
    size=bindparam("size"),
    batch=bindparam("batch"),
)

_KEEP_EACH = ManyRows(
    _KEEP, tables.history.name, ("its_kind", "its_key", "action", "created", "created_by", "body", "owner", "size")
)

_BYTES: ColumnElement[int] = func.coalesce(func.sum(_ROW.size + _ROW_BYTES), 0)
_OWNED = _ROW.owner == bindparam("user")
_ALL_BYTES = select(_BYTES).where(_OWNED)


def _newest_bytes(kind: Kind, key: Column[str], owner: Column[str]) -> ColumnElement[int]:
    """Add up the newest revisions of the documents of one kind that a user has, with one look-up for each document."""
    newest = select(func.max(_LATER.revision)).where(_LATER.kind == kind, _LATER.key == key).correlate(key.table)
    # The kind as it is would let SQLite choose the primary key, and read through the body to reach the size.
    is_kind = _ROW.kind.concat("") == kind
    its = select(_ROW.size + _ROW_BYTES).where(
        _OWNED, _ROW.revision == newest.scalar_subquery(), _ROW.key == key, is_kind
    )
    total = func.sum(its.correlate(key.table).scalar_subquery())
    return select(func.coalesce(total, 0)).where(owner == bindparam("user")).scalar_subquery()


NEWEST_BYTES = select(
    _newest_bytes(Kind.PREFERENCE, tables.preferences.c.id, tables.preferences.c.user_id)
    + _newest_bytes(Kind.LAYOUT, tables.layouts.c.id, tables.layouts.c.owner)
)
_POSITION = (_ROW.revision, _ROW.key, _ROW.kind)
_IS_SUPERSEDED = (
    select(_LATER.revision)
    .where(_LATER.kind == _ROW.kind, _LATER.key == _ROW.key, _LATER.revision > _ROW.revision)
    .exists()
)
_OLDEST = (
    select(*_POSITION, _ROW.size, _IS_SUPERSEDED.label("is_superseded"))
    .where(_OWNED, tuple_(*_POSITION) > tuple_(bindparam("revision"), bindparam("key"), bindparam("kind")))
    .order_by(*_POSITION)
    .limit(_BATCH)
)
_REMOVE = delete(tables.history).where(
    _ROW.kind == bindparam("its_kind"), _ROW.key == bindparam("its_key"), _ROW.revision <= bindparam("last")
)


_OF_ONE = (_ROW.kind == bindparam("its_kind"), _ROW.key == bindparam("its_key"))
_AS_OF = (
    select(tables.history, *_REASON)
    .join(*_WITH_REASON, isouter=True)
    .where(*_OF_ONE, _ROW.revision <= bindparam("last"))
    .order_by(_ROW.revision.desc())
    .limit(1)
)
_FIRST = select(*_WITHOUT_BODY).where(*_OF_ONE).order_by(_ROW.revision).limit(1)
_PAGE = (
    select(*_WITHOUT_BODY, *_REASON)
    .join(*_WITH_REASON, isouter=True)
    .where(*_OF_ONE)
    .order_by(_ROW.revision.desc())
    .limit(bindparam("its_limit"))
    .offset(bindparam("its_offset"))
)
_NUMBER = select(func.count()).where(*_OF_ONE)
_NEWEST = select(tables.revision.c.value).where(tables.revision.c.id == 1)


class History(Repository):
    """The revisions of one transaction."""

    async def save(self, context: ChangeContext, changes: Sequence[Change]) -> None:
        """Store the revisions of one transaction."""
        rows = [
            (
                change.kind,
                change.key,
                change.action,
                change.document.stamp.created if change.document else context.at,
                change.document.stamp.created_by if change.document else context.actor,
                change.after,
                change.owner,
                0 if change.after is None else len(change.after.encode()),
            )
            for change in changes
            if change.keeps_revisions
        ]
        shared = {
            "revision": context.revision,
            "at": context.at,
            "actor": context.approval.author if context.approval else context.actor,
            "operation": context.origin.operation,
            "batch": context.batch.id if context.batch else None,
        }
        await _KEEP_EACH.execute(self._connection, rows, shared)
        reason = context.reason
        if reason.members():
            values = {"revision": context.revision, "comment": reason.comment, "ticket": reason.ticket}
            await self._connection.execute(insert(tables.revision_reasons).values(values))

    async def page(self, kind: Kind, key: str, *, limit: int, offset: int) -> Page[Revision]:
        """Read the revisions of one document, newest first, without their bodies."""
        document = {"its_kind": kind, "its_key": key}
        place = {"its_limit": limit, "its_offset": offset}
        rows = (await self._connection.execute(_PAGE, {**document, **place})).all()
        total = await self._connection.scalar(_NUMBER, document)
        return Page(items=tuple(_record(row, None) for row in rows), total=total or 0)

    async def as_of(self, kind: Kind, key: str, revision: int) -> Revision | None:
        """Read the state of a document at a revision, which can belong to another document."""
        which = {"its_kind": kind, "its_key": key, "last": revision}
        row = (await self._connection.execute(_AS_OF, which)).one_or_none()
        return None if row is None else _record(row, row.body)

    async def oldest(self, kind: Kind, key: str) -> Revision | None:
        """Read the oldest stored revision of a document, without its body."""
        row = (await self._connection.execute(_FIRST, {"its_kind": kind, "its_key": key})).one_or_none()
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
        """Delete revisions that were replaced before a time or exceed the number for a document; return their number.

        The newest revision of each document stays, and each revision that was current at any time since ``before``: a
        revision is deleted only if its successor is old. With ``-1``, any number is kept.
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
        if gone.rowcount:
            reasons = tables.revision_reasons
            await self._connection.execute(delete(reasons).where(reasons.c.revision.not_in(select(_ROW.revision))))
        return gone.rowcount

    async def superseded_bytes(self, owner: str) -> int:
        """Return the size of superseded revisions of a user's preferences and layouts."""
        return await self._bytes(_ALL_BYTES, owner) - await self._bytes(NEWEST_BYTES, owner)

    async def make_room(self, owner: str, most: int) -> None:
        """Delete the oldest revisions of a user's preferences and layouts until their size is within the limit.

        The newest revision of an existing document stays. A revision is deleted together with all older ones of its
        document, so that a history has no gaps. If very many would have to be deleted, because the limit was lowered,
        only the first of them are.
        """
        if await self._bytes(_ALL_BYTES, owner) <= most:
            return
        excess = await self.superseded_bytes(owner) - most
        after: dict[str, Any] = {"revision": -1, "kind": "", "key": ""}
        removed = 0
        while excess > 0 and removed < _MOST_REMOVED:
            rows = (await self._connection.execute(_OLDEST, {"user": owner, **after})).all()
            going: dict[tuple[str, str], int] = {}
            for row in rows:
                # Without a body, it is a deletion, which is not needed once the revisions before it are deleted.
                if excess > 0 and removed < _MOST_REMOVED and (row.is_superseded or not row.size):
                    going[row.kind, row.key] = row.revision
                    excess -= row.size + _ROW_BYTES
                    removed += 1
            if going:
                parts = [{"its_kind": kind, "its_key": key, "last": last} for (kind, key), last in going.items()]
                await self._connection.execute(_REMOVE, parts)
            if len(rows) < _BATCH:
                return
            after = {"revision": rows[-1].revision, "kind": rows[-1].kind, "key": rows[-1].key}

    async def _bytes(self, statement: Select[Any], owner: str) -> int:
        return int(await self._connection.scalar(statement, {"user": owner}) or 0)

    async def newest_of(self, kind: Kind) -> int:
        """Return the newest revision of a kind of document; 0 if there is none."""
        return await self._connection.scalar(select(func.max(_ROW.revision)).where(_ROW.kind == kind)) or 0

    async def newest(self) -> int:
        newest: int = (await self._connection.execute(_NEWEST)).scalar_one()
        return newest

    async def revision_at(self, moment: datetime) -> int:
        """Return the newest revision at or before a time; 0 if there is none."""
        told = select(func.max(tables.audit.c.revision)).where(tables.audit.c.at <= moment)
        # Changes from before the first audit entry are only in the history.
        kept = select(func.max(_ROW.revision)).where(_ROW.at <= moment)
        return await self._connection.scalar(told) or await self._connection.scalar(kept) or 0


def _record(row: Any, body: str | None) -> Revision:
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
        # Lists are read without it, because it is stored after the body.
        batch=getattr(row, "batch", None),
        comment=getattr(row, "comment", None) or "",
        ticket=getattr(row, "ticket", None) or "",
        body=body,
    )
