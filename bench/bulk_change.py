"""A bulk change of many users with preview, against bare SQL that writes the same rows, history and audit."""

import asyncio
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from rostrum.base.clock import SystemClock
from rostrum.base.memory import freeze_loaded_objects
from rostrum.contracts.batches import BatchArguments, NewBatch
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.batches.service import BatchService
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage
from rostrum.manager.users.model import User

USERS = 5_000
ROUNDS = 5
GOAL = 3
GROUP = "Leavers"

ACTIONS: dict[str, BatchArguments] = {
    "disable": BatchArguments(),
    "addToGroups": BatchArguments(groups=[GROUP]),
}

# What a batch writes for each user; the batch itself and the counters of the audit are a few rows more.
_NEW_ROWS = ("history", "audit")


def report() -> str:
    # As the server does after its start.
    freeze_loaded_objects()
    rows = []
    for action in ACTIONS:
        clock, work = asyncio.run(_measured(action))
        rows.append(
            f"| {action} | {clock.preview * 1000:.0f} ms | {clock.change * 1000:.0f} ms | {clock.bare * 1000:.0f} ms | "
            f"**{clock.ratio:.1f} ×** | ≤ {GOAL} × | {work.ratio:.1f} × |"
        )
    return (
        "## Bulk changes\n\n"
        f"One bulk change of {USERS:,} users on SQLite, with its preview. The peer is bare SQL: the `sqlite3` module "
        "writes the same rows of users, history and audit, prepared in advance, in one transaction on a copy of the "
        f"same database. Medians of {ROUNDS} rounds, in which both are measured in turn. The last column is the same "
        "ratio in processor time, which depends less on other load, but does not include waiting for the disk.\n\n"
        "| action | preview | change | bare SQL | (preview + change) ÷ bare SQL | goal | in processor time |\n"
        "|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


class Moment(NamedTuple):
    """A time by the clock, and of the processor; or what passed between two."""

    clock: float
    work: float

    @classmethod
    def now(cls) -> "Moment":
        return cls(time.perf_counter(), time.process_time())

    def since(self, other: "Moment") -> "Moment":
        return Moment(self.clock - other.clock, self.work - other.work)


class Seconds(NamedTuple):
    """What the parts take, by the clock or of the processor."""

    preview: float
    change: float
    bare: float

    @property
    def ratio(self) -> float:
        return (self.preview + self.change) / self.bare


async def _measured(action: str) -> tuple[Seconds, Seconds]:
    """Give the seconds by the clock, and those of the processor."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        await _fill(folder / "filled.db")
        found: list[tuple[Moment, Moment, Moment]] = []
        for number in range(ROUNDS):
            ours, bare = folder / f"ours-{number}.db", folder / f"bare-{number}.db"
            for copy in (ours, bare):
                shutil.copy(folder / "filled.db", copy)
            found.append((*await _change(ours, action), _bare(ours, bare)))
            _require_same(ours, bare)
        clock, work = (
            Seconds(*(statistics.median(moment[which] for moment in part) for part in zip(*found, strict=True)))
            for which in range(2)
        )
        return clock, work


async def _fill(path: Path) -> None:
    storage = Storage(f"sqlite:///{path}")
    await storage.open()
    async with storage.write(SYSTEM.user) as work:
        for number in range(USERS):
            await work.users.add(User(id=_id(number), groups=(f"Desk {number % 40}",), stamp=work.stamp()))
    await storage.close()
    with closing(sqlite3.connect(path)) as connection:
        # One file: copies would lack what is in the log beside it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _change(path: Path, action: str) -> tuple[Moment, Moment]:
    """Give what the preview and the change took."""
    storage = Storage(f"sqlite:///{path}")
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


def _bare(changed: Path, path: Path) -> Moment:
    """Write what the change has written, with as little as possible around it."""
    with closing(sqlite3.connect(changed)) as source, closing(sqlite3.connect(path)) as connection:
        users = _rows(source, "SELECT disabled, epoch, revision, modified, modified_by, id FROM users ORDER BY id")
        added = _rows(source, "SELECT * FROM user_groups WHERE group_name = ?", GROUP)
        new = {table: _new(source, table) for table in _NEW_ROWS}
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.isolation_level = None
        return _timed(lambda: _write(connection, users, added, new))


def _write(connection: sqlite3.Connection, users: list[Any], added: list[Any], new: dict[str, list[Any]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(
        "UPDATE users SET disabled = ?, epoch = ?, revision = ?, modified = ?, modified_by = ? WHERE id = ?", users
    )
    for table, rows in {"user_groups": added, **new}.items():
        if rows:
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.execute("COMMIT")


def _new(source: sqlite3.Connection, table: str) -> list[Any]:
    """Read the rows that the batch has added."""
    return _rows(source, f"SELECT * FROM {table} WHERE batch <> ''")


def _require_same(ours: Path, bare: Path) -> None:
    with closing(sqlite3.connect(ours)) as one, closing(sqlite3.connect(bare)) as other:
        for table in _NEW_ROWS:
            assert _new(one, table) == _new(other, table), table
        # A new group has rows of its own.
        assert USERS <= len(_new(one, "history")) == len(_new(one, "audit")) <= USERS + 1
        query = "SELECT id, disabled, revision FROM users ORDER BY id"
        assert _rows(one, query) == _rows(other, query)


def _rows(connection: sqlite3.Connection, query: str, *values: str) -> list[Any]:
    return connection.execute(query, values).fetchall()


def _timed(action: Callable[[], None]) -> Moment:
    began = Moment.now()
    action()
    return Moment.now().since(began)


def _id(number: int) -> str:
    return f"user{number:06}"
