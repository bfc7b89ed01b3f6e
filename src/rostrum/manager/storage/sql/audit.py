"""The audit: entries are added, and never changed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, and_, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.audit_entry import AuditEntry, chained, entry_text
from rostrum.manager.storage.journal import Change
from rostrum.manager.storage.origin import Deed
from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.sql import tables
from rostrum.manager.storage.sql.paging import Listing

__all__ = ["Audit"]

_ENTRY = tables.audit.c
_SUBJECT = tables.audit_subjects.c
_HEAD = tables.audit_head.c

_LISTING = Listing(
    fields={
        "number": _ENTRY.number,
        "revision": _ENTRY.revision,
        "at": _ENTRY.at,
        "actor": _ENTRY.actor,
        "operation": _ENTRY.operation,
        "id": _ENTRY.key,
    },
    searched=("actor", "operation", "id"),
    key="number",
    lists={},
)
_LOCK_HEAD = select(_HEAD.number, _HEAD.hash).where(_HEAD.id == 1).with_for_update()
_MOVE_HEAD = update(tables.audit_head).where(_HEAD.id == 1)
_ADD = insert(tables.audit)


class Audit:
    """The audit as one transaction sees it."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def append(self, deed: Deed, changes: Sequence[Change]) -> None:
        """Add the entry of one operation; to be the last thing that a transaction does.

        Whoever holds the head's lock waits for nothing any more, so no two transactions can wait for each other.
        """
        head = (await self._connection.execute(_LOCK_HEAD)).one()
        number = head.number + 1
        text = entry_text(number, deed, changes)
        link = chained(head.hash, text)
        row = {
            "number": number,
            "revision": deed.revision,
            "at": deed.at,
            "actor": deed.actor,
            "operation": deed.origin.operation,
            "kind": changes[0].kind if changes else "",
            "key": changes[0].key if changes else "",
            "entry": text,
            "hash": link,
        }
        await self._connection.execute(_ADD, row)
        others = [{"number": number, "kind": change.kind, "key": change.key} for change in changes[1:]]
        if others:
            await self._connection.execute(insert(tables.audit_subjects), others)
        await self._connection.execute(_MOVE_HEAD, {"number": number, "hash": link})

    async def page(
        self, query: Query, *, since: datetime | None = None, until: datetime | None = None
    ) -> Page[AuditEntry]:
        """Read one page of entries, newest first unless another order is asked for."""
        filters = dict(query.filters)
        kind, key = filters.pop("kind", None), filters.pop("id", None)
        statement = select(tables.audit)
        if kind is not None or key is not None:
            statement = statement.where(_about(kind, key))
        if since is not None:
            statement = statement.where(_ENTRY.at >= since)
        if until is not None:
            statement = statement.where(_ENTRY.at < until)
        wanted = replace(query, filters=filters, sort=query.sort or ("-number",))
        rows, total = await _LISTING.page(self._connection, statement, wanted)
        return Page(items=tuple(map(_record, rows)), total=total)

    async def get(self, number: int) -> AuditEntry | None:
        """Read one entry."""
        row = (await self._connection.execute(select(tables.audit).where(_ENTRY.number == number))).one_or_none()
        return None if row is None else _record(row)


def _about(kind: str | None, key: str | None) -> ColumnElement[bool]:
    """Say in SQL: the entry tells of this thing, first or among others."""

    def matches(table: Table) -> ColumnElement[bool]:
        wanted = {"kind": kind, "key": key}
        return and_(*(table.c[name] == value for name, value in wanted.items() if value is not None))

    others = select(_SUBJECT.number).where(matches(tables.audit_subjects))
    return or_(matches(tables.audit), _ENTRY.number.in_(others))


def _record(row: Row[Any]) -> AuditEntry:
    return AuditEntry(
        number=row.number,
        revision=row.revision,
        at=row.at,
        actor=row.actor,
        operation=row.operation,
        kind=row.kind,
        key=row.key,
        text=row.entry,
        hash=row.hash,
    )
