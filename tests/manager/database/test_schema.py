"""A database of a newer version is used if its migrations declare that this version can, and refused otherwise."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from rostrum import __version__
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.database.engine import Database
from rostrum.manager.database.schema import HEAD, SchemaTooNew, read_schema
from rostrum.manager.errors import Conflict, Unavailable
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.transfer.service import TransferService
from tests.end_to_end.processes import run
from tests.end_to_end.test_serve import environment_of
from tests.manager.database.test_upgrade import upgrade
from tests.tables import add_tables

NEWEST = "9002"
SUPPORTED = (("9001", HEAD, "0.8.0"), (NEWEST, HEAD, "0.9.0"))
UNSUPPORTED = (("9001", "9001", "0.8.0"), (NEWEST, HEAD, "0.9.0"))


async def execute(store: str, *statements: str) -> None:
    database = Database(store)
    async with database.write() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await database.close()


async def migrated_by_newer(store: str, declared: Iterable[tuple[str, str, str]]) -> Storage:
    """Leave a database as newer versions with these migrations would."""
    await add_tables(store)
    rows = [f"INSERT INTO schema_migrations VALUES {row}" for row in declared]
    await execute(store, f"UPDATE alembic_version SET version_num = '{NEWEST}'", *rows)
    return manager_storage(store)


async def test_executed_migrations_are_recorded_with_their_declarations(store: str) -> None:
    storage = manager_storage(store)
    await storage.open()
    await storage.close()
    database = Database(store)
    async with database.read() as connection:
        rows = (await connection.execute(text("SELECT * FROM schema_migrations ORDER BY revision"))).all()
    await database.close()

    assert rows[0] == ("0021", "0021", __version__)
    assert rows[-1].revision == HEAD


async def test_a_newer_database_that_supports_this_version_is_used_and_not_changed(
    store: str, caplog: pytest.LogCaptureFixture
) -> None:
    storage = await migrated_by_newer(store, SUPPORTED)
    with caplog.at_level(logging.INFO):
        await storage.open()

    async with storage.write("ann") as work:
        assert work.revision == 1
    assert await storage.version() == NEWEST
    assert (await storage.schema()).is_usable
    assert f"the database is at migration {NEWEST}, which a newer version of Rostrum made" in caplog.text
    await storage.close()


@pytest.mark.parametrize(
    ("declared", "advice"),
    [
        (UNSUPPORTED, "install Rostrum 0.9.0 or newer"),
        (SUPPORTED[:1], "install a newer version of Rostrum"),
        ((), "install a newer version of Rostrum"),
    ],
    ids=["one migration does not support it", "the newest migration is unknown", "no migration is known"],
)
async def test_other_newer_databases_are_refused_with_the_version_to_install(
    sqlite: str, declared: tuple[tuple[str, str, str], ...], advice: str
) -> None:
    storage = await migrated_by_newer(sqlite, declared)

    with pytest.raises(SchemaTooNew) as refusal:
        await storage.open()

    assert str(refusal.value) == (
        f"the database is at migration {NEWEST}, which Rostrum {__version__} cannot use: {advice}"
    )
    assert await storage.version() == NEWEST
    await storage.close()


@pytest.mark.long
async def test_the_command_states_in_one_line_that_a_newer_database_is_refused(sqlite: str) -> None:
    storage = await migrated_by_newer(sqlite, UNSUPPORTED)
    await storage.close()

    for command in ("serve", "migrate"):
        done = await asyncio.to_thread(run, "manager", command, **environment_of(sqlite))
        last = done.stderr.splitlines()[-1]
        assert (done.returncode, "install Rostrum 0.9.0 or newer" in last) == (1, True), done.stderr
        assert "Traceback" not in done.stderr


async def test_exports_and_imports_are_refused_because_newer_tables_would_be_omitted(sqlite: str) -> None:
    storage = await migrated_by_newer(sqlite, SUPPORTED)
    await storage.open()
    service = TransferService(storage)

    async def nothing() -> AsyncIterator[bytes]:
        yield b""

    with pytest.raises(Conflict, match=f"the export would omit data.*{NEWEST}.*install Rostrum 0.9.0 or newer"):
        await service.export(SYSTEM)
    with pytest.raises(Conflict, match="the import would omit data"):
        await service.import_file(SYSTEM, nothing(), dry_run=False)
    await storage.close()


@pytest.mark.long
async def test_the_commands_for_exports_and_imports_are_refused_too(sqlite: str, tmp_path: Path) -> None:
    storage = await migrated_by_newer(sqlite, SUPPORTED)
    await storage.close()
    backup = tmp_path / "backup.export"
    done = await asyncio.to_thread(run, "manager", "export", str(backup), **environment_of(sqlite))
    assert (done.returncode, backup.exists()) == (1, False)
    assert "the export would omit data" in done.stderr
    (tmp_path / "other.export").write_text("")
    done = await asyncio.to_thread(run, "manager", "import", f"{tmp_path}/other.export", **environment_of(sqlite))
    assert (done.returncode, "the import would omit data" in done.stderr) == (1, True)


@asynccontextmanager
async def using(database: Database, table: str) -> AsyncIterator[None]:
    """Keep a transaction open that has read a table, as a long query of another node would."""
    async with database.read() as connection:
        await connection.execute(text(f"SELECT count(*) FROM {table}"))
        yield


async def is_waiting(database: Database) -> bool:
    async with database.read() as connection:
        return bool(await connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))


def before_service_accounts(connection: Connection) -> None:
    upgrade(connection, "0014")


@pytest.mark.long
async def test_a_migration_that_waits_for_a_table_does_not_stop_the_requests_of_other_nodes(postgresql: str) -> None:
    database = Database(postgresql)
    async with database.write() as connection:
        await connection.run_sync(before_service_accounts)
    storage = manager_storage(postgresql)

    # The next migration adds a column to this table.
    async with using(database, "users"):
        opening = asyncio.create_task(storage.open())
        async with asyncio.timeout(30):
            while not await is_waiting(database):
                pass
            # These requests follow the migration in the queue for the table.
            for _ in range(3):
                async with using(database, "users"):
                    pass
        assert not opening.done()
    await opening

    assert await storage.version() == HEAD
    await storage.close()
    await database.close()


async def test_a_migration_ends_with_a_clear_error_if_the_tables_stay_in_use(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rostrum.manager.database.schema._MIGRATION_SECONDS", 0.1)
    database = Database(postgresql)
    async with database.write() as connection:
        await connection.run_sync(before_service_accounts)
    storage = manager_storage(postgresql)

    async with using(database, "users"):
        with pytest.raises(Unavailable, match="other transactions use its tables: end long queries, then try again"):
            await storage.open()

    assert (await read_schema(database)).migration == "0014"
    await storage.close()
    await database.close()
