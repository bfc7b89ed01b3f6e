"""A bulk change of many users with preview, against a script with bare SQL that writes the same rows."""

import asyncio
import hashlib
import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bench.effort import Effort, costs, meter
from bench.figures import Sample
from rostrum.base.clock import SystemClock
from rostrum.base.memory import freeze_loaded_objects
from rostrum.contracts.batches import BatchArguments, NewBatch
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.batches.service import BatchService
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

USERS = 5_000
ROUNDS = 5
SAMPLE_ROUNDS = 3
GOAL = 3
GROUP = "Leavers"

ACTIONS: dict[str, BatchArguments] = {
    "disable": BatchArguments(),
    "addToGroups": BatchArguments(groups=[GROUP]),
}

# All rows that the script writes; a batch also writes itself, announcements to clients, and counters.
_COMPARED = (
    "SELECT * FROM users ORDER BY id",
    "SELECT * FROM user_groups ORDER BY user_id, group_name",
    "SELECT * FROM history ORDER BY kind, key, revision",
    "SELECT * FROM audit WHERE batch <> '' ORDER BY number",
)
_JSON = msgspec.json.Encoder()
_SORTED_JSON = msgspec.json.Encoder(order="deterministic")


def report() -> str:
    # As the server does after its start.
    freeze_loaded_objects()
    rows = []
    for action in ACTIONS:
        clock, work = asyncio.run(_measured(action))
        times = " | ".join(f"{one * 1000:.0f} / {other * 1000:.0f} ms" for one, other in zip(clock, work, strict=True))
        rows.append(
            f"| {action} | {times} | **{clock.ratio:.1f} ×** / {work.ratio:.1f} × | ≤ {GOAL} × | "
            f"{clock.ratio_to_writing:.1f} × / {work.ratio_to_writing:.1f} × |"
        )
    return (
        "## Bulk changes\n\n"
        f"One bulk change of {USERS:,} users on SQLite, with its preview. The peer is a script with bare SQL (the "
        "`sqlite3` module), written for exactly this change: it reads the users, makes the texts of the history and of "
        "the audit with their hashes, and writes the users, their lists, the history and the audit. It has one "
        "transaction for each part of the batch, as durable as those of the manager (`synchronous = FULL`). The rows "
        "of both are compared. The script checks nothing, has no preview, and writes no batch that can be resumed and "
        "no announcements to clients. The last column compares with its writing alone, as if all rows had "
        "been prepared in advance. "
        f"Medians of {ROUNDS} rounds, in which both are measured in turn. Each value is given by the clock, and in "
        "processor time, which depends less on other load, but does not include waiting for the disk.\n\n"
        "| action | preview | change | peer: making the rows | peer: writing | (preview + change) ÷ peer | goal | "
        "÷ writing alone |\n"
        "|---|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def sample() -> Sample:
    """Measure only the manager."""
    freeze_loaded_objects()
    found: Sample = {}
    for action in ACTIONS:
        efforts = asyncio.run(_efforts(action))
        found |= costs(f"{action}: preview and change", efforts)
    return found


async def _efforts(action: str) -> list[Effort]:
    with tempfile.TemporaryDirectory() as place, meter(os.getpid()) as read:
        folder = Path(place)
        await _fill(folder / "filled.db")
        found = []
        # The first change also loads modules and builds statements.
        for number in range(SAMPLE_ROUNDS + 1):
            copy = folder / f"{number}.db"
            shutil.copy(folder / "filled.db", copy)
            before = read()
            await _change(copy, action)
            found.append(read().since(before))
        return found[1:]


class Moment(NamedTuple):
    """A time by the clock, and of the processor; or what passed between two."""

    clock: float
    work: float

    @classmethod
    def now(cls) -> "Moment":
        return cls(time.perf_counter(), time.process_time())

    def since(self, other: "Moment") -> "Moment":
        return Moment(self.clock - other.clock, self.work - other.work)

    def plus(self, other: "Moment") -> "Moment":
        return Moment(self.clock + other.clock, self.work + other.work)


class Seconds(NamedTuple):
    """What the parts take, by the clock or of the processor."""

    preview: float
    change: float
    making: float
    writing: float

    @property
    def ratio(self) -> float:
        return (self.preview + self.change) / (self.making + self.writing)

    @property
    def ratio_to_writing(self) -> float:
        return (self.preview + self.change) / self.writing


async def _measured(action: str) -> tuple[Seconds, Seconds]:
    """Give the seconds by the clock, and those of the processor."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        await _fill(folder / "filled.db")
        found: list[tuple[Moment, Moment, Moment, Moment]] = []
        for number in range(ROUNDS):
            ours, bare = folder / f"ours-{number}.db", folder / f"bare-{number}.db"
            for copy in (ours, bare):
                shutil.copy(folder / "filled.db", copy)
            found.append((*await _change(ours, action), *_bare(ours, bare, action)))
            _require_same(ours, bare)
        clock, work = (
            Seconds(*(statistics.median(moment[which] for moment in part) for part in zip(*found, strict=True)))
            for which in range(2)
        )
        return clock, work


async def _fill(path: Path) -> None:
    storage = manager_storage(f"sqlite:///{path}")
    await storage.open()
    async with storage.write(SYSTEM.user) as work:
        await work.of(Groups).add(Group(name=GROUP, stamp=work.stamp()))
        for number in range(USERS):
            await work.of(Users).add(User(id=_id(number), groups=(f"Desk {number % 40}",), stamp=work.stamp()))
    await storage.close()
    with closing(sqlite3.connect(path)) as connection:
        # One file: copies would lack what is in the log beside it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _change(path: Path, action: str) -> tuple[Moment, Moment]:
    """Give what the preview and the change took."""
    storage = manager_storage(f"sqlite:///{path}")
    service = BatchService(storage, SystemClock())
    body = NewBatch(key="bench", action=action, arguments=ACTIONS[action], ids=[_id(each) for each in range(USERS)])
    try:
        # Opens the connection; the server has one already.
        await storage.ping()
        began = Moment.now()
        previewed = await service.preview(SYSTEM, Kind.USER, body)
        middle = Moment.now()
        batch, _ = await service.create(SYSTEM, Kind.USER, body)
        async for each in service.run(SYSTEM, batch):
            batch = each
        ended = Moment.now()
        assert (previewed.total, batch.done) == (USERS, USERS)
        return middle.since(began), ended.since(middle)
    finally:
        await storage.close()


def _bare(changed: Path, path: Path, action: str) -> tuple[Moment, Moment]:
    """Make the same change with a script for this action; give what making the rows took, and writing them."""
    makes = writes = Moment(0, 0)
    with closing(sqlite3.connect(changed)) as source, closing(sqlite3.connect(path)) as connection:
        parts = list(_parts(source))
        # As the manager does: a change that was acknowledged survives a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        connection.isolation_level = None
        # The batch itself has an audit entry too, from which the chain continues.
        before = "SELECT number, hash FROM audit WHERE number < (SELECT min(number) FROM audit WHERE batch <> '')"
        [(number, link)] = _rows(source, f"{before} ORDER BY number DESC LIMIT 1")
        connection.execute("UPDATE audit_head SET number = ?, hash = ?", (number, link))
        for part in parts:
            began = Moment.now()
            connection.execute("BEGIN IMMEDIATE")
            rows = _made(connection, part, action)
            middle = Moment.now()
            _write(connection, part, rows, action)
            connection.execute("COMMIT")
            makes, writes = makes.plus(middle.since(began)), writes.plus(Moment.now().since(middle))
    return makes, writes


@dataclass(frozen=True, slots=True)
class Part:
    """One transaction of the batch: which users, when, and what all its audit entries have in common."""

    first: str
    last: str
    revision: int
    at: int
    batch: str
    common: dict[str, Any]


def _parts(source: sqlite3.Connection) -> Iterator[Part]:
    query = "SELECT min(key), max(key), revision, at, batch, entry FROM audit WHERE kind = 'user' AND batch <> ''"
    for first, last, revision, at, batch, entry in _rows(source, f"{query} GROUP BY revision ORDER BY revision"):
        yield Part(first, last, revision, at, batch, msgspec.json.decode(entry))


@dataclass(frozen=True, slots=True)
class Made:
    """The rows of one transaction."""

    history: list[Any]
    audit: list[Any]


def _made(connection: sqlite3.Connection, part: Part, action: str) -> Made:
    """Read the users, and make the texts of their new state and of the audit, whose hashes are a chain."""
    which = (part.first, part.last)
    users = "SELECT id, email, disabled, revision, created, created_by FROM users WHERE id BETWEEN ? AND ?"
    lists = {
        table: _lists(connection, f"SELECT user_id, {value} FROM {table} WHERE user_id BETWEEN ? AND ?", which)
        for table, value in (("user_groups", "group_name"), ("user_apps", "app_name"), ("user_layouts", "layout_id"))
    }
    number, link = connection.execute("SELECT number, hash FROM audit_head").fetchone()
    made = Made([], [])
    actor, operation = part.common["actor"], part.common["operation"]
    for user_id, email, disabled, previous, created, created_by in connection.execute(f"{users} ORDER BY id", which):
        groups = sorted(lists["user_groups"].get(user_id, []))
        if action == "disable":
            edit = {"op": "replace", "path": "/disabled", "before": bool(disabled), "after": True}
            disabled = True  # noqa: PLW2901 - the new state
        else:
            groups = sorted([*groups, GROUP])
            edit = {"op": "add", "path": f"/groups/{groups.index(GROUP)}", "after": GROUP}
        body = _JSON.encode(
            {
                "id": user_id,
                "email": email,
                "groups": groups,
                "apps": sorted(lists["user_apps"].get(user_id, [])),
                "layouts": sorted(lists["user_layouts"].get(user_id, [])),
                "disabled": bool(disabled),
            }
        )
        change = {"kind": "user", "id": user_id, "action": "changed", "diff": [edit]}
        change["digest"] = hashlib.sha256(body).hexdigest()
        number += 1
        entry = _SORTED_JSON.encode({**part.common, "number": number, "changes": [change]})
        link = hashlib.sha256(b"%b\n%b" % (link.encode(), entry)).hexdigest()
        facts = (part.revision, previous, "changed", part.at, actor, operation, created, created_by)
        made.history.append(("user", user_id, *facts, body.decode(), None, len(body), part.batch))
        made.audit.append(
            (number, part.revision, part.at, actor, operation, "user", user_id, entry.decode(), link, part.batch)
        )
    return made


def _lists(connection: sqlite3.Connection, query: str, values: tuple[str, str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for owner, value in connection.execute(query, values):
        found[owner].append(value)
    return found


def _write(connection: sqlite3.Connection, part: Part, rows: Made, action: str) -> None:
    changed = "disabled = 1, disabled_since = :at, epoch = :revision, " if action == "disable" else ""
    values = {"first": part.first, "last": part.last, "revision": part.revision, "at": part.at}
    connection.execute(
        f"UPDATE users SET {changed}revision = :revision, modified = :at, modified_by = :by "
        "WHERE id BETWEEN :first AND :last",
        {**values, "by": part.common["actor"]},
    )
    if action == "addToGroups":
        added = "INSERT INTO user_groups SELECT id, ? FROM users WHERE id BETWEEN ? AND ?"
        connection.execute(added, (GROUP, part.first, part.last))
    connection.executemany(f"INSERT INTO history VALUES ({', '.join('?' * 14)})", rows.history)
    connection.executemany(f"INSERT INTO audit VALUES ({', '.join('?' * 10)}, NULL, NULL)", rows.audit)
    connection.execute("UPDATE audit_head SET number = ?, hash = ?", (rows.audit[-1][0], rows.audit[-1][8]))


def _require_same(ours: Path, bare: Path) -> None:
    with closing(sqlite3.connect(ours)) as one, closing(sqlite3.connect(bare)) as other:
        for query in _COMPARED:
            assert _rows(one, query) == _rows(other, query), query
        for table in ("history", "audit"):
            assert len(_rows(one, f"SELECT 1 FROM {table} WHERE batch <> ''")) == USERS, table


def _rows(connection: sqlite3.Connection, query: str, *values: str) -> list[Any]:
    return connection.execute(query, values).fetchall()


def _id(number: int) -> str:
    return f"user{number:06}"
