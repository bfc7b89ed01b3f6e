"""The audit log. Entries are added and never changed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, and_, bindparam, delete, func, insert, or_, select, union_all, update

from rostrum.manager.audit.chain import Ends, Link
from rostrum.manager.audit.model import AuditEntry, AuditSubject, chained, entry_writer, shown_changes, written_changes
from rostrum.manager.changes.origin import ChangeContext
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import ManyRows, one_of
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind

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
        "batch": _ENTRY.batch,
        "comment": _ENTRY.comment,
        "ticket": _ENTRY.ticket,
    },
    searched=("actor", "operation", "id", "comment", "ticket"),
    key="number",
)
_ALL = select(tables.audit)
_LOCK_HEAD = select(_HEAD.number, _HEAD.hash).where(_HEAD.id == 1).with_for_update()
_MOVE_HEAD = update(tables.audit_head).where(_HEAD.id == 1)
_ADD = insert(tables.audit)
_ADD_SUBJECTS = insert(tables.audit_subjects)
_ENDS = select(
    tables.audit_head,
    select(tables.revision.c.value).where(tables.revision.c.id == 1).scalar_subquery().label("revision"),
    # An attacker who deletes the end and resets the counter would also have to change the history.
    select(func.max(tables.history.c.revision)).scalar_subquery().label("kept"),
    select(func.max(_ENTRY.number)).scalar_subquery().label("last"),
).where(_HEAD.id == 1)
_AFTER = select(tables.audit).where(_ENTRY.number > bindparam("after")).order_by(_ENTRY.number).limit(bindparam("most"))
_SUBJECTS_BETWEEN = select(tables.audit_subjects).where(_SUBJECT.number.between(bindparam("first"), bindparam("last")))
_ADD_EACH = ManyRows(_ADD, tables.audit.name, ("number", "kind", "key", "entry", "hash"))


class Audit(Repository):
    """The audit as one transaction sees it."""

    async def append(self, context: ChangeContext, changes: Sequence[Change], shown: Sequence[dict[str, Any]]) -> None:
        """Add the entry of one operation. This must be the last step of a transaction.

        A transaction that holds the head's lock waits for no other lock, so that there is no deadlock.
        """
        head = (await self._connection.execute(_LOCK_HEAD)).one()
        number = head.number + 1
        text = entry_writer(context)(number, len(changes), written_changes(shown))
        link = chained(head.hash, text)
        await self._connection.execute(_ADD, _row(number, context, changes[0] if changes else None, text, link))
        others = [{"number": number, "kind": change.kind, "key": change.key} for change in changes[1:]]
        if others:
            await self._connection.execute(_ADD_SUBJECTS, others)
        await self._connection.execute(_MOVE_HEAD, {"number": number, "hash": link})

    async def append_each(self, context: ChangeContext, changes: Sequence[Change], written: Sequence[str]) -> None:
        """Add an entry for each change of a batch, given with its text. This must be the last step of a transaction."""
        head = (await self._connection.execute(_LOCK_HEAD)).one()
        number, link, write = head.number, head.hash, entry_writer(context)
        rows = []
        for change, one in zip(changes, written, strict=True):
            number += 1
            text = write(number, 1, one)
            link = chained(link, text)
            rows.append((number, change.kind, change.key, text, link))
        await _ADD_EACH.execute(self._connection, rows, _shared_columns(context))
        await self._connection.execute(_MOVE_HEAD, {"number": number, "hash": link})

    async def append_separate(self, entries: Sequence[tuple[ChangeContext, Change]]) -> None:
        """Add entries of operations that share one transaction. This must be the last step of a transaction."""
        head = (await self._connection.execute(_LOCK_HEAD)).one()
        number, link = head.number, head.hash
        rows = []
        for context, change in entries:
            number += 1
            text = entry_writer(context)(number, 1, written_changes(shown_changes([change])))
            link = chained(link, text)
            rows.append(_row(number, context, change, text, link))
        await self._connection.execute(_ADD, rows)
        await self._connection.execute(_MOVE_HEAD, {"number": number, "hash": link})

    async def page(
        self, query: Query, *, since: datetime | None = None, until: datetime | None = None
    ) -> Page[AuditEntry]:
        """Read one page of entries, newest first by default."""
        filters = dict(query.filters)
        kind, key = filters.pop("kind", None), filters.pop("id", None)
        statement = _ALL
        if kind is not None or key is not None:
            statement = statement.where(_about(kind, key))
        if since is not None:
            statement = statement.where(_ENTRY.at >= since)
        if until is not None:
            statement = statement.where(_ENTRY.at < until)
        wanted = replace(query, filters=filters, sort=query.sort or ("-number",))
        found = await _LISTING.page(self._connection, statement, wanted)
        return found.page(map(_record, found.rows))

    async def after(self, number: int, limit: int) -> list[tuple[AuditEntry, frozenset[tuple[str, str]]]]:
        """Read the entries after a number, each with the other documents under which it can be found."""
        found = await self._connection.execute(_AFTER, {"after": number, "most": limit})
        entries = [_record(row) for row in found]
        if not entries:
            return []
        others: dict[int, set[tuple[str, str]]] = {entry.number: set() for entry in entries}
        between = {"first": entries[0].number, "last": entries[-1].number}
        for row in await self._connection.execute(_SUBJECTS_BETWEEN, between):
            # A row without an entry is harmless.
            others.get(row.number, set()).add((row.kind, row.key))
        return [(entry, frozenset(others[entry.number])) for entry in entries]

    async def subjects(
        self,
        kinds: Sequence[Kind],
        since: datetime,
        until: datetime,
        most: int,
        *,
        actors: Sequence[str] | None = None,
    ) -> list[AuditSubject]:
        """Read the documents of these kinds that were changed in a period, newest first, up to a number.

        With actors, only changes by these users.
        """
        facts = [_ENTRY[name] for name in ("number", "revision", "at", "actor", "operation", "comment", "ticket")]
        period = [_ENTRY.at >= since, _ENTRY.at <= until]
        if actors is not None:
            period.append(one_of(self._connection, _ENTRY.actor, actors))
        names = [kind.value for kind in kinds]
        first = select(*facts, _ENTRY.kind, _ENTRY.key).where(*period, _ENTRY.kind.in_(names))
        other = select(*facts, _SUBJECT.kind, _SUBJECT.key).join(
            tables.audit_subjects, _SUBJECT.number == _ENTRY.number
        )
        both = union_all(first, other.where(*period, _SUBJECT.kind.in_(names))).subquery()
        newest = select(both).order_by(both.c.number.desc(), both.c.kind, both.c.key).limit(most)
        return [AuditSubject(**row) for row in (await self._connection.execute(newest)).mappings()]

    async def ends(self) -> Ends:
        """Read the start and the end of the chain."""
        head = (await self._connection.execute(_ENDS)).one()
        return Ends(
            start=Link(head.shortened_number, head.shortened_hash),
            head=Link(head.number, head.hash),
            last=head.last or 0,
            revision=max(head.revision or 0, head.kept or 0),
        )

    async def shorten(self, before: datetime) -> int:
        """Delete the entries from before a time; the chain records this, and is valid from there on."""
        first_kept = await self._connection.scalar(select(func.min(_ENTRY.number)).where(_ENTRY.at >= before))
        gone = _ENTRY.number < first_kept if first_kept is not None else _ENTRY.number > 0
        statement = select(_ENTRY.number, _ENTRY.hash).where(gone).order_by(_ENTRY.number.desc()).limit(1)
        last = (await self._connection.execute(statement)).one_or_none()
        if last is None:
            return 0
        await self._connection.execute(delete(tables.audit_subjects).where(_SUBJECT.number <= last.number))
        count = (await self._connection.execute(delete(tables.audit).where(_ENTRY.number <= last.number))).rowcount
        shortened = {"shortened_number": last.number, "shortened_hash": last.hash}
        await self._connection.execute(update(tables.audit_head).where(_HEAD.id == 1).values(shortened))
        told = {"number": last.number, "hash": last.hash, "count": count}
        self._journal.noted(Kind.AUDIT, "", Action.DELETED, after=told)
        return count

    async def get(self, number: int) -> AuditEntry | None:
        row = (await self._connection.execute(select(tables.audit).where(_ENTRY.number == number))).one_or_none()
        return None if row is None else _record(row)


def _about(kind: str | None, key: str | None) -> ColumnElement[bool]:
    """Return the SQL condition: the entry records this document, as its first or another one."""

    def matches(table: Table) -> ColumnElement[bool]:
        wanted = {"kind": kind, "key": key}
        return and_(*(table.c[name] == value for name, value in wanted.items() if value is not None))

    others = select(_SUBJECT.number).where(matches(tables.audit_subjects))
    return or_(matches(tables.audit), _ENTRY.number.in_(others))


def _row(number: int, context: ChangeContext, change: Change | None, text: str, link: str) -> dict[str, Any]:
    return {
        "number": number,
        "kind": change.kind if change else "",
        "key": change.key if change else "",
        "entry": text,
        "hash": link,
        **_shared_columns(context),
    }


def _shared_columns(context: ChangeContext) -> dict[str, Any]:
    """Return what all entries of a transaction have in common."""
    return {
        "revision": context.revision,
        "at": context.at,
        "actor": context.actor,
        "operation": context.origin.operation,
        "batch": context.batch.id if context.batch else None,
        "comment": context.reason.comment or None,
        "ticket": context.reason.ticket or None,
    }


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
        batch=row.batch,
        comment=row.comment,
        ticket=row.ticket,
    )
