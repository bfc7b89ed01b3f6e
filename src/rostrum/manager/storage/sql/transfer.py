"""The whole database as lines of JSON, and back into an empty one."""

import base64
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.base.errors import Invalid
from rostrum.base.json_text import dump, parse
from rostrum.manager.storage.sql.engine import Database
from rostrum.manager.storage.sql.schema import HEAD
from rostrum.manager.storage.sql.tables import Instant, announcements, metadata, users

__all__ = ["Progress", "export_lines", "import_lines"]

FORM = 1
_BATCH = 500

Progress = Callable[[int, int], None]
"""Told how many rows are done, and how many there are."""

# Announcements are only for those who listen at this moment.
_TABLES = tuple(table for table in metadata.sorted_tables if table is not announcements)


async def export_lines(database: Database, progress: Progress) -> AsyncIterator[bytes]:
    """Yield a line that says what follows, a line for each row, and one that proves that nothing is missing."""
    digest = hashlib.sha256()
    async with database.read() as connection:
        counts = {str(table.name): await _count(connection, table) for table in _TABLES}
        total, done = sum(counts.values()), 0
        yield _line({"rostrum": FORM, "schema": HEAD, "rows": counts}, digest)
        for table in _TABLES:
            async with connection.stream(select(table)) as rows:
                async for row in rows.mappings():
                    values = {str(name): _out(value) for name, value in row.items()}
                    yield _line({"table": str(table.name), "row": values}, digest)
                    done += 1
                    if done % _BATCH == 0:
                        progress(done, total)
    progress(total, total)
    yield dump({"end": digest.hexdigest()}) + b"\n"


async def import_lines(database: Database, lines: Iterable[bytes], progress: Progress) -> int:
    """Put everything into an empty database, all or nothing; return the number of rows."""
    read = _Lines(lines)
    total: int = read.total
    async with database.write() as connection:
        if await _count(connection, users):
            raise Invalid("the database is not empty: import into a new one")
        for table in reversed(_TABLES):
            await connection.execute(table.delete())
        for table, rows in read.batches():
            await connection.execute(table.insert(), rows)
            progress(read.done, total)
        if read.done != total:
            raise Invalid(f"the file says that it holds {total} rows, but holds {read.done}")
    return total


class _Lines:
    """Reads the lines of an export, checking each."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._digest = hashlib.sha256()
        head = self._next()
        if not isinstance(head, dict) or head.get("rostrum") != FORM:
            raise Invalid("the file is not an export of a Rostrum manager")
        if head.get("schema") != HEAD:
            message = (
                f"the export was made by a manager whose database is at {head.get('schema')}, this one is at {HEAD}"
            )
            raise Invalid(f"{message}: use the same version for both, and update afterwards")
        self.total: int = sum(head["rows"].values())
        self.done = 0

    def batches(self) -> Iterable[tuple[Table, list[dict[str, Any]]]]:
        """Yield rows of one table at a time, a few hundred together."""
        waiting: list[dict[str, Any]] = []
        current: Table | None = None
        while True:
            expected = self._digest.hexdigest()
            entry = self._next()
            if "end" in entry:
                if entry["end"] != expected:
                    raise Invalid("the file was changed after it was written: its digest differs")
                break
            table = metadata.tables.get(entry.get("table", ""))
            if table is None or not isinstance(entry.get("row"), dict):
                raise Invalid(f"row {self.done + 1} of the file cannot be understood")
            if waiting and (table is not current or len(waiting) >= _BATCH):
                assert current is not None  # noqa: S101 - rows wait only for a table
                yield current, waiting
                waiting = []
            current = table
            waiting.append(_in(table, entry["row"]))
            self.done += 1
        if waiting and current is not None:
            yield current, waiting

    def _next(self) -> Any:
        line = next(self._lines, None)
        if line is None:
            raise Invalid("the file ends too early: it was cut off")
        self._digest.update(line)
        return parse(line)


def _line(value: Any, digest: Any) -> bytes:
    line = dump(value) + b"\n"
    digest.update(line)
    return line


async def _count(connection: AsyncConnection, table: Table) -> int:
    return int(await connection.scalar(select(func.count()).select_from(table)) or 0)


def _out(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _in(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    if set(row) != set(table.columns.keys()):
        raise Invalid(f"a row of {table.name} has other columns than this version knows")
    return {name: _read(table.columns[name].type, value) for name, value in row.items()}


def _read(kind: Any, value: Any) -> Any:
    try:
        if value is not None and isinstance(kind, Instant):
            return datetime.fromisoformat(value)
        if value is not None and isinstance(kind, LargeBinary):
            return base64.b64decode(value, validate=True)
    except (TypeError, ValueError) as error:
        raise Invalid(f"a value of the file cannot be read: {error}") from error
    return value
