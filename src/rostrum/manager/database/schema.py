"""Migrates a database to the newest version, if necessary."""

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text

from rostrum.base.errors import RostrumError
from rostrum.manager.database.engine import Database, Task, lock

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory


HEAD = "0020"
"""The newest migration; a test compares it with the folder of migrations."""


class SchemaTooNew(RostrumError):
    """The database was migrated by a newer version of Rostrum."""


async def current_version(database: Database) -> str | None:
    """Read the migration that the database is at; ``None`` if it has no tables."""
    async with database.read() as connection:
        return await connection.run_sync(_version)


async def ensure_current(database: Database) -> None:
    """Run the missing migrations; if several managers start at once, one of them runs the migrations."""
    if await current_version(database) == HEAD:
        return
    async with database.write() as connection:
        await lock(connection, Task.MIGRATION)
        await connection.run_sync(_migrate)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _migrate(connection: Connection) -> None:
    # Alembic takes a tenth of a second to import, and most starts have nothing to migrate.
    from alembic.runtime.environment import EnvironmentContext

    scripts = _scripts()
    found = _version(connection)
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise SchemaTooNew(
            f"the database is at migration {found}, which this version of Rostrum does not know: use a newer version"
        )

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
