"""Migrates a database to the newest version, and decides whether this version can work with a newer one."""

import asyncio
import logging
import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from rostrum import __version__
from rostrum.base.errors import RostrumError
from rostrum.manager.database.engine import Database, Task, lock
from rostrum.manager.database.tables import schema_migrations
from rostrum.manager.errors import Unavailable

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

_log = logging.getLogger(__name__)

HEAD = max(path.name[1:5] for path in Path(__file__).parent.glob("migrations/versions/v[0-9]*.py"))
"""The newest migration."""
_FIRST_RECORDED = "0021"
"""The migration that adds the table of executed migrations."""
_EXECUTED = schema_migrations.name
_CURRENT = "alembic_version"

_REVISION = re.compile(r"(?!0000)[0-9]{4}")
_VERSION = re.compile(r"[0-9]{1,5}(\.[0-9]{1,5}){1,3}((a|b|rc)[0-9]{1,5})?(\.(post|dev)[0-9]{1,5}){0,2}")
_MOST_BYTES = 40
"""Longer than every valid revision and version: of longer values, only the beginning is read."""
_MOST_ROWS = 10_000
_BYTES = {
    # SQLite stores values of any type in any column, and the driver cannot read a text that is not valid UTF-8.
    "sqlite": f"CASE typeof({{0}}) WHEN 'text' THEN hex(substr(CAST({{0}} AS BLOB), 1, {_MOST_BYTES})) END",
    # The conversion to this encoding keeps the bytes as they are.
    "postgresql": f"encode(substring(convert_to(CAST({{0}} AS text), 'SQL_ASCII') FROM 1 FOR {_MOST_BYTES}), 'hex')",
}
"""Reads a column as text, in hexadecimal digits; NULL if it contains something else."""
# undefined_column, undefined_table
_UNDEFINED = ("42703", "42P01")

_LOCK_MILLISECONDS = 400
"""How long a migration waits for the lock of a table. It is shorter than the time after which PostgreSQL looks for
deadlocks and cancels a transaction, which could be a request of another node. All requests wait meanwhile."""
_PAUSE_SECONDS = 0.2
_MIGRATION_SECONDS = 60
# lock_not_available, deadlock_detected
_OCCUPIED = ("55P03", "40P01")


class SchemaTooNew(RostrumError):
    """The database was migrated by a newer version of Rostrum, and this version cannot work with the result."""


class SchemaDamaged(Unavailable):
    """The tables that describe the schema contain something that no version of Rostrum writes.

    Attributes:
        problem: What is wrong. The stored values are not repeated, because they can be anything.
    """

    advice = "restore a backup"

    def __init__(self, table: str, problem: str) -> None:
        self.problem = f"the table {table} of the database is damaged, because {problem}"
        super().__init__(f"{self.problem}: {self.advice}")


class _TablesInUse(Exception):
    """Other transactions use a table that a migration changes."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The state of the tables.

    Attributes:
        migration: The newest migration that was executed; ``None`` if there are no tables.
        version: The version of Rostrum that executed it, if this is known.
        oldest_reader: The oldest migration whose version of Rostrum can work with the tables, if this is known.
    """

    migration: str | None = None
    version: str | None = None
    oldest_reader: str | None = None

    @property
    def is_newer(self) -> bool:
        """Return whether the tables were made by a newer version of Rostrum."""
        return self.migration is not None and self.migration > HEAD

    @property
    def is_usable(self) -> bool:
        """Return whether this version can work with the tables as they are."""
        if self.is_newer:
            return self.oldest_reader is not None and self.oldest_reader <= HEAD
        return self.migration == HEAD

    @property
    def advice(self) -> str:
        """State which version to install to work with newer tables."""
        return f"install Rostrum {self.version} or newer" if self.version else "install a newer version of Rostrum"


async def current_version(database: Database) -> str | None:
    """Read the migration that the database is at; ``None`` if it has no tables."""
    async with database.read() as connection:
        return await connection.run_sync(_version)


async def read_schema(database: Database) -> Schema:
    """Read the state of the tables, with the declarations of newer versions."""
    async with database.read() as connection:
        return await connection.run_sync(_schema)


async def ensure_current(database: Database) -> None:
    """Run the missing migrations; if several managers start at once, one of them runs the migrations.

    A database of a newer version is left as it is, and refused unless its migrations declare that this version can
    work with it.
    """
    schema = await read_schema(database)
    if schema.is_newer:
        _require_usable(schema)
        _log.info("the database is at migration %s, which a newer version of Rostrum made", schema.migration)
    elif schema.migration != HEAD:
        await _migrate(database)


def _require_usable(schema: Schema) -> None:
    if not schema.is_usable:
        raise SchemaTooNew(
            f"the database is at migration {schema.migration}, which Rostrum {__version__} cannot use: {schema.advice}"
        )


async def _migrate(database: Database) -> None:
    """Run the missing migrations; repeat them if requests of other nodes use the tables."""
    until = time.monotonic() + _MIGRATION_SECONDS
    while time.monotonic() < until:
        try:
            await _migrate_once(database)
        except _TablesInUse:
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return
    raise Unavailable(
        "the database cannot be migrated, because other transactions use its tables: end long queries, then try again"
    )


async def _migrate_once(database: Database) -> None:
    async with database.write() as connection:
        await lock(connection, Task.MIGRATION)
        if not database.is_sqlite:
            await connection.execute(text(f"SET LOCAL lock_timeout = {_LOCK_MILLISECONDS}"))
        try:
            await connection.run_sync(_run_missing)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) in _OCCUPIED:
                raise _TablesInUse from error
            raise


def _version(connection: Connection) -> str | None:
    found = inspect(connection)
    if not found.has_table(_CURRENT):
        if found.has_table(_EXECUTED):
            raise SchemaDamaged(_CURRENT, "it does not exist")
        return None
    rows = _texts(connection, _CURRENT, ("version_num",), limit=2)
    if len(rows) != 1:
        raise SchemaDamaged(_CURRENT, "it has several rows" if rows else "it is empty")
    return _revision(_CURRENT, "version_num", rows[0][0])


def _schema(connection: Connection) -> Schema:
    migration = _version(connection)
    if migration is None:
        return Schema()
    is_recorded = inspect(connection).has_table(_EXECUTED)
    if is_recorded != (migration >= _FIRST_RECORDED):
        problem = f"it {'exists' if is_recorded else 'does not exist'} in a database at migration {migration}"
        raise SchemaDamaged(_EXECUTED, problem)
    declared = _declared(connection, migration) if is_recorded else {}
    newer = [revision for revision in declared if revision > HEAD]
    # Without a declaration of the newest migration, nothing is known about the tables.
    if migration <= HEAD or migration not in declared:
        return Schema(migration)
    oldest_reader = max(declared[revision].oldest_reader for revision in newer)
    return Schema(migration, version=declared[migration].version, oldest_reader=oldest_reader)


class _Declaration(NamedTuple):
    """What a migration declared when it was executed; the version is ``None`` if it cannot be one."""

    oldest_reader: str
    version: str | None


def _declared(connection: Connection, migration: str) -> dict[str, _Declaration]:
    """Read the declarations of all executed migrations; damaged ones could be taken for compatible."""
    rows = _texts(connection, _EXECUTED, ("revision", "oldest_reader", "version"), limit=_MOST_ROWS)
    found: dict[str, _Declaration] = {}
    for row in rows:
        revision = _revision(_EXECUTED, "revision", row[0])
        if revision in found:
            raise SchemaDamaged(_EXECUTED, f"it describes migration {revision} twice")
        if revision > migration:
            raise SchemaDamaged(
                _EXECUTED, f"it describes migration {revision}, but the database is at migration {migration}"
            )
        oldest_reader = _revision(_EXECUTED, "oldest_reader", row[1])
        version = row[2] if row[2] is not None and _VERSION.fullmatch(row[2]) else None
        found[revision] = _Declaration(oldest_reader, version)
    return found


def _revision(table: str, column: str, value: str | None) -> str:
    if value is None or not _REVISION.fullmatch(value):
        raise SchemaDamaged(table, f"a value of {column} is not a number of four digits")
    return value


def _texts(connection: Connection, table: str, columns: Sequence[str], *, limit: int) -> list[tuple[str | None, ...]]:
    """Read columns of a table that can be damaged; ``None`` stands for everything that is not text."""
    read = ", ".join(_BYTES[connection.dialect.name].format(column) for column in columns)
    try:
        rows = connection.execute(text(f"SELECT {read} FROM {table} LIMIT {limit}")).all()  # noqa: S608 - all constant
    except DBAPIError as error:
        if _is_undefined(error):
            raise SchemaDamaged(table, "a column is missing") from error
        raise
    return [tuple(map(_decoded, row)) for row in rows]


def _decoded(value: str | None) -> str | None:
    # Characters that replace invalid ones are not accepted anywhere.
    return None if value is None else bytes.fromhex(value).decode(errors="replace")


def _is_undefined(error: DBAPIError) -> bool:
    """Return whether a statement refers to a column that does not exist; SQLite has no special code for this."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_ERROR or getattr(error.orig, "sqlstate", None) in _UNDEFINED


def _run_missing(connection: Connection) -> None:
    # Another node can have migrated the database meanwhile.
    schema = _schema(connection)
    if schema.is_newer:
        _require_usable(schema)
        return
    # Alembic takes a tenth of a second to import, and most starts have nothing to migrate.
    from alembic.runtime.environment import EnvironmentContext

    scripts = _scripts()

    def missing(version: Any, _context: Any) -> Any:
        return scripts._upgrade_revs("head", version)  # noqa: SLF001 - the public command would read every file again

    config = _config()
    config.attributes["connection"] = connection
    with EnvironmentContext(config, scripts, fn=missing):
        scripts.run_env()


@cache
def _scripts() -> "ScriptDirectory":
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config())


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "rostrum.manager.database:migrations")
    config.set_main_option("path_separator", "os")
    return config
