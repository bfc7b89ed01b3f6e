"""Batches and their parts. The report of a part is written by the transaction that changes its documents."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from rostrum.base import json_text
from rostrum.manager.batches.model import Batch, Outcome, Part, Status
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

_BATCH = tables.batches.c
_PART = tables.batch_parts.c
_COLUMNS = tuple(column.name for column in tables.batches.columns)

_LISTING = Listing(
    fields={
        "id": _BATCH.id,
        "action": _BATCH.action,
        "created": _BATCH.created,
        "createdBy": _BATCH.created_by,
        "ticket": _BATCH.ticket,
    },
    searched=("id", "action", "createdBy", "ticket"),
    key="id",
)

_ONE = select(tables.batches).where(_BATCH.id == bindparam("batch"), _BATCH.kind == bindparam("its_kind"))
_FIND = select(tables.batches).where(
    _BATCH.created_by == bindparam("author"), _BATCH.request_key == bindparam("its_key")
)


class Batches(Repository):
    """The batches of one transaction."""

    async def get(self, kind: Kind, batch_id: str) -> Batch | None:
        row = (await self._connection.execute(_ONE, {"batch": batch_id, "its_kind": kind})).one_or_none()
        return None if row is None else _record(row)

    async def find(self, created_by: str, request_key: str) -> Batch | None:
        """Read the batch that a user has started with a key."""
        row = (await self._connection.execute(_FIND, {"author": created_by, "its_key": request_key})).one_or_none()
        return None if row is None else _record(row)

    async def page(self, kind: Kind, query: Query) -> Page[Batch]:
        """Read one page of batches, newest first unless another order is requested."""
        wanted = Query(
            limit=query.limit,
            offset=query.offset,
            sort=query.sort or ("-created",),
            text=query.text,
            filters=query.filters,
        )
        found = await _LISTING.page(self._connection, select(tables.batches).where(_BATCH.kind == kind), wanted)
        return found.page(map(_record, found.rows))

    async def add(self, batch: Batch, parts: Iterable[Part]) -> None:
        told = {"kind": batch.kind, "action": batch.action, "arguments": json_text.parse(batch.arguments)}
        told |= {"total": batch.total, "comment": batch.comment, "ticket": batch.ticket}
        self._journal.noted(Kind.BATCH, batch.id, Action.CREATED, after=told)
        await self._connection.execute(insert(tables.batches).values({n: getattr(batch, n) for n in _COLUMNS}))
        rows = [
            {
                "batch_id": batch.id,
                "number": part.number,
                "targets": json_text.dump(part.targets).decode(),
                "revisions": json_text.dump(part.revisions).decode() if part.revisions else None,
                "details": None if part.details is None else json_text.dump(part.details).decode(),
                "report": None,
            }
            for part in parts
        ]
        if rows:
            await self._connection.execute(insert(tables.batch_parts), rows)

    async def unfinished_of(self, user_id: str) -> list[Batch]:
        """Read the batches of a user that have not ended."""
        unfinished = (_BATCH.created_by == user_id, _BATCH.status == Status.RUNNING)
        return [_record(row) for row in await self._connection.execute(select(tables.batches).where(*unfinished))]

    async def next_part(self, batch_id: str) -> Part | None:
        """Read the first part that was not run yet."""
        statement = select(tables.batch_parts).where(_PART.batch_id == batch_id, _PART.report.is_(None))
        row = (await self._connection.execute(statement.order_by(_PART.number).limit(1))).one_or_none()
        return None if row is None else _part(row)

    async def parts(self, batch_id: str) -> list[Part]:
        """Read all parts in their order."""
        statement = select(tables.batch_parts).where(_PART.batch_id == batch_id).order_by(_PART.number)
        return [_part(row) for row in await self._connection.execute(statement)]

    async def finish_part(self, batch: Batch, part: Part, report: Sequence[Outcome], now: datetime) -> Batch:
        """Store the outcomes of a part, and count them."""
        which = (_PART.batch_id == batch.id, _PART.number == part.number)
        text = json_text.dump(report).decode()
        await self._connection.execute(update(tables.batch_parts).where(*which).values(report=text, details=None))
        done, unchanged = report.count(None), report.count("")
        counts = {
            "done": batch.done + done,
            "unchanged": batch.unchanged + unchanged,
            "refused": batch.refused + len(report) - done - unchanged,
        }
        status = Status.DONE if sum(counts.values()) == batch.total else Status.RUNNING
        return await self._set(batch.id, **counts, status=status, problem="", updated=now)

    async def set_problem(self, batch_id: str, problem: str, now: datetime) -> Batch:
        """Store why a batch cannot continue; an empty text when it continues."""
        return await self._set(batch_id, problem=problem, updated=now)

    async def resume(self, batch: Batch, now: datetime) -> Batch:
        """Continue a batch; the audit records the user, and the number of documents processed until then."""
        before = {"status": batch.status_at(now), "processed": batch.done + batch.unchanged + batch.refused}
        self._journal.noted(Kind.BATCH, batch.id, Action.CHANGED, before, {**before, "status": Status.RUNNING})
        return await self.set_problem(batch.id, "", now)

    async def cancel(self, batch: Batch, now: datetime) -> Batch:
        """Leave the remaining parts as they are."""
        before, after = {"status": batch.status}, {"status": Status.CANCELLED}
        self._journal.noted(Kind.BATCH, batch.id, Action.CHANGED, before, after)
        return await self._set(batch.id, status=Status.CANCELLED, updated=now)

    async def purge(self, before: datetime) -> int:
        """Delete batches whose last progress was before a time, and return their number."""
        old = select(_BATCH.id).where(_BATCH.updated < before)
        await self._connection.execute(delete(tables.batch_parts).where(_PART.batch_id.in_(old)))
        return (await self._connection.execute(delete(tables.batches).where(_BATCH.updated < before))).rowcount

    async def _set(self, batch_id: str, **values: Any) -> Batch:
        statement = update(tables.batches).where(_BATCH.id == batch_id).values(values).returning(tables.batches)
        return _record((await self._connection.execute(statement)).one())


def _part(row: Row[Any]) -> Part:
    return Part(
        number=row.number,
        targets=json_text.parse(row.targets),
        revisions=json_text.parse(row.revisions) if row.revisions else {},
        details=json_text.parse(row.details) if row.details else None,
        report=None if row.report is None else json_text.parse(row.report),
    )


def _record(row: Row[Any]) -> Batch:
    values = {name: getattr(row, name) for name in _COLUMNS}
    return Batch(**{**values, "kind": Kind(row.kind), "status": Status(row.status)})
