"""Writes the lines of an export, and checks them at the import: complete, unmodified, same version, limited size."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, BinaryIO

from msgspec import Struct
from sqlalchemy import Table

from rostrum.base.errors import Invalid
from rostrum.base.json_text import dump, parse
from rostrum.manager.database.schema import HEAD
from rostrum.manager.database.tables import announcements, known_addresses, metadata, schema_migrations
from rostrum.manager.transfer.rows import from_json

BATCH = 500
_FORM = 1
_LONGEST_LINE = 256 * 1024 * 1024
_BATCH_BYTES = 4 * 1024 * 1024
_MOST_ELEMENTS = 1000
"""The maximum number of elements in a line: the columns of a row, or a count for each table."""
_NO_EXPORT = "the file is not an export of a Rostrum manager"

# Announcements are only for the clients of this server, and known addresses only protect sign-ins to it. The migrations
# were executed in this database.
_LEFT_OUT = (announcements, known_addresses, schema_migrations)


@cache
def exported_tables() -> dict[str, Table]:
    """Return the exported tables by name, in an order in which they can be imported."""
    return {str(table.name): table for table in metadata.sorted_tables if table not in _LEFT_OUT}


class Batch(Struct, frozen=True):
    """Rows of one table, at most a few hundred."""

    table: Table
    rows: list[dict[str, Any]]


class Outgoing:
    """Writes the lines, and a last line with which completeness can be verified."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def head(self, counts: dict[str, int]) -> bytes:
        """Write the header line."""
        return self._line({"rostrum": _FORM, "schema": HEAD, "rows": counts})

    def row(self, table: str, values: dict[str, Any]) -> bytes:
        return self._line({"table": table, "row": values})

    def end(self) -> bytes:
        return dump({"end": self._digest.hexdigest()}) + b"\n"

    def _line(self, value: Any) -> bytes:
        line = dump(value) + b"\n"
        self._digest.update(line)
        return line


class Incoming:
    """Reads and checks the lines.

    Attributes:
        counts: The number of rows of each table, according to the header.
        done: The number of rows that were read.

    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._digest = hashlib.sha256()
        self._read = 0
        head = self._next()
        if not isinstance(head, dict) or head.get("rostrum") != _FORM:
            raise Invalid(_NO_EXPORT)
        schema, counts = head.get("schema"), head.get("rows")
        if schema != HEAD:
            message = f"the export is from a database at migration {schema!s:.40}, but this manager is at {HEAD}"
            raise Invalid(f"{message}: import with the version of Rostrum that made the export, and update afterwards")
        if not isinstance(counts, dict) or not all(isinstance(count, int) for count in counts.values()):
            raise Invalid("the first line of the file is invalid: the numbers of rows are missing")
        self.counts: dict[str, int] = counts
        self.total = sum(self.counts.values())
        self.done = 0

    def batches(self) -> Iterator[Batch]:
        """Yield the rows in batches of one table each; at the end, refuse a file that is incomplete or was changed."""
        waiting: list[dict[str, Any]] = []
        current: Table | None = None
        size = 0
        while True:
            expected = self._digest.hexdigest()
            entry = self._next()
            if isinstance(entry, dict) and "end" in entry:
                if entry["end"] != expected:
                    raise Invalid("the file was changed after it was exported: its digest differs")
                break
            table, row = self._row(entry)
            if current is not None and (table is not current or len(waiting) >= BATCH or size >= _BATCH_BYTES):
                yield Batch(current, waiting)
                waiting, size = [], 0
            current = table
            waiting.append(from_json(table, row))
            size += self._size
            self.done += 1
        if current is not None and waiting:
            yield Batch(current, waiting)
        if self.done != self.total:
            raise Invalid(f"the file must contain {self.total} rows, but contains {self.done}")

    def _row(self, entry: Any) -> tuple[Table, dict[str, Any]]:
        name = entry.get("table") if isinstance(entry, dict) else None
        table = exported_tables().get(name) if isinstance(name, str) else None
        row = entry.get("row") if table is not None else None
        if table is None or not isinstance(row, dict):
            raise Invalid(f"row {self.done + 1} of the file is invalid: it does not belong to a table of this version")
        return table, row

    def _next(self) -> Any:
        line = next(self._lines, None)
        if line is None:
            raise Invalid("the file is incomplete: its end is missing")
        self._size = len(line)
        self._digest.update(line)
        self._read += 1
        try:
            return parse(line, max_elements=_MOST_ELEMENTS)
        except Invalid as error:
            if self._read == 1:
                raise Invalid(_NO_EXPORT) from error
            raise Invalid(f"line {self._read} of the file is invalid: the file was changed or is incomplete") from error


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Read the lines of a file; refuse lines that are longer than those of an export."""
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise Invalid(f"a line of the file has more than {_LONGEST_LINE:,} bytes: it is not an export")
        yield line
