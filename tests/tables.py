"""Databases that have their tables from the start: migrations are tested elsewhere, and take long."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from rostrum.manager.topics import manager_storage

_SQLITE = "sqlite:///"
_COPY = "STRATEGY FILE_COPY"
_TABLES = "tables"
_ready: dict[str, bytes] = {}
"""SQLite databases to copy, by what they contain: what the migrations make of an empty one, or what tests add."""
_templates: dict[tuple[str, str], str] = {}
"""PostgreSQL databases to copy, by their server and what they contain."""
_spare: dict[str, list[str]] = {}
"""The empty databases of each PostgreSQL server that no test uses."""
_used: dict[str, list[str]] = {}
"""The databases of each PostgreSQL server that tests have used: the next connection to the server removes them."""
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
        await _add_to_postgresql(store, _TABLES, _migrate)
    else:
        await add_content(store, _TABLES, _migrate)


def add_tables_at_once(store: str) -> None:
    """Put the newest tables into a database, from code that cannot wait; a loop may be running."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, add_tables(store)).result()


async def add_content(store: str, name: str, add: Callable[[str], Awaitable[None]]) -> None:
    """Add content to a database; it is added once for each name, and copied to databases without any tables."""
    if not is_sqlite(store):
        if not await _add_to_postgresql(store, name, add):
            await add(store)
    elif not _copy(path := Path(store.removeprefix(_SQLITE)), name):
        await add(store)
        _ready[name] = await asyncio.to_thread(path.read_bytes)


@contextmanager
def empty_database(server: str) -> Iterator[str]:
    """Provide an empty database on a PostgreSQL server; its address. Most need no connection: one is there already."""
    if spare := _spare.get(server):
        name = spare.pop()
    else:
        name = _new_name()
        asyncio.run(_execute(server, f"CREATE DATABASE {name} {_COPY}"))
    yield server.replace("/postgres?", f"/{name}?")
    _used.setdefault(server, []).append(name)


def _copy(path: Path, name: str) -> bool:
    """Write a file with some content, if one is known; return whether there is a file now."""
    if not path.exists() and name in _ready:
        # Readable by its owner alone, like one that a server makes.
        path.touch(mode=0o600)
        path.write_bytes(_ready[name])
    return path.exists()


async def _add_to_postgresql(store: str, content: str, add: Callable[[str], Awaitable[None]]) -> bool:
    """Copy or add content to a database without tables; return False for others, which are left alone."""
    connection = await asyncpg.connect(store)
    try:
        has_tables, is_untouched = await connection.fetchrow(_STATE)
    finally:
        await connection.close()
    if has_tables:
        return False
    server, name = _server(store)
    if template := _templates.get((server, content)):
        spare = _new_name()
        leaving = f"ALTER DATABASE {name} RENAME TO {spare}" if is_untouched else f"DROP DATABASE {name}"
        # Copying files takes a third of the time that the statements of all tables take.
        await _execute(server, leaving, f"CREATE DATABASE {name} TEMPLATE {template} {_COPY}")
        if is_untouched:
            _spare.setdefault(server, []).append(spare)
        return True
    await add(store)
    # Only the owner of a server may make databases.
    if urlsplit(store).username == "postgres":
        template = _new_name()
        await _execute(server, f"CREATE DATABASE {template} TEMPLATE {name} {_COPY}")
        _templates[server, content] = template
    return True


def _server(store: str) -> tuple[str, str]:
    """Return the address of the first database of a server, and the name of the given one."""
    name = urlsplit(store).path.removeprefix("/")
    return store.replace(f"/{name}?", "/postgres?"), name


def _new_name() -> str:
    return f"test_{secrets.token_hex(8)}"


async def _execute(server: str, *statements: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        for name in _used.pop(server, []):
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def _migrate(store: str) -> None:
    storage = manager_storage(store)
    await storage.open()
    await storage.close()
