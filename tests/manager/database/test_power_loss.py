"""Power that goes away: what was acknowledged is on the disk, and of the rest nothing is there by halves.

Killing a process proves none of it, because the system still writes what the process left. So the files are put
together here as a disk would have them on which only a beginning of SQLite's log has arrived.
"""

from pathlib import Path

import pytest
from sqlalchemy import text

from rostrum.base.clock import SettableClock
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.apps.repository import Apps
from rostrum.manager.audit.service import AuditService
from rostrum.manager.database.engine import Database
from rostrum.manager.database.paging import Query
from rostrum.manager.topics import manager_storage
from tests.suites.storage import app

WRITES = 8


async def test_a_write_is_acknowledged_only_when_the_disk_has_it(sqlite: str) -> None:
    database = Database(sqlite)
    try:
        async with database.write() as writing, database.read() as reading:
            for connection in (writing, reading):
                journal = await connection.scalar(text("PRAGMA journal_mode"))
                synchronous = await connection.scalar(text("PRAGMA synchronous"))
                # 2 is FULL: the log is synced at each commit, not only when it is put into the database.
                assert (journal, synchronous) == ("wal", 2)
    finally:
        await database.close()


@pytest.mark.long
async def test_whatever_beginning_of_the_log_arrives_every_write_is_there_completely_or_not_at_all(
    tmp_path: Path, clock: SettableClock
) -> None:
    live = tmp_path / "live.db"
    log = tmp_path / "live.db-wal"
    first = manager_storage(f"sqlite:///{live}", clock)
    await first.open()
    # Closing puts the log into the database, so that only what follows is in a log.
    await first.close()
    storage = manager_storage(f"sqlite:///{live}", clock)
    ends = [0]
    for number in range(WRITES):
        async with storage.write("ann") as work:
            await work.of(Apps).add(app(f"app {number}", definition='{"pages": "%s"}' % ("x" * 9000)))
        ends.append(log.stat().st_size)
    database, whole = live.read_bytes(), log.read_bytes()
    await storage.close()
    assert ends == sorted(set(ends))

    for done, (end, following) in enumerate(zip(ends, [*ends[1:], ends[-1]], strict=True)):
        for arrived in {end, (end + following) // 2, max(end, following - 1)}:
            folder = tmp_path / f"disk {arrived}"
            folder.mkdir()
            (folder / "copy.db").write_bytes(database)
            (folder / "copy.db-wal").write_bytes(whole[:arrived])
            after = manager_storage(f"sqlite:///{folder}/copy.db", clock)
            async with after.read() as work:
                names = [item.name for item in (await work.of(Apps).page(Query())).items]
            found = await AuditService(after).verify(SYSTEM)
            await after.close()

            assert names == [f"app {number}" for number in range(done)]
            assert (found.fault, found.entries) == (None, done)
