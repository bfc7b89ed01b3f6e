"""How databases are opened: what addresses mean, and what faults may say."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import StatementError

from rostrum.base.errors import RostrumError
from rostrum.manager.database.engine import Database, _with_ssl
from rostrum.manager.errors import Unavailable
from tests.conftest import manager_config


def test_the_usual_word_for_tls_is_taken() -> None:
    url = _with_ssl(make_url("postgresql://rostrum@db.example.com/rostrum?sslmode=require&application_name=x"))

    assert dict(url.query) == {"ssl": "require", "application_name": "x"}


async def test_a_statement_that_fails_does_not_report_its_parameters(store: str) -> None:
    database = Database(store)
    try:
        with pytest.raises((StatementError, Unavailable)) as failed:
            async with database.read() as connection:
                await connection.execute(text("SELECT nothing FROM nowhere WHERE x = :x"), {"x": "distinctive"})
    finally:
        await database.close()

    assert "distinctive" not in f"{failed.value} {failed.value.__cause__}"


SLOW = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT count(*) FROM n"


async def test_closing_waits_for_work_that_was_called_off(sqlite: str) -> None:
    database = Database(sqlite)
    begun = asyncio.Event()

    async def work() -> None:
        async with database.read() as connection:
            await connection.execute(text("SELECT 1"))
            begun.set()
            await connection.execute(text(SLOW))

    working = asyncio.create_task(work())
    # One that is called off while it connects, too.
    connecting = asyncio.create_task(database.ping())
    await begun.wait()
    threads = list(database._threads)
    for task in (working, connecting):
        task.cancel()
    await asyncio.gather(working, connecting, return_exceptions=True)
    await database.close()

    # A thread that ended later would find no loop to notify.
    assert threads
    assert not any(thread.is_alive() for thread in threads)


async def test_cancelled_writing_releases_the_lock_of_the_file(sqlite: str) -> None:
    database = Database(sqlite)
    async with database.write() as connection:
        await connection.execute(text("CREATE TABLE numbers (x INTEGER)"))
    loop, begun, called_off = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def pause() -> int:
        loop.call_soon_threadsafe(begun.set)
        return called_off.wait(30)

    async def work() -> None:
        async with database.write() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            await driver.create_function("pause", 0, pause)
            await connection.execute(text("INSERT INTO numbers VALUES (1), (2) RETURNING x, pause()"))

    working = asyncio.create_task(work())
    await begun.wait()
    working.cancel()
    called_off.set()
    # The exception refers to the cursor, whose statement has more rows.
    (cancelled,) = await asyncio.gather(working, return_exceptions=True)
    await database.close()

    other = sqlite3.connect(str(make_url(sqlite).database), timeout=0, isolation_level=None)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        assert other.execute("SELECT count(*) FROM numbers").fetchone() == (0,)
    assert isinstance(cancelled, asyncio.CancelledError)


@asynccontextmanager
async def in_use(database: Database) -> AsyncIterator[None]:
    """A connection of a task that ends afterwards."""
    begun, closed = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        async with database.read() as connection:
            await connection.execute(text("SELECT 1"))
            begun.set()
            await closed.wait()

    working = asyncio.create_task(work())
    await begun.wait()
    yield
    closed.set()
    await asyncio.gather(working, return_exceptions=True)


async def test_closing_also_closes_connections_that_are_in_use(sqlite: str) -> None:
    database = Database(sqlite)
    async with in_use(database):
        connections = list(database._connections)
        await database.close()

    assert connections
    # A connection that is still open would be reported by whichever test frees its memory.
    assert all(connection._connection is None for connection in connections)


async def test_closing_also_closes_connections_to_postgresql_that_are_in_use(postgresql: str) -> None:
    database = Database(postgresql)
    async with in_use(database):
        (connection,) = database._remote
        await database.close()

    assert connection.is_closed()


def test_a_database_in_memory_is_refused_in_words() -> None:
    with pytest.raises(RostrumError, match="name a file"):
        manager_config("sqlite:///:memory:")


@pytest.mark.parametrize("user", ["*", "(system)", "a" * 257, "..", "tab\there"])
def test_a_predefined_user_has_an_id_that_users_can_have(sqlite: str, user: str) -> None:
    with pytest.raises(RostrumError, match="must name a user"):
        manager_config(sqlite, auth_basic={"predefinedUsers": [f"{user}:a password"]})


async def test_a_statement_uses_the_thread_of_its_connection_once(
    sqlite: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(sqlite)
    try:
        async with database.write() as connection:
            await connection.execute(text("CREATE TABLE numbers (x INTEGER)"))
            with caplog.at_level("DEBUG", "aiosqlite"):
                made = await connection.execute(text("INSERT INTO numbers VALUES (1), (2)"))
                await connection.execute(text("INSERT INTO numbers VALUES (:x)"), [{"x": 3}, {"x": 4}, {"x": 5}])
                rows = (await connection.execute(text("SELECT x FROM numbers ORDER BY x"))).all()
    finally:
        await database.close()

    assert (made.rowcount, [x for (x,) in rows]) == (2, [1, 2, 3, 4, 5])
    # Managers of other tests may run in this process.
    ours = [record.message for record in caplog.records if "numbers" in record.message]
    assert len([message for message in ours if message.startswith("executing")]) == 3


async def test_a_closed_connection_is_reported_as_a_database_that_does_not_answer(sqlite: str) -> None:
    database = Database(sqlite)

    async def read_after_closing() -> None:
        async with database.read() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            await driver.close()
            await connection.execute(text("SELECT 1"))

    try:
        with pytest.raises(Unavailable):
            await read_after_closing()
    finally:
        await database.close()
