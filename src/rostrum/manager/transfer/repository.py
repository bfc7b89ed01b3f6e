"""Exports all data as lines of JSON, and imports them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from sqlalchemy import Table, and_, exists, func, or_, select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.base.errors import Invalid
from rostrum.manager.database import tables
from rostrum.manager.database.engine import Database
from rostrum.manager.database.transaction import Repository
from rostrum.manager.files.file_place import FilePlace
from rostrum.manager.files.repository import CHUNK
from rostrum.manager.transfer.lines import BATCH, Batch, Incoming, Outgoing, exported_tables
from rostrum.manager.transfer.rows import to_json

Progress = Callable[[int, int], None]
"""Receives the number of finished rows, and their total."""

_CHUNKS = str(tables.file_chunks.name)
_CONTENT = (
    tables.apps,
    tables.layouts,
    tables.preferences,
    tables.config_files,
    tables.commands,
    tables.command_runs,
    tables.crashes,
    tables.crash_groups,
    tables.feedback,
)
_COUNTERS = (tables.revision, tables.audit_head)
"""Tables whose rows are updated in place, because writers wait for their locks."""

_START = "start"
"""The operation with which the first start creates users."""


async def export_lines(database: Database, place: FilePlace | None, progress: Progress) -> AsyncIterator[bytes]:
    """Yield a header line, a line for each row, and a line with which completeness can be verified.

    Files that are stored outside the database are exported as if they were in the database.
    """
    out = Outgoing()
    async with database.read() as connection:
        counts = {str(table.name): await _count(connection, table) for table in exported_tables().values()}
        outside = [] if place is None else await _outside(connection, place)
        counts[_CHUNKS] += sum(pieces for _, pieces in outside)
        total, done = sum(counts.values()), 0
        yield out.head(counts)
        async for table, values in _rows(connection, place, outside):
            yield out.row(table, values)
            done += 1
            if done % BATCH == 0:
                progress(done, total)
    progress(total, total)
    yield out.end()


async def import_lines(database: Database, lines: Iterable[bytes], progress: Progress) -> int:
    """Import all data into an empty database, all or nothing; return the number of rows."""
    read = await asyncio.to_thread(Incoming, lines)
    async with database.write() as connection:
        if await _count(connection, tables.users):
            raise Invalid("the database is not empty: import into a new database")
        await _replace_everything(connection, read, progress)
    return read.total


class Transfer(Repository):
    """Export and import in one transaction."""

    async def is_in_use(self) -> bool:
        """Return whether the database contains more than a first start creates."""
        by_hand = exists().where(tables.history.c.operation != _START)
        content = (exists(select(table)) for table in _CONTENT)
        return bool(await self._connection.scalar(select(or_(by_hand, *content))))

    async def replace_everything(self, read: Incoming) -> None:
        """Replace all rows with those of an export, including the revision counter."""
        await _replace_everything(self._connection, read, lambda _done, _total: None)


async def _replace_everything(connection: AsyncConnection, read: Incoming, progress: Progress) -> None:
    """Replace all rows with those of an export, including the revision counter."""
    before = {row.id: row.value for row in await connection.execute(select(tables.revision))}
    for table in reversed(exported_tables().values()):
        if table not in _COUNTERS:
            await connection.execute(table.delete())
    # The imported users have not signed in to this server.
    await connection.execute(tables.known_addresses.delete())
    batches = read.batches()
    while (batch := await asyncio.to_thread(next, batches, None)) is not None:
        await _insert(connection, batch, before)
        progress(read.done, read.total)


async def _insert(connection: AsyncConnection, batch: Batch, before: dict[int, int]) -> None:
    rows = batch.rows
    if batch.table is tables.revision:
        # The content versions must increase, so that cached responses become invalid.
        rows = [{**row, "value": row["value"] + (before.get(row["id"], 0) if row["id"] > 1 else 0)} for row in rows]
    try:
        if batch.table in _COUNTERS:
            await _set_counters(connection, batch.table, rows)
        else:
            await connection.execute(batch.table.insert(), rows)
    except (InterfaceError, OperationalError):
        raise
    except (DBAPIError, StatementError) as error:
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            raise
        raise Invalid(f"rows of {batch.table.name} cannot be stored: they conflict with each other") from error


async def _set_counters(connection: AsyncConnection, table: Table, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        changed = await connection.execute(table.update().where(table.c.id == row["id"]).values(row))
        if not changed.rowcount:
            await connection.execute(table.insert().values(row))


async def _rows(
    connection: AsyncConnection, place: FilePlace | None, outside: list[tuple[str, int]]
) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    for table in exported_tables().values():
        async with connection.stream(select(table)) as rows:
            async for row in rows.mappings():
                yield str(table.name), to_json(row)
    for file_id, pieces in outside:
        for number in range(pieces):
            data = await place.piece(file_id, number * CHUNK, CHUNK) if place is not None else None
            if not data:
                raise Invalid(f"the file {file_id} of a report was deleted during the export: export again")
            yield _CHUNKS, to_json({"file_id": file_id, "number": number, "data": data})


async def _outside(connection: AsyncConnection, place: FilePlace) -> list[tuple[str, int]]:
    """Find the files that are stored outside the database, with the number of their chunks."""
    file, chunk = tables.files.c, tables.file_chunks.c
    statement = select(file.id, file.size).where(and_(file.size > 0, ~exists().where(chunk.file_id == file.id)))
    rows = (await connection.execute(statement)).all()
    # A missing file is lost, but must not prevent the export.
    return [(row.id, -(-row.size // CHUNK)) for row in rows if await place.piece(row.id, 0, 1)]


async def _count(connection: AsyncConnection, table: Table) -> int:
    return int(await connection.scalar(select(func.count()).select_from(table)) or 0)
