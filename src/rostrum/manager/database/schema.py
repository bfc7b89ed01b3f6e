"""Migrates a database to the newest version, and decides whether this version can work with a newer one."""

import asyncio
import logging
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, select, text
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

HEAD = "0021"
"""The newest migration; a test compares it with the folder of migrations."""

_LOCK_MILLISECONDS = 400
"""How long a migration waits for the lock of a table. It is shorter than the time after which PostgreSQL looks for
deadlocks and cancels a transaction, which could be a request of another node. All requests wait meanwhile."""
_PAUSE_SECONDS = 0.2
_MIGRATION_SECONDS = 60
# lock_not_available, deadlock_detected
_OCCUPIED = ("55P03", "40P01")


class SchemaTooNew(RostrumError):
    """The database was migrated by a newer version of Rostrum, and this version cannot work with the result."""


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
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _schema(connection: Connection) -> Schema:
    migration = _version(connection)
    if migration is None or migration <= HEAD or not inspect(connection).has_table(schema_migrations.name):
        return Schema(migration)
    newer = schema_migrations.c.revision > HEAD
    rows = connection.execute(select(schema_migrations).where(newer).order_by(schema_migrations.c.revision)).all()
    # Without a declaration of the newest migration, nothing is known about the tables.
    if not rows or rows[-1].revision != migration:
        return Schema(migration)
    return Schema(migration, version=rows[-1].version, oldest_reader=max(row.oldest_reader for row in rows))


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
