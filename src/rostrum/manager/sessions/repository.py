"""Stores client sessions."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, bindparam, delete, func, insert, select, update

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.audiences import EventKind
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.many_rows import ByKeys, one_of
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.receipts.repository import is_outdated
from rostrum.manager.sessions.model import Session

_SESSION = tables.sessions.c
# Only the end of a session affects cached responses, because it revokes the tokens of the session.
_ENDS = {TOPIC_OPTION: ContentTopic.LOGINS}

_OUTDATED = {
    kind.value: is_outdated(kind)
    for kind in (EventKind.APPS, EventKind.LAYOUTS, EventKind.PREFS, EventKind.SYSTEM_CONFIG)
}


def _outdated(wanted: str) -> ColumnElement[bool]:
    if wanted not in _OUTDATED:
        raise Invalid("invalid filter", [Problem(path="outdated", message=f"must be one of {', '.join(_OUTDATED)}")])
    return _OUTDATED[wanted]


_LISTING = Listing(
    fields={
        "id": _SESSION.id,
        "user": _SESSION.user_id,
        "machine": _SESSION.machine_id,
        "version": _SESSION.version,
        "env": _SESSION.env,
        "region": _SESSION.region,
        "product": _SESSION.product,
        "started": _SESSION.started,
        "lastSeen": _SESSION.last_seen,
        "ended": _SESSION.ended,
    },
    searched=("id", "user", "machine"),
    key="id",
    lists={"outdated": _outdated},
)


_BATCH = 1000

_MACHINE = tables.machines.c
_SEEN = bindparam("seen", type_=_SESSION.last_seen.type)
# Built once: thousands of desktops report in the same seconds.
_LOCK = ByKeys(select(tables.sessions).order_by(_SESSION.id).with_for_update().where, _SESSION.id)
_TOUCH = ByKeys(update(tables.sessions).values(last_seen=_SEEN).where, _SESSION.id)
_TOUCH_MACHINES = ByKeys(
    lambda which: (
        update(tables.machines)
        .values(last_seen=_SEEN)
        .where(_MACHINE.id.in_(select(_MACHINE.id).where(which).order_by(_MACHINE.id).with_for_update()))
    ),
    _MACHINE.id,
)


_ALL = select(tables.sessions)
_ONE = select(tables.sessions).where(_SESSION.id == bindparam("session"))
_TOUCH_ONE = update(tables.sessions).where(_SESSION.id == bindparam("session")).returning(_SESSION.machine_id)
_TOUCH_MACHINE = update(tables.machines).where(_MACHINE.id == bindparam("machine"))
_ADD = insert(tables.sessions)
_END_BY = {
    column.name: update(tables.sessions)
    .where(column == bindparam("which"), _SESSION.ended.is_(None))
    .values(ended=bindparam("its_ended", type_=_SESSION.ended.type))
    .returning(_SESSION.user_id)
    for column in (_SESSION.id, _SESSION.user_id)
}
_ACTIVE_OF = ByKeys(
    select(tables.sessions)
    .where(_SESSION.ended.is_(None), _SESSION.last_seen >= bindparam("since"))
    .order_by(_SESSION.started.desc(), _SESSION.id)
    .where,
    _SESSION.user_id,
)


class Sessions(Repository):
    """The client sessions of one transaction."""

    async def get(self, session_id: str) -> Session | None:
        row = (await self._connection.execute(_ONE, {"session": session_id})).one_or_none()
        return None if row is None else _record(row)

    async def first_with_version(self, version: str) -> datetime | None:
        """Return when the first stored session with a version began."""
        first: datetime | None = await self._connection.scalar(
            select(func.min(_SESSION.started)).where(_SESSION.version == version)
        )
        return first

    async def get_many(self, session_ids: Iterable[str]) -> list[Session]:
        """Read several sessions; unknown ones are left out."""
        statement = select(tables.sessions).where(_SESSION.id.in_(list(session_ids)))
        return [_record(row) for row in await self._connection.execute(statement)]

    async def page(self, query: Query, *, seen_since: datetime | None = None) -> Page[Session]:
        """Read one page of sessions; with ``seen_since`` only the active ones."""
        statement = _ALL if seen_since is None else _ALL.where(*_active(seen_since))
        found = await _LISTING.page(self._connection, statement, query)
        return found.page(map(_record, found.rows))

    async def active(self, query: Query, since: datetime, most: int) -> list[Session]:
        """Read the active sessions that a list shows, newest first, up to a limit."""
        forms = await _LISTING.conditions(self._connection, query)
        statement = (
            select(tables.sessions).where(*forms, *_active(since)).order_by(_SESSION.started.desc(), _SESSION.id)
        )
        return [_record(row) for row in await self._connection.execute(statement.limit(most))]

    async def active_of(self, user_ids: Sequence[str], since: datetime) -> list[Session]:
        """Read the active sessions of users, newest first."""
        return [_record(row) for row in await _ACTIVE_OF.execute(self._connection, list(user_ids), {"since": since})]

    async def active_users(self, since: datetime) -> set[str]:
        """Read the IDs of users who have an active session."""
        return set(await self._connection.scalars(select(_SESSION.user_id).where(*_active(since)).distinct()))

    async def count_active(self, since: datetime, outdated: EventKind | None = None) -> int:
        """Count the active sessions; with ``outdated``, only those whose content of this kind is outdated."""
        further = () if outdated is None else (is_outdated(outdated),)
        return await self._connection.scalar(select(func.count()).where(*_active(since), *further)) or 0

    async def last_users(self, query: Query, most: int) -> set[str]:
        """Read the users whose newest session is in a list, up to a limit."""
        forms = await _LISTING.conditions(self._connection, query)
        newest = select(_SESSION.user_id, func.max(_SESSION.started).label("at")).group_by(_SESSION.user_id).subquery()
        is_newest = (newest.c.user_id == _SESSION.user_id) & (newest.c.at == _SESSION.started)
        statement = select(_SESSION.user_id).join(newest, is_newest).where(*forms).distinct().limit(most)
        return set(await self._connection.scalars(statement))

    async def keys(self, query: Query, most: int, *, seen_since: datetime | None = None) -> list[str]:
        """Read the IDs of all sessions that a list shows, up to a limit."""
        return await _LISTING.keys(self._connection, query, most, *_active(seen_since))

    async def add(self, session: Session) -> None:
        recorded = {name: getattr(session, name) for name in ("user", "machine", "version", "env", "region", "product")}
        self._journal.noted(Kind.SESSION, session.id, Action.CREATED, after=recorded)
        await self._connection.execute(
            _ADD,
            {
                "id": session.id,
                "user_id": session.user,
                "machine_id": session.machine,
                "version": session.version,
                "env": session.env,
                "region": session.region,
                "product": session.product,
                "commands": session.commands,
                "started": session.started,
                "last_seen": session.last_seen,
                "ended": session.ended,
            },
        )

    async def touch(self, session_id: str, seen: datetime) -> None:
        """Record a contact of a session and its machine, without an audit entry."""
        contact = {"session": session_id, "last_seen": seen}
        machine = (await self._connection.execute(_TOUCH_ONE, contact)).scalar_one_or_none()
        if machine is not None:
            await self._connection.execute(_TOUCH_MACHINE, {"machine": machine, "last_seen": seen})

    async def lock(self, session_ids: Sequence[str]) -> dict[str, Session]:
        """Read and lock sessions in the order of their IDs, so that transactions cannot deadlock; return them by ID."""
        return {row.id: _record(row) for row in await _LOCK.rows(self._connection, session_ids)}

    async def touch_locked(self, sessions: Sequence[Session], seen: datetime) -> None:
        """Record a contact of sessions that this transaction has locked, and of their machines."""
        await _TOUCH.execute(self._connection, [session.id for session in sessions], {"seen": seen})
        machines = sorted({session.machine for session in sessions})
        await _TOUCH_MACHINES.execute(self._connection, machines, {"seen": seen})

    async def end(self, session_id: str, ended: datetime) -> None:
        """End a session, unless it has already ended."""
        for user in await self._end_by("id", session_id, ended):
            self._journal.announce(EventKind.ACCESS, user)
            self._journal.noted(Kind.SESSION, session_id, Action.CHANGED, {"ended": None}, {"ended": ended})

    async def set_commands(self, session: Session, commands: str) -> None:
        """Store the commands that a client supports."""
        await self._connection.execute(
            update(tables.sessions).where(_SESSION.id == session.id).values(commands=commands)
        )
        before, after = ({"commands": msgspec.Raw(text.encode())} for text in (session.commands, commands))
        self._journal.noted(Kind.SESSION, session.id, Action.CHANGED, before, after)

    async def end_of_user(self, user_id: str, ended: datetime) -> int:
        """End all open sessions of a user, and return their number."""
        self._journal.announce(EventKind.ACCESS, user_id)
        return len(await self._end_by("user_id", user_id, ended))

    async def end_of_users(self, user_ids: Sequence[str], ended: datetime) -> None:
        """End all open sessions of these users."""
        for user_id in user_ids:
            self._journal.announce(EventKind.ACCESS, user_id)
        for start in range(0, len(user_ids), _BATCH):
            await self._end(one_of(self._connection, _SESSION.user_id, user_ids[start : start + _BATCH]), ended)

    async def forget_ended(self, user_id: str, limit: int) -> None:
        """Delete a number of ended sessions of a user, oldest first."""
        oldest = (
            select(_SESSION.id)
            .where(_SESSION.user_id == user_id, _SESSION.ended.is_not(None))
            .order_by(_SESSION.ended, _SESSION.id)
            .limit(limit)
        )
        gone = await self._connection.execute(
            delete(tables.sessions).where(_SESSION.id.in_(oldest)), execution_options=_ENDS
        )
        if gone.rowcount:
            self._journal.noted(Kind.SESSION, "*", Action.DELETED, after={"user": user_id, "count": gone.rowcount})

    async def purge(self, before: datetime) -> int:
        """Delete sessions that were last seen before a time, and return their number."""
        statement = delete(tables.sessions).where(_SESSION.last_seen < before)
        gone = await self._connection.execute(statement, execution_options=_ENDS)
        return gone.rowcount

    async def _end_by(self, column: str, value: str, ended: datetime) -> list[str]:
        values = {"which": value, "its_ended": ended}
        return list(await self._connection.scalars(_END_BY[column], values, execution_options=_ENDS))

    async def _end(self, which: ColumnElement[bool], ended: datetime) -> list[str]:
        """End the matching sessions that are open, and return their users."""
        statement = update(tables.sessions).where(which, _SESSION.ended.is_(None)).values(ended=ended)
        ending = await self._connection.execute(statement.returning(_SESSION.user_id), execution_options=_ENDS)
        return list(ending.scalars())


def _active(seen_since: datetime | None) -> tuple[ColumnElement[bool], ...]:
    return () if seen_since is None else (_SESSION.ended.is_(None), _SESSION.last_seen >= seen_since)


def _record(row: Row[Any]) -> Session:
    return Session(
        id=row.id,
        user=row.user_id,
        machine=row.machine_id,
        version=row.version,
        env=row.env,
        region=row.region,
        product=row.product,
        commands=row.commands,
        started=row.started,
        last_seen=row.last_seen,
        ended=row.ended,
    )
