"""Command runs and their desktops. The transaction that stores a command also notes its desktop as sent."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Result, Row, bindparam, delete, func, insert, or_, select, update

from rostrum.base import json_text
from rostrum.manager.audiences import ADMINISTRATORS, EventKind
from rostrum.manager.command_runs.model import ENDED, CommandRun, Counts, Desktop, State, Status, Wave
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import ByKeys
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

_RUN = tables.command_runs.c
_TARGET = tables.command_run_targets.c
_COMMAND = tables.commands.c
_SESSION = tables.sessions.c
_CRASH = tables.crashes.c
_COLUMNS = tuple(column.name for column in tables.command_runs.columns)
_OPEN = [status.value for status in Status if status not in ENDED]
_WAITING = [State.SENT.value, State.UNANSWERED.value]
"""Desktops whose answer counts, also when it comes late."""

_LISTING = Listing(
    fields={
        "id": _RUN.id,
        "command": _RUN.command,
        "status": _RUN.status,
        "created": _RUN.created,
        "createdBy": _RUN.created_by,
        "started": _RUN.started,
        "finished": _RUN.finished,
        "ticket": _RUN.ticket,
        "comment": _RUN.comment,
    },
    searched=("id", "command", "createdBy", "ticket", "comment"),
    key="id",
)
_TARGETS = Listing(
    fields={
        "number": _TARGET.number,
        "wave": _TARGET.wave,
        "user": _TARGET.user_id,
        "machine": _TARGET.machine_id,
        "session": _TARGET.session_id,
        "state": _TARGET.state,
        "sent": _TARGET.sent,
        "finished": _TARGET.finished,
    },
    searched=("user", "machine"),
    key="number",
)
_CHANGED = ("state", "session_id", "command_id", "message", "sent", "finished")
_PUT = (
    update(tables.command_run_targets)
    .where(_TARGET.run_id == bindparam("its_run"), _TARGET.number == bindparam("its_number"))
    .values({name: bindparam(name) for name in _CHANGED})
)

_ITS_RUN: BindParameter[str] = bindparam("run", type_=_RUN.id.type)
_ONE = select(tables.command_runs).where(_RUN.id == _ITS_RUN)
_ALL = select(tables.command_runs)
_FIND = _ALL.where(_RUN.created_by == bindparam("author"), _RUN.request_key == bindparam("its_key"))
_COUNT_OPEN = select(func.count()).select_from(tables.command_runs).where(_RUN.status.in_(_OPEN))
_UNSETTLED = (
    select(_RUN.id)
    .where(
        or_(
            _RUN.status.in_(_OPEN),
            _RUN.id.in_(select(_TARGET.run_id).where(_TARGET.state == State.SENT.value)),
        )
    )
    .order_by(_RUN.created, _RUN.id)
)
_ADD = insert(tables.command_runs)
_PUT_RUN = update(tables.command_runs).where(_RUN.id == bindparam("its_id"))
_ADD_DESKTOPS = insert(tables.command_run_targets)
_COUNTS = ByKeys(
    select(_TARGET.run_id, _TARGET.wave, _TARGET.state, func.count().label("number"))
    .group_by(_TARGET.run_id, _TARGET.wave, _TARGET.state)
    .where,
    _TARGET.run_id,
)
_PENDING = (
    select(tables.command_run_targets)
    .where(_TARGET.run_id == _ITS_RUN, _TARGET.wave == bindparam("its_wave"), _TARGET.state == State.PENDING.value)
    .order_by(_TARGET.number)
    .limit(bindparam("most"))
)
_ANSWERED = (
    select(tables.command_run_targets, _COMMAND.status.label("answer"), _COMMAND.finished.label("at"))
    .join(tables.commands, _COMMAND.id == _TARGET.command_id)
    .where(_TARGET.run_id == _ITS_RUN, _TARGET.state.in_(_WAITING), _COMMAND.finished.is_not(None))
)
_OVERDUE = (
    select(tables.command_run_targets)
    .outerjoin(tables.commands, _COMMAND.id == _TARGET.command_id)
    .where(
        _TARGET.run_id == _ITS_RUN,
        _TARGET.state == State.SENT.value,
        # An administrator may have deleted the command.
        or_(_COMMAND.id.is_(None), (_TARGET.sent <= bindparam("before")) & _COMMAND.finished.is_(None)),
    )
)
_CRASHED = (
    select(func.count(_TARGET.number.distinct()))
    .join(tables.crashes, (_CRASH.user_id == _TARGET.user_id) & (_CRASH.received >= _TARGET.sent))
    .where(_TARGET.run_id == _ITS_RUN, _CRASH.received >= bindparam("since"))
)


class CommandRuns(Repository):
    """The command runs of one transaction."""

    async def get(self, run_id: str) -> CommandRun | None:
        return _first(await self._connection.execute(_ONE, {"run": run_id}))

    async def find(self, created_by: str, request_key: str) -> CommandRun | None:
        """Read the run that a user has started with a key."""
        return _first(await self._connection.execute(_FIND, {"author": created_by, "its_key": request_key}))

    async def page(self, query: Query) -> Page[CommandRun]:
        """Read one page of runs, newest first unless another order is requested."""
        wanted = replace(query, sort=query.sort or ("-created",))
        found = await _LISTING.page(self._connection, _ALL, wanted)
        return found.page(map(_record, found.rows))

    async def open_of(self, user_id: str) -> list[CommandRun]:
        """Read the runs of a user that have not ended."""
        found = await self._connection.execute(_ALL.where(_RUN.created_by == user_id, _RUN.status.in_(_OPEN)))
        return [_record(row) for row in found]

    async def count_open(self) -> int:
        """Return how many runs have not ended."""
        return await self._connection.scalar(_COUNT_OPEN) or 0

    async def unsettled(self) -> list[str]:
        """Read the runs that have not ended, and those that have but still wait for answers."""
        return list(await self._connection.scalars(_UNSETTLED))

    async def add(self, run: CommandRun) -> None:
        told = {"command": run.command, "target": json_text.parse(run.target), "waves": list(run.amounts)}
        told |= {"startAt": run.start_at, "comment": run.comment, "ticket": run.ticket}
        self._journal.noted(Kind.COMMAND_RUN, run.id, Action.CREATED, after=told)
        self._announce()
        await self._connection.execute(_ADD, _values(run))

    async def put(self, before: CommandRun, after: CommandRun, **progress: int) -> None:
        """Store a run that has made progress; the audit records it with the number of desktops that it concerns."""
        statuses = [{"status": each.status, "wave": each.wave, "reason": each.reason} for each in (before, after)]
        self._journal.noted(Kind.COMMAND_RUN, after.id, Action.CHANGED, statuses[0], {**statuses[1], **progress})
        self._announce()
        await self._connection.execute(_PUT_RUN, {"its_id": after.id, **_values(after)})

    async def add_desktops(self, run_id: str, desktops: Sequence[Desktop]) -> None:
        rows = [{"run_id": run_id, "number": each.number, **_keys(each), **_changes(each)} for each in desktops]
        if rows:
            await self._connection.execute(_ADD_DESKTOPS, rows)

    async def put_desktops(self, run_id: str, desktops: Sequence[Desktop]) -> None:
        """Store the states of desktops."""
        rows = [{"its_run": run_id, "its_number": each.number, **_changes(each)} for each in desktops]
        if rows:
            await self._connection.execute(_PUT, rows)

    async def desktops(self, run_id: str, query: Query) -> Page[Desktop]:
        """Read one page of the desktops of a run, in the order of the waves."""
        statement = select(tables.command_run_targets).where(_TARGET.run_id == run_id)
        found = await _TARGETS.page(self._connection, statement, query)
        return found.page(map(_desktop, found.rows))

    async def counts(self, run_ids: Iterable[str]) -> dict[str, Counts]:
        """Count the desktops in each state, by run and wave."""
        wanted = list(run_ids)
        found: defaultdict[str, dict[tuple[int, State], int]] = defaultdict(dict)
        for row in await _COUNTS.rows(self._connection, wanted):
            found[row.run_id][row.wave, State(row.state)] = row.number
        return {run_id: found[run_id] for run_id in wanted}

    async def pending(self, run_id: str, wave: int, most: int) -> list[Desktop]:
        """Read desktops of a wave that the command was not sent to yet."""
        found = await self._connection.execute(_PENDING, {"run": run_id, "its_wave": wave, "most": most})
        return [_desktop(row) for row in found]

    async def reconnected(self, run_id: str, since: datetime, most: int) -> list[Desktop]:
        """Read desktops that were offline and have an active session now."""
        is_same = or_(_TARGET.machine_id == "", _TARGET.machine_id == _SESSION.machine_id)
        is_product = or_(_TARGET.product == "", _TARGET.product == _SESSION.product)
        session = select(_SESSION.id).where(
            _SESSION.user_id == _TARGET.user_id,
            _SESSION.ended.is_(None),
            _SESSION.last_seen >= since,
            is_same,
            is_product,
        )
        offline = (_TARGET.run_id == run_id, _TARGET.state == State.OFFLINE.value)
        statement = select(tables.command_run_targets).where(*offline, session.exists()).order_by(_TARGET.number)
        return [_desktop(row) for row in await self._connection.execute(statement.limit(most))]

    async def answered(self, run_id: str) -> list[Desktop]:
        """Read the desktops that have answered since the last look, with their answer."""
        found = await self._connection.execute(_ANSWERED, {"run": run_id})
        return [replace(_desktop(row), state=State(row.answer), finished=row.at) for row in found]

    async def overdue(self, run_id: str, before: datetime) -> list[Desktop]:
        """Read the desktops that received the command before a time and have not answered."""
        found = await self._connection.execute(_OVERDUE, {"run": run_id, "before": before})
        return [_desktop(row) for row in found]

    async def crashed(self, run: CommandRun) -> int:
        """Count the desktops whose user has sent a crash report since they received the command."""
        if run.started is None:
            return 0
        return await self._connection.scalar(_CRASHED, {"run": run.id, "since": run.started}) or 0

    async def withdraw(self, run_id: str, now: datetime) -> list[str]:
        """Cancel the desktops that nothing was sent to; return the commands that their desktops have not fetched."""
        which = _TARGET.run_id == run_id
        sent = tables.command_run_targets.alias().c
        unfetched = (
            select(_COMMAND.id)
            .join_from(tables.commands, sent.run_id.table, _COMMAND.id == sent.command_id)
            .where(sent.run_id == run_id, sent.state == State.SENT.value)
            .where(_COMMAND.delivered.is_(None), _COMMAND.finished.is_(None))
        )
        commands = list(await self._connection.scalars(unfetched))
        await self._connection.execute(
            update(tables.command_run_targets)
            .where(which, or_(_TARGET.state == State.PENDING.value, _TARGET.command_id.in_(unfetched)))
            .values(state=State.CANCELLED.value, finished=now)
        )
        return commands

    async def purge(self, before: datetime) -> int:
        """Delete runs that have ended or were stopped and last changed before a time; return their number.

        A paused run remains: an administrator intends to continue it.
        """
        over = [status.value for status in (*ENDED, Status.STOPPED)]
        is_old = (_RUN.updated < before) & _RUN.status.in_(over)
        old = select(_RUN.id).where(is_old)
        await self._connection.execute(delete(tables.command_run_targets).where(_TARGET.run_id.in_(old)))
        return (await self._connection.execute(delete(tables.command_runs).where(is_old))).rowcount

    def _announce(self) -> None:
        self._journal.announce(EventKind.COMMANDS, ADMINISTRATORS)


def _first(found: Result[Any]) -> CommandRun | None:
    row = found.one_or_none()
    return None if row is None else _record(row)


def _keys(desktop: Desktop) -> dict[str, Any]:
    return {
        "wave": desktop.wave,
        "user_id": desktop.user,
        "machine_id": desktop.machine,
        "product": desktop.product,
    }


def _changes(desktop: Desktop) -> dict[str, Any]:
    return {
        "state": desktop.state.value,
        "session_id": desktop.session,
        "command_id": desktop.command,
        "message": desktop.message,
        "sent": desktop.sent,
        "finished": desktop.finished,
    }


def _desktop(row: Row[Any]) -> Desktop:
    return Desktop(
        number=row.number,
        wave=row.wave,
        user=row.user_id,
        machine=row.machine_id,
        product=row.product,
        state=State(row.state),
        session=row.session_id,
        command=row.command_id,
        message=row.message,
        sent=row.sent,
        finished=row.finished,
    )


def _values(run: CommandRun) -> dict[str, Any]:
    values = {name: getattr(run, name) for name in _COLUMNS}
    waves = [{name: _number(value) for name, value in asdict(wave).items()} for wave in run.waves]
    return {
        **values,
        "status": run.status.value,
        "amounts": json_text.dump(list(run.amounts)).decode(),
        "waves": json_text.dump(waves).decode(),
    }


def _record(row: Row[Any]) -> CommandRun:
    values = {name: getattr(row, name) for name in _COLUMNS}
    waves = [
        Wave(size=each["size"], started=_time(each["started"]), finished=_time(each["finished"]))
        for each in json_text.parse(row.waves)
    ]
    return CommandRun(
        **{**values, "status": Status(row.status), "amounts": json_text.parse(row.amounts), "waves": waves}
    )


def _number(value: Any) -> Any:
    return (value - tables.EPOCH) // timedelta(milliseconds=1) if isinstance(value, datetime) else value


def _time(value: int | None) -> datetime | None:
    return None if value is None else tables.EPOCH + timedelta(milliseconds=value)
