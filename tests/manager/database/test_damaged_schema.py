"""The tables that describe the schema can contain anything; what no version wrote is refused and never understood."""

import asyncio
import re
from pathlib import Path

import pytest

from rostrum import __version__
from rostrum.manager.database.schema import HEAD, SchemaDamaged, SchemaTooNew
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from tests.end_to_end.processes import run
from tests.end_to_end.test_serve import environment_of
from tests.manager.database.test_schema import NEWEST, execute
from tests.tables import add_tables

NEWER = f"UPDATE alembic_version SET version_num = '{NEWEST}'"
CURRENT = "the table alembic_version of the database is damaged, because "
EXECUTED = "the table schema_migrations of the database is damaged, because "
NO_REVISION = f"{CURRENT}a value of version_num is not a number of four digits"
NO_READER = f"{EXECUTED}a value of oldest_reader is not a number of four digits"
NO_MIGRATION = f"{EXECUTED}a value of revision is not a number of four digits"
MISSING = "a column is missing"
CONTROL = "\x1b[2J"


def loose(oldest_reader: str) -> tuple[str, ...]:
    """Replace the table by one without constraints, and store a value of any type as the oldest reader."""
    return (
        NEWER,
        "DROP TABLE schema_migrations",
        f"CREATE TABLE schema_migrations AS SELECT '{NEWEST}' AS revision, {oldest_reader} AS oldest_reader,"
        " '0.9.0' AS version",
    )


def declared(oldest_reader: str, version: str = "0.9.0") -> tuple[str, ...]:
    return NEWER, f"INSERT INTO schema_migrations VALUES ('{NEWEST}', '{oldest_reader}', '{version}')"


def current(value: str) -> tuple[str, ...]:
    return (f"UPDATE alembic_version SET version_num = '{value}'",)


READERS = ("", " ", "-1", "21", "00021", "+021", "002\u0661", "0000", "0021\n", " 0021", "002x", "9" * 100_000, CONTROL)
DAMAGES: dict[str, tuple[tuple[str, ...], str]] = {
    **{f"the oldest reader is {reader[:9]!r}": (declared(reader), NO_READER) for reader in READERS},
    "the oldest reader is missing": (loose("CAST(NULL AS varchar(9))"), NO_READER),
    "the oldest reader is a number": (loose("21"), NO_READER),
    "the oldest reader of a known migration is invalid": (
        ("UPDATE schema_migrations SET oldest_reader = '-1'",),
        NO_READER,
    ),
    "a migration is no number": (("INSERT INTO schema_migrations VALUES ('002x', '0021', '0.9.0')",), NO_MIGRATION),
    "a later migration is described": (
        (f"INSERT INTO schema_migrations VALUES ('{NEWEST}', '{HEAD}', '0.9.0')",),
        f"{EXECUTED}it describes migration {NEWEST}, but the database is at migration {HEAD}",
    ),
    "a migration is described twice": (
        (*loose(f"'{HEAD}'"), "INSERT INTO schema_migrations SELECT * FROM schema_migrations"),
        f"{EXECUTED}it describes migration {NEWEST} twice",
    ),
    "a declaration has no column": (
        (NEWER, "ALTER TABLE schema_migrations DROP COLUMN oldest_reader"),
        EXECUTED + MISSING,
    ),
    "no migration is described": (("DROP TABLE schema_migrations",), f"{EXECUTED}it does not exist in a database at"),
    "the table is too early": (current("0020"), f"{EXECUTED}it exists in a database at migration 0020"),
    "there is no migration": (("DELETE FROM alembic_version",), f"{CURRENT}it is empty"),
    "there are several migrations": (
        (f"INSERT INTO alembic_version VALUES ('{NEWEST}')",),
        f"{CURRENT}it has several rows",
    ),
    "the table of the migration is missing": (("DROP TABLE alembic_version",), f"{CURRENT}it does not exist"),
    "the column of the migration is missing": (
        ("ALTER TABLE alembic_version RENAME COLUMN version_num TO number",),
        CURRENT + MISSING,
    ),
    **{
        f"the migration is {value!r}": (current(value), NO_REVISION)
        for value in ("", "0020x", "20", "00210", "0000", "002\u0661", CONTROL)
    },
}
ON_SQLITE: dict[str, tuple[tuple[str, ...], str]] = {
    "the oldest reader is binary": (declared("")[:1] + loose("CAST('0021' AS BLOB)")[1:], NO_READER),
    "the oldest reader has a further part": (loose("CAST(X'3030323100FF' AS TEXT)"), NO_READER),
    "the oldest reader is invalid UTF-8": (loose("CAST(X'FFFE3231' AS TEXT)"), NO_READER),
    "the migration is binary": (("UPDATE alembic_version SET version_num = X'30303231'",), NO_REVISION),
    "the migration is invalid UTF-8": (("UPDATE alembic_version SET version_num = CAST(X'FF' AS TEXT)",), NO_REVISION),
    "the migration is huge": (
        ("UPDATE alembic_version SET version_num = hex(zeroblob(2000000))",),
        NO_REVISION,
    ),
}
ON_POSTGRESQL: dict[str, tuple[tuple[str, ...], str]] = {
    "the oldest reader is binary": (loose("'\\x30303231'::bytea"), NO_READER),
    "the migration is binary": (
        ("ALTER TABLE alembic_version ALTER COLUMN version_num TYPE bytea USING version_num::bytea",),
        NO_REVISION,
    ),
}


async def refusal_of(storage: Storage) -> str:
    with pytest.raises(SchemaDamaged) as refusal:
        await storage.schema()
    with pytest.raises(SchemaDamaged) as again:
        await storage.open()
    await storage.close()
    assert str(again.value) == str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize("damage", [*DAMAGES, *ON_SQLITE])
async def test_a_damaged_file_is_refused_with_the_advice_to_restore_a_backup(sqlite: str, damage: str) -> None:
    statements, message = (DAMAGES | ON_SQLITE)[damage]
    await add_tables(sqlite)
    await execute(sqlite, *statements)

    refusal = await refusal_of(manager_storage(sqlite))

    assert refusal.startswith(message)
    assert refusal.endswith(": restore a backup")
    assert len(refusal) < 200
    assert refusal.isprintable()


@pytest.mark.long
async def test_a_damaged_database_on_a_server_is_refused_in_the_same_way(postgresql: str) -> None:
    await add_tables(postgresql)
    await execute(postgresql, "CREATE TABLE kept AS TABLE schema_migrations")
    for damage, (statements, message) in (DAMAGES | ON_POSTGRESQL).items():
        await execute(postgresql, "ALTER TABLE alembic_version ALTER COLUMN version_num TYPE text", *statements)
        assert (await refusal_of(manager_storage(postgresql))).startswith(message), damage
        await execute(
            postgresql,
            "DROP TABLE IF EXISTS alembic_version, schema_migrations",
            f"CREATE TABLE alembic_version AS SELECT '{HEAD}'::text AS version_num",
            "CREATE TABLE schema_migrations AS TABLE kept",
        )
    storage = manager_storage(postgresql)
    await storage.open()
    await storage.close()


@pytest.mark.parametrize("version", ["", "9" * 100_000, f"1.0{CONTROL}", "the newest", "1.0\n"])
async def test_a_version_that_cannot_be_one_is_not_repeated(store: str, version: str) -> None:
    await add_tables(store)
    await execute(store, *declared(NEWEST, version))
    storage = manager_storage(store)

    with pytest.raises(SchemaTooNew) as refusal:
        await storage.open()

    await storage.close()
    assert str(refusal.value).endswith(f"Rostrum {__version__} cannot use: install a newer version of Rostrum")


@pytest.mark.parametrize("version", ["0.2.0", "1.10.0.dev0", "1.0.0rc1"])
async def test_a_version_is_repeated(sqlite: str, version: str) -> None:
    await add_tables(sqlite)
    await execute(sqlite, *declared(NEWEST, version))
    storage = manager_storage(sqlite)

    assert (await storage.schema()).advice == f"install Rostrum {version} or newer"
    await storage.close()


@pytest.mark.long
async def test_commands_state_the_damage_in_one_line(sqlite: str, tmp_path: Path) -> None:
    await add_tables(sqlite)
    await execute(sqlite, *declared("-1"))

    for command in ("serve", "migrate", "doctor"):
        done = await asyncio.to_thread(run, "manager", command, cwd=tmp_path, **environment_of(sqlite))
        said = done.stdout + done.stderr
        assert (done.returncode, "Traceback" in said, "does not respond" in said) == (1, False, False), said
        assert re.search(f"{NO_READER}.*restore a backup", " ".join(said.split())), said
