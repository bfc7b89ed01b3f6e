"""The storage suite on every back end, and how a database is opened, brought up to date and lost."""

import asyncio
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from rostrum.manager.database import migrations, tables
from rostrum.manager.database.engine import Database
from rostrum.manager.database.schema import HEAD, SchemaTooNew, current_version
from rostrum.manager.errors import Unavailable
from rostrum.manager.topics import manager_storage
from tests.suites import storage as suite


class TestEveryKind(suite.EveryKind):
    pass


class TestLists(suite.Lists):
    pass


class TestPeople(suite.People):
    pass


class TestContent(suite.Content):
    pass


class TestDesktops(suite.Desktops):
    pass


class TestFiles(suite.ReportFiles):
    pass


class TestTransactions(suite.Transactions):
    pass


OPEN = """
import asyncio, sys
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage

async def main():
    storage = manager_storage(sys.argv[1])
    await storage.open()
    async with storage.write("x"):
        pass
    await storage.close()

asyncio.run(main())
"""


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.long
async def test_opening_a_second_time_finds_everything_in_place(store: str) -> None:
    for expected in (1, 2):
        storage = manager_storage(store)
        await storage.open()
        await storage.open()
        await storage.ping()
        async with storage.write("ann") as work:
            assert work.revision == expected
        await storage.close()


@pytest.mark.long
async def test_ten_managers_may_open_an_empty_database_at_once(store: str) -> None:
    storages = [manager_storage(store) for _ in range(10)]
    await asyncio.gather(*(storage.open() for storage in storages))

    for number, storage in enumerate(storages, start=1):
        async with storage.write("ann") as work:
            assert work.revision == number
        await storage.close()


async def test_opening_an_empty_sqlite_database_waits_for_another_writer(tmp_path: Path) -> None:
    file = tmp_path / "rostrum.db"
    storage = manager_storage(f"sqlite:///{file}")
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")

    opening = asyncio.create_task(storage.open())
    done, _ = await asyncio.wait([opening], timeout=0.5)
    assert not done
    writer.execute("COMMIT")
    writer.close()
    await opening

    await storage.close()


@pytest.mark.long
async def test_two_processes_may_open_an_empty_database_at_once(store: str) -> None:
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", OPEN, store, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    errors = [(await process.communicate())[1].decode() for process in processes]

    assert [process.returncode for process in processes] == [0, 0], errors


def test_the_newest_migration_is_the_one_that_opening_looks_for() -> None:
    folder = Path(migrations.__file__ or "").parent / "versions"
    numbers = sorted(path.name[1:5] for path in folder.glob("v*.py"))

    assert numbers[-1] == HEAD


# The library cannot read an index of an expression from SQLite, and warns.
MISSING_FIRST = ("email", "display_name", "disabled_since")
"""Columns of users that can be missing, with an index in which missing values come first."""


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*expression-based index ix_users_lower_id", "ignore:autogenerate skipping")
async def test_the_migrations_make_the_tables_that_the_code_uses(store: str) -> None:
    def differences(connection: Connection) -> list[object]:
        opts = {"compare_type": True, "compare_server_default": True, "include_object": is_compared}
        return list(compare_metadata(MigrationContext.configure(connection, opts=opts), tables.metadata))

    def is_compared(thing: Any, name: str, kind: str, _reflected: bool, _other: object) -> bool:
        if (f"{thing.table.name}.{name}" if kind == "column" else name) in tables.UNUSED:
            return False
        # Where what is missing stands in it cannot be said for both databases in one way; the next test looks.
        # The index of words is another thing on each of them; it is there when words are found in it.
        others = {f"ix_users_{column}" for column in MISSING_FIRST} | {"ix_users_words", "users_numbers"}
        return name not in others and not name.startswith("users_words")

    storage = manager_storage(store)
    await storage.open()
    await storage.close()
    database = Database(store)
    async with database.read() as connection:
        found = await connection.run_sync(differences)
    assert await current_version(database) == HEAD
    await database.close()

    assert found == []


@pytest.mark.usual(2)
@pytest.mark.parametrize("column", MISSING_FIRST)
async def test_an_index_with_missing_values_begins_with_them(store: str, column: str) -> None:
    storage = manager_storage(store)
    await storage.open()
    await storage.close()
    database = Database(store)
    table, wanted = ("sqlite_master", "sql") if database.is_sqlite else ("pg_indexes", "indexdef")
    name = "name" if database.is_sqlite else "indexname"
    async with database.read() as connection:
        found = await connection.scalar(text(f"SELECT {wanted} FROM {table} WHERE {name} = 'ix_users_{column}'"))
    await database.close()

    # SQLite always begins with them.
    assert found.endswith(f"({column}, id)" if database.is_sqlite else f"({column} NULLS FIRST, id)")


async def test_every_text_that_is_sorted_or_searched_is_compared_by_bytes(postgresql: str) -> None:
    storage = manager_storage(postgresql)
    await storage.open()
    await storage.close()
    database = Database(postgresql)
    async with database.read() as connection:
        rows = await connection.execute(
            text(
                "SELECT table_name, column_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND data_type = 'character varying'"
                " AND collation_name IS DISTINCT FROM 'C' AND table_name != 'alembic_version'"
            )
        )
        found = rows.all()
    await database.close()

    assert found == []


async def test_a_database_of_a_newer_rostrum_is_refused_and_left_alone(store: str) -> None:
    storage = manager_storage(store)
    await storage.open()
    database = Database(store)
    async with database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(SchemaTooNew, match="9999"):
        await storage.open()
    assert await current_version(database) == "9999"
    await database.close()
    await storage.close()


async def test_an_empty_database_has_no_version(store: str) -> None:
    database = Database(store)
    assert await current_version(database) is None
    await database.close()


async def test_a_server_that_is_away_is_unavailable_and_its_password_stays_secret() -> None:
    storage = manager_storage(f"postgresql://ann:s3cret-word@127.0.0.1:{unused_port()}/rostrum")
    for attempt in (storage.open, storage.ping):
        with pytest.raises(Unavailable) as refusal:
            await attempt()
        told = f"{refusal.value!r} {refusal.value} {refusal.value.__cause__!r} {refusal.value.__cause__}"
        assert "s3cret-word" not in told
    await storage.close()


async def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "rostrum.db"
    path.write_bytes(b"this is not a database " * 100)
    storage = manager_storage(f"sqlite:///{path}")

    with pytest.raises(Unavailable):
        await storage.open()
    await storage.close()


async def test_the_folder_of_a_database_file_is_made(tmp_path: Path) -> None:
    storage = manager_storage(f"sqlite:///{tmp_path}/deep/down/rostrum.db")
    await storage.open()
    await storage.close()

    assert (tmp_path / "deep/down/rostrum.db").is_file()
