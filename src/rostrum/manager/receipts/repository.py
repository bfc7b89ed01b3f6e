"""Receipts: the changes that each client session reports as applied."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, case, delete, func, literal, or_, select, text

from rostrum.manager.audiences import EventKind
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.records import from_rows, listing, stored_as

_SESSION = tables.sessions.c
_ROW = tables.receipts.c
_TOLD = tables.announcements.c

# A delayed report must not replace a later one.
_PUT = text(
    "INSERT INTO receipts (session_id, kind, revision, reported) VALUES (:session, :kind, :revision, :reported)"
    " ON CONFLICT (session_id, kind) DO UPDATE SET revision = excluded.revision, reported = excluded.reported"
    " WHERE excluded.revision >= receipts.revision"
).bindparams(bindparam("reported", type_=tables.Instant()))


def _required(kind: ColumnElement[str]) -> ColumnElement[int]:
    """Return the newest revision of a kind that affects a session."""
    newest = select(func.coalesce(func.max(_TOLD.revision), 0)).where(
        _TOLD.kind == kind,
        _TOLD.user_id.in_(["", _SESSION.user_id]),
        or_(_TOLD.session_id == "", _TOLD.session_id == _SESSION.id),
    )
    return newest.correlate(tables.sessions).scalar_subquery()


_WITH_DUE = (
    select(
        _SESSION.id.label("session"),
        _SESSION.user_id,
        _SESSION.machine_id,
        _SESSION.last_seen,
        _required(bindparam("of_kind")).label("due"),
        _ROW.revision,
        _ROW.reported,
    )
    .outerjoin_from(
        tables.sessions, tables.receipts, (_ROW.session_id == _SESSION.id) & (_ROW.kind == bindparam("of_kind"))
    )
    .where(_SESSION.ended.is_(None), _SESSION.last_seen >= bindparam("seen_since", type_=tables.Instant()))
    .subquery()
)
# For a given revision, a client that has applied it counts, even if a newer one is pending.
_NEEDED = case((bindparam("asked") > 0, bindparam("asked")), else_=_WITH_DUE.c.due)
_EACH = (
    select(_WITH_DUE, (func.coalesce(_WITH_DUE.c.revision, 0) >= _NEEDED).label("applied"))
    .where(_WITH_DUE.c.due >= bindparam("asked"))
    .subquery()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The progress of one client with the changes of one kind.

    Attributes:
        required_revision: The newest revision of this kind that affects the client.
        revision: The revision that it reported as applied; ``None`` if it reported none.
        applied: Whether it has applied the required revision.

    """

    session: str
    user: str = field(metadata=stored_as("user_id"))
    machine: str = field(metadata=stored_as("machine_id"))
    last_seen: datetime
    required_revision: int = field(metadata=stored_as("due") | {"name": "due"})
    revision: int | None
    reported: datetime | None
    applied: bool = field(metadata={"from_row": bool})


_LISTING = listing(Receipt, _EACH, "session", "user", "machine", key="session", without=("revision",))


def is_outdated(kind: EventKind) -> ColumnElement[bool]:
    """Return the condition: the session has not reported the newest revision of a kind that affects it."""
    done = select(_ROW.revision).where(_ROW.session_id == _SESSION.id, _ROW.kind == kind.value)
    return func.coalesce(done.correlate(tables.sessions).scalar_subquery(), 0) < _required(literal(kind.value))


class Receipts(Repository):
    """The receipts of one transaction."""

    async def put(self, session_id: str, applied: Mapping[EventKind, int], reported: datetime) -> None:
        rows = [
            {"session": session_id, "kind": kind.value, "revision": revision, "reported": reported}
            for kind, revision in sorted(applied.items())
        ]
        if rows:
            await self._connection.execute(_PUT, rows)

    async def page(self, query: Query, kind: EventKind, revision: int, seen_since: datetime) -> Page[Receipt]:
        """List the progress of active clients that a revision or a later one affects; 0 for all clients."""
        found = await _LISTING.page(self._connection, _asked(select(_EACH), kind, revision, seen_since), query)
        return found.page(from_rows(Receipt, _EACH, found.rows))

    async def count(self, kind: EventKind, revision: int, seen_since: datetime) -> tuple[int, int]:
        """Count the active clients that have applied all their changes, and the others."""
        statement = select(_EACH.c.applied, func.count().label("clients")).group_by(_EACH.c.applied)
        rows = await self._connection.execute(_asked(statement, kind, revision, seen_since))
        counts = {bool(row.applied): row.clients for row in rows}
        return counts.get(True, 0), counts.get(False, 0)

    async def purge(self) -> None:
        """Delete the receipts of client sessions that no longer exist."""
        known = select(_SESSION.id)
        await self._connection.execute(delete(tables.receipts).where(_ROW.session_id.not_in(known)))


def _asked(statement: Select[Any], kind: EventKind, revision: int, seen_since: datetime) -> Select[Any]:
    return statement.params(of_kind=kind.value, asked=revision, seen_since=seen_since)
