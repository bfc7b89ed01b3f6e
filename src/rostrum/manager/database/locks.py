"""Tasks that one node at a time does: held in the database, let go with the transaction."""

from enum import IntEnum

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection


class Task(IntEnum):
    """What must not be done twice at once; any numbers will do, as long as every manager uses the same."""

    MIGRATION = 7_286_743_001
    PURGE = 7_286_743_002


async def lock(connection: AsyncConnection, task: Task) -> None:
    """Wait until no other node is busy with a task."""
    if _has_locks(connection):
        await connection.execute(text("SELECT pg_advisory_xact_lock(:task)"), {"task": task})


async def try_lock(connection: AsyncConnection, task: Task) -> bool:
    """Say whether no other node is busy with a task."""
    if not _has_locks(connection):
        return True
    return bool(await connection.scalar(text("SELECT pg_try_advisory_xact_lock(:task)"), {"task": task}))


def _has_locks(connection: AsyncConnection) -> bool:
    # SQLite lets in one writer at a time anyway.
    return connection.dialect.name == "postgresql"
