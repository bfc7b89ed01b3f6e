"""Common parts of crash reports and feedback: a file, and a review by an administrator."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, ClassVar, Generic, TypeVar

from rostrum.base.ids import new_id
from rostrum.contracts.reports import Review
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.crashes.repository import Crash
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Expected, found, same_revision
from rostrum.manager.feedback.repository import Feedback
from rostrum.manager.files.model import StoredFile, Upload, safe_name
from rostrum.manager.files.repository import Files
from rostrum.manager.quotas.repository import Amount
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.reports.repository import Reports
from rostrum.manager.storage import Storage, Work

_PIECE = 1024 * 1024

Report = TypeVar("Report", Crash, Feedback)


class ReportService(Generic[Report]):
    """Reports of one kind.

    Attributes:
        kind: The name of one report in messages.
        repository: The repository of the reports.
        file: The member that contains the file.

    """

    kind: ClassVar[str]
    repository: ClassVar[type[Reports[Any]]]
    file: ClassVar[str]
    reading: ClassVar[Permission]
    writing: ClassVar[Permission]

    def __init__(self, storage: Storage, quotas: Quotas) -> None:
        self._storage = storage
        self._quotas = quotas

    async def page(self, identity: Identity, query: Query) -> Page[Report]:
        require(identity, self.reading)
        async with self._storage.read() as work:
            page: Page[Report] = await self._all(work).page(query)
            return page

    async def get(self, identity: Identity, report_id: str) -> Report:
        require(identity, self.reading)
        async with self._storage.read() as work:
            return await self._one(work, report_id)

    async def open_file(self, identity: Identity, report_id: str) -> tuple[StoredFile, AsyncIterator[bytes]]:
        """Open the file of a report."""
        report = await self.get(identity, report_id)
        file: StoredFile = found(getattr(report, self.file), f"{self.file} of {self.kind}", report_id)
        return file, _read(self._storage, file)

    async def review(self, identity: Identity, report_id: str, body: Review, expected: Expected = None) -> Report:
        """Save an administrator's review; setting the mark stores the name, removing it clears the name."""
        require(identity, self.writing)
        async with self._storage.write(identity.user) as work:
            report = await self._one(work, report_id)
            same_revision(expected, report.revision, self.kind, report_id)
            await self._review(work, report, body.given())
            return await self._one(work, report_id)

    async def _review(self, work: Work, report: Report, given: Mapping[str, Any]) -> None:
        """Store the members of a review that were given."""
        mark = given.get("reviewed", report.reviewed)
        by = report.reviewed_by if mark == report.reviewed else work.actor if mark else None
        comment = given.get("comment", report.comment)
        await self._all(work).review(report.id, reviewed=mark, reviewed_by=by, comment=comment, revision=work.revision)

    async def remove(self, identity: Identity, report_id: str, expected: Expected = None) -> None:
        require(identity, self.writing)
        async with self._storage.write(identity.user) as work:
            report = await self._one(work, report_id)
            same_revision(expected, report.revision, self.kind, report_id)
            await self._all(work).remove(report_id)

    def _all(self, work: Work) -> Any:
        return work.of(self.repository)

    async def _one(self, work: Work, report_id: str) -> Report:
        report: Report | None = await self._all(work).get(report_id)
        return found(report, self.kind, report_id)

    @asynccontextmanager
    async def _stored(
        self, upload: Upload | None, fallback: str, used: Amount, names: tuple[str, str]
    ) -> AsyncIterator[StoredFile | None]:
        """Store the file of a report, if these quotas allow another report of its size."""
        count_name, bytes_name = names
        self._quotas.require(count_name, used=used.count, wanted=used.count + 1)
        if upload is None:
            yield None
            return
        # The type that the sender names is never used for downloads: a browser must not run the file.
        name = safe_name(upload.filename, fallback)
        file = StoredFile(id=new_id(), name=name, media_type="application/octet-stream", size=0)
        async with self._storage.storing(file, _pieces(upload, self._quotas.room(bytes_name, used.bytes))) as stored:
            self._quotas.require(bytes_name, used=used.bytes, wanted=used.bytes + stored.size)
            yield stored

    async def _register(self, work: Work, file: StoredFile | None, used: Amount, names: tuple[str, str]) -> None:
        """Check the quotas again, while no other request can write, and register the file."""
        size = 0 if file is None else file.size
        self._quotas.require_amount(*names, used=used, wanted=Amount(used.count + 1, used.bytes + size))
        if file is not None:
            await work.of(Files).register(file)


async def _read(storage: Storage, file: StoredFile) -> AsyncIterator[bytes]:
    """Read a stored file in pieces, without keeping a database connection for a slow client."""
    sent = 0
    for number in count():
        if sent >= file.size:
            return
        # A client that disconnects cancels this task; a running query must not be interrupted.
        piece = await asyncio.shield(read_piece(storage, file.id, number))
        if piece is None:
            return
        sent += len(piece)
        yield piece


async def read_piece(storage: Storage, file_id: str, number: int) -> bytes | None:
    """Read one piece of a stored file."""
    async with storage.read() as work:
        return await work.of(Files).piece(file_id, number)


async def _pieces(upload: Upload, most: int | None) -> AsyncIterator[bytes]:
    size = 0
    while (most is None or size <= most) and (piece := await upload.read(_PIECE)):
        size += len(piece)
        yield piece
