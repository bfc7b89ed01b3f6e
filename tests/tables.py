"""Databases that have their tables from the start: migrations are tested elsewhere, and take long."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from rostrum.manager.storage import Storage

_SQLITE = "sqlite:///"
_TEMPLATE = "with_tables"
_COPY = "STRATEGY FILE_COPY"
_TABLES = "tables"
_ready: dict[str, bytes] = {}
"""SQLite databases to copy, by what they contain: what the migrations make of an empty one, or what tests add."""
_with_template: set[str] = set()
"""The PostgreSQL servers that have a database to copy."""
_spare: dict[str, list[str]] = {}
"""The empty databases of each PostgreSQL server that no test uses any more."""
_STATE = """
SELECT to_regclass('alembic_version') IS NOT NULL AS has_tables,
    NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_db_role_setting JOIN pg_database ON oid = setdatabase
        WHERE datname = current_database()) AS is_untouched
"""


def is_sqlite(store: str) -> bool:
    """Return whether a database is a file."""
    return store.startswith(_SQLITE)


async def add_tables(store: str) -> None:
    """Put the newest tables into a database that is empty or does not exist yet; others are left alone."""
    if not is_sqlite(store):
        await _add_to_postgresql(store)
    else:
        await add_content(store, _TABLES, _migrate)


async def add_content(store: str, name: str, add: Callable[[str], Awaitable[None]]) -> None:
    """Add content to a database; for SQLite it is added once for each name, and copied if there is no file yet."""
    if not is_sqlite(store):
        await add(store)
    elif not _copy(path := Path(store.removeprefix(_SQLITE)), name):
        await add(store)
        _ready[name] = await asyncio.to_thread(path.read_bytes)


async def make_empty(server: str, name: str) -> None:
    """Make an empty database on a PostgreSQL server: renaming one takes a fraction of the time that copying takes."""
    spare = _spare.get(server)
    making = f"ALTER DATABASE {spare.pop()} RENAME TO {name}" if spare else f"CREATE DATABASE {name} {_COPY}"
    await _execute(server, making)


def _copy(path: Path, name: str) -> bool:
    """Write a file with some content, if one is known; return whether there is a file now."""
    if not path.exists() and name in _ready:
        # Readable by its owner alone, like one that a server makes.
        path.touch(mode=0o600)
        path.write_bytes(_ready[name])
    return path.exists()


async def _add_to_postgresql(store: str) -> None:
    connection = await asyncpg.connect(store)
    try:
        has_tables, is_untouched = await connection.fetchrow(_STATE)
    finally:
        await connection.close()
    if has_tables:
        return
    server, name = _server(store)
    if server in _with_template:
        spare = f"spare_{secrets.token_hex(8)}"
        leaving = f"ALTER DATABASE {name} RENAME TO {spare}" if is_untouched else f"DROP DATABASE {name}"
        # Copying files takes a third of the time that the statements of all tables take.
        await _execute(server, leaving, f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} {_COPY}")
        if is_untouched:
            _spare.setdefault(server, []).append(spare)
        return
    await _migrate(store)
    if urlsplit(store).username != "postgres":
        # Only the owner of a server may make databases.
        return
    await _execute(server, f"CREATE DATABASE {_TEMPLATE} TEMPLATE {name} {_COPY}")
    _with_template.add(server)


def _server(store: str) -> tuple[str, str]:
    """Return the address of the first database of a server, and the name of the given one."""
    name = urlsplit(store).path.removeprefix("/")
    return store.replace(f"/{name}?", "/postgres?"), name


async def _execute(server: str, *statements: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def _migrate(store: str) -> None:
    storage = Storage(store)
    await storage.open()
    await storage.close()
