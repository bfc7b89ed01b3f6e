"""Common parts of crash reports and feedback: a file, a review and a time."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, TypeVar

from sqlalchemy import ColumnElement, Row, Select, Table, delete, select, update

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.files.model import StoredFile
from rostrum.manager.files.repository import Files
from rostrum.manager.kinds import Action
from rostrum.manager.records import Records, converted, stored_as


@cache
def with_files(table: Table) -> Select[Any]:
    """Build the statement that reads reports with the data of their files."""
    file = tables.files.c
    return select(
        table,
        file.name.label("file_name"),
        file.media_type.label("file_media_type"),
        file.size.label("file_size"),
    ).outerjoin_from(table, tables.files, file.id == table.c.file_id)


Report = TypeVar("Report")


class Reports(Records[Report]):
    """The reports of one kind in one transaction.

    Attributes:
        file: The member with the data of the file.

    """

    file: ClassVar[str]

    def select(self) -> Select[Any]:
        """Return the statement that reads reports with the data of their files; it is built once."""
        return with_files(self.table)

    async def row(self, report_id: str) -> Row[Any] | None:
        statement = self.select().where(self.table.c.id == report_id)
        row: Row[Any] | None = (await self._connection.execute(statement)).one_or_none()
        return row

    async def get(self, key: str) -> Report | None:
        row = await self.row(key)
        return None if row is None else self._records([row])[0]

    async def page(self, query: Query, *which: ColumnElement[bool]) -> Page[Report]:
        found = await self.listing.page(self._connection, self.select().where(*which), query)
        return found.page(self._records(found.rows))

    def _records(self, rows: Iterable[Row[Any]]) -> list[Report]:
        read = list(rows)
        found = super()._records(read)
        return [self._completed(report, row) for report, row in zip(found, read, strict=True)]

    def _completed(self, report: Any, row: Row[Any]) -> Report:
        """Add what is in other tables."""
        completed: Report = replace(report, **{self.file: file_of(row)})
        return completed

    async def review(
        self, report_id: str, *, reviewed: bool, reviewed_by: str | None, comment: str, revision: int, **more: Any
    ) -> None:
        """Store the review of a report."""
        before = await self.row(report_id)
        after = {"reviewed": reviewed, "reviewed_by": reviewed_by, "comment": comment, **more}
        if before is not None:
            told = {name: getattr(before, name) for name in after}
            self._journal.noted(self.kind, report_id, Action.CHANGED, told, after)
        await self._connection.execute(
            update(self.table).where(self.table.c.id == report_id).values(revision=revision, **after)
        )

    async def remove(self, key: str) -> bool:
        """Delete one report and its file."""
        if not await self._remove(self.table.c.id == key):
            return False
        self._journal.noted(self.kind, key, Action.DELETED)
        return True

    async def purge(self, before: datetime) -> int:
        """Delete reports from before a time with their files, and return their number."""
        return await self._remove(self.table.c.received < before)

    async def _remove(self, condition: Any) -> int:
        kept = select(self.table.c.file_id).where(condition, self.table.c.file_id.is_not(None))
        await self._work.of(Files).remove(kept)
        gone = await self._connection.execute(delete(self.table).where(condition))
        return gone.rowcount


def stored_file() -> dict[str, Any]:
    """Describe the member of a report with the data of its file."""
    return stored_as("file_id") | converted(
        lambda _: None, lambda file: file and file.id, lambda file: file and file.as_json()
    )


def file_of(row: Row[Any]) -> StoredFile | None:
    """Read the data of a report's file."""
    if row.file_id is None:
        return None
    return StoredFile(id=row.file_id, name=row.file_name, media_type=row.file_media_type, size=row.file_size)
