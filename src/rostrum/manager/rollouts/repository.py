"""Roll-outs, and the observations of the users who receive the new version."""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from rostrum.base import json_text
from rostrum.contracts.rollouts import OPEN, Status
from rostrum.manager.audiences import ADMINISTRATORS
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import note_change
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.rollouts.model import EVENTS, Cohort, Rollout, Stage

_ROW = tables.rollouts.c
_SESSION = tables.sessions.c
_RECEIPT = tables.receipts.c
_CRASH = tables.crashes.c
_COLUMNS = tuple(column.name for column in tables.rollouts.columns)
_OPEN = [status.value for status in OPEN]
_KEYS = {Kind.APP: tables.apps.c.name, Kind.LAYOUT: tables.layouts.c.id, Kind.CONFIG: tables.config_files.c.id}
_BATCH = 500

_ONE = select(tables.rollouts).where(_ROW.id == bindparam("rollout"))
_ONE_OF_KIND = _ONE.where(_ROW.kind == bindparam("its_kind"))
_COHORTS = select(_ROW.id, _ROW.stages, _ROW.stage).where(_ROW.status.in_(_OPEN)).order_by(_ROW.id)
_UNSETTLED = select(_ROW.id).where(_ROW.status.in_(_OPEN)).order_by(_ROW.id)
_CRASHED = (
    select(_CRASH.user_id)
    .where(_CRASH.received >= bindparam("since", type_=_CRASH.received.type), _CRASH.user_id.is_not(None))
    .distinct()
)
_DESKTOPS = (
    select(_SESSION.user_id, _SESSION.started, _RECEIPT.revision)
    .outerjoin_from(
        tables.sessions,
        tables.receipts,
        (_RECEIPT.session_id == _SESSION.id) & (_RECEIPT.kind == bindparam("its_kind")),
    )
    .where(_SESSION.ended.is_(None), _SESSION.last_seen >= bindparam("since", type_=_SESSION.last_seen.type))
)

_LISTING = Listing(
    fields={
        "id": _ROW.id,
        "key": _ROW.key,
        "name": _ROW.name,
        "status": _ROW.status,
        "created": _ROW.created,
        "createdBy": _ROW.created_by,
        "finished": _ROW.finished,
        "ticket": _ROW.ticket,
        "comment": _ROW.comment,
    },
    searched=("id", "name", "createdBy", "ticket", "comment"),
    key="id",
)


class Rollouts(Repository):
    """The roll-outs of one transaction."""

    async def get(self, rollout_id: str, kind: Kind | None = None) -> Rollout | None:
        statement, of_kind = (_ONE, {}) if kind is None else (_ONE_OF_KIND, {"its_kind": kind.value})
        row = (await self._connection.execute(statement, {"rollout": rollout_id, **of_kind})).one_or_none()
        return None if row is None else _record(row)

    async def named(self, ids: Collection[str]) -> list[Rollout]:
        """Read roll-outs by their IDs."""
        if not ids:
            return []
        statement = select(tables.rollouts).where(_ROW.id.in_(list(ids))).order_by(_ROW.id)
        return [_record(row) for row in await self._connection.execute(statement)]

    async def page(self, kind: Kind, query: Query) -> Page[Rollout]:
        statement = select(tables.rollouts).where(_ROW.kind == kind.value)
        found = await _LISTING.page(self._connection, statement, query)
        return found.page(map(_record, found.rows))

    async def cohorts(self) -> tuple[Cohort, ...]:
        """Read who receives the new version of each roll-out that has not ended."""
        rows = await self._connection.execute(_COHORTS)
        return tuple(Cohort(id=row.id, stages=_stages(row.stages)[: row.stage]) for row in rows)

    async def running_of(self, user_id: str) -> list[Rollout]:
        """Read the roll-outs of a user that start further stages."""
        running = (_ROW.created_by == user_id, _ROW.status == Status.RUNNING.value)
        return [_record(row) for row in await self._connection.execute(select(tables.rollouts).where(*running))]

    async def unsettled(self) -> list[str]:
        """Read the IDs of roll-outs that can have a next step."""
        return list(await self._connection.scalars(_UNSETTLED))

    async def count_open(self) -> int:
        return await self._connection.scalar(select(func.count()).where(_ROW.status.in_(_OPEN))) or 0

    async def add(self, rollout: Rollout) -> None:
        told = {
            "kind": rollout.kind,
            "document": rollout.key,
            "stages": [_described(stage) for stage in rollout.stages],
            "maxFailures": rollout.max_failures,
            "maxCrashes": rollout.max_crashes,
            "comment": rollout.comment,
            "ticket": rollout.ticket,
            # The content is in the history and the audit of the document when the roll-out finishes.
            "digest": json_text.digest(rollout.candidate.encode()),
        }
        self._journal.noted(Kind.ROLLOUT, rollout.id, Action.CREATED, after=told)
        await self._connection.execute(insert(tables.rollouts).values(_values(rollout)))
        await self._mark(rollout, rollout.id)
        self._announce(rollout)

    async def put(self, before: Rollout, after: Rollout) -> None:
        """Store a step of a roll-out. If it has ended, its document is free again."""
        steps = [{"status": each.status, "stage": each.stage, "reason": each.reason} for each in (before, after)]
        self._journal.noted(Kind.ROLLOUT, after.id, Action.CHANGED, *steps)
        await self._connection.execute(update(tables.rollouts).where(_ROW.id == after.id).values(_values(after)))
        if after.is_open:
            # Other users receive the new version, although the document itself does not change.
            note_change(self._connection, _KEYS[after.kind].table.name)
        else:
            await self._mark(after, None)
        self._announce(after)

    async def approve(self, ids: Collection[str], proposal: str) -> None:
        """Record the approved proposal that has shown the new versions of these roll-outs."""
        if ids:
            statement = update(tables.rollouts).where(_ROW.id.in_(list(ids)))
            await self._connection.execute(statement.values(approval=proposal))

    async def crashed(self, since: datetime) -> set[str]:
        """Read the users who have sent a crash report since a time."""
        return set(await self._connection.scalars(_CRASHED, {"since": since}))

    async def desktops(self, kind: Kind, seen_since: datetime) -> list[tuple[str, datetime, int]]:
        """Read the connected desktops: the user, the start, and the newest revision that was reported as applied."""
        given = {"its_kind": EVENTS[kind].value, "since": seen_since}
        return [
            (row.user_id, row.started, row.revision or 0) for row in await self._connection.execute(_DESKTOPS, given)
        ]

    async def purge(self, before: datetime) -> int:
        """Delete roll-outs that ended before a time, and return their number."""
        is_old = _ROW.status.not_in(_OPEN) & (_ROW.updated < before)
        return (await self._connection.execute(delete(tables.rollouts).where(is_old))).rowcount

    async def _mark(self, rollout: Rollout, value: str | None) -> None:
        """Note in the row of the document whether it has a roll-out."""
        key = _KEYS[rollout.kind]
        await self._connection.execute(update(key.table).where(key == rollout.key).values(rollout=value))

    def _announce(self, rollout: Rollout) -> None:
        self._journal.announce(EVENTS[rollout.kind], ADMINISTRATORS)


def _described(stage: Stage) -> dict[str, Any]:
    return {"percent": stage.percent, "groups": list(stage.groups), "duration": stage.duration}


def _values(rollout: Rollout) -> dict[str, Any]:
    values = {name: getattr(rollout, name) for name in _COLUMNS}
    stages = [
        {**asdict(stage), "groups": list(stage.groups), "started": _number(stage.started)} for stage in rollout.stages
    ]
    return {
        **values,
        "kind": rollout.kind.value,
        "status": rollout.status.value,
        "stages": json_text.dump(stages).decode(),
    }


def _record(row: Row[Any]) -> Rollout:
    values = {name: getattr(row, name) for name in _COLUMNS}
    return Rollout(**{**values, "kind": Kind(row.kind), "status": Status(row.status), "stages": _stages(row.stages)})


def _stages(text: str) -> list[Stage]:
    return [
        Stage(**{**each, "groups": tuple(each["groups"]), "started": _time(each["started"])}) for each in _parsed(text)
    ]


def _parsed(text: str) -> Iterable[dict[str, Any]]:
    found: list[dict[str, Any]] = json_text.parse(text)
    return found


def _number(value: datetime | None) -> int | None:
    return None if value is None else (value - tables.EPOCH) // timedelta(milliseconds=1)


def _time(value: int | None) -> datetime | None:
    return None if value is None else tables.EPOCH + timedelta(milliseconds=value)
