"""Export of all data to a file, and import into a new server."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require_admin
from rostrum.manager.audiences import EventKind
from rostrum.manager.audit.repository import Audit
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.storage import Storage, Work
from rostrum.manager.transfer.lines import Incoming, lines_of
from rostrum.manager.transfer.repository import Transfer, export_lines
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

_PIECE = 1024 * 1024
_MOST_FIRST_USERS = 10_000


class Imported(Struct, frozen=True, kw_only=True):
    """The result of an import or of a dry run.

    Attributes:
        rows: The number of rows of each table.
        kept_users: Users of this server that are not in the export; they are kept.

    """

    rows: dict[str, int]
    kept_users: tuple[str, ...]


class TransferService:
    """Export and import, for full administrators. With temporary files, slow clients do not block the database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._busy = False

    async def export(self, identity: Identity) -> tuple[int, AsyncIterator[bytes]]:
        """Export the state of all data at one moment; return the size of the file and its content."""
        require_admin(identity)
        with self._alone():
            await self._storage.refuse_newer_schema("export")
            async with self._storage.note(identity.user) as work:
                work.journal.noted(Kind.SERVER, "*", Action.EXPORTED)
            file = await asyncio.to_thread(_temporary)
            try:
                size = await self._write(file)
            except BaseException:
                file.close()
                raise
        return size, _pieces(file)

    async def import_file(self, identity: Identity, pieces: AsyncIterator[bytes], *, dry_run: bool) -> Imported:
        """Import the file of an export, all or nothing; a dry run is rolled back."""
        require_admin(identity)
        with await asyncio.to_thread(_temporary) as file:
            async for piece in pieces:
                await _put(file, piece)
            await asyncio.to_thread(file.seek, 0)
            with self._alone():
                await self._storage.refuse_newer_schema("import")
                read = await asyncio.to_thread(Incoming, lines_of(file))
                begun = self._storage.dry_run if dry_run else self._storage.write
                async with begun(identity.user) as work:
                    return await _replace_content(work, read)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._busy:
            raise Conflict("another export or import is running: try again when it has finished")
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    async def _write(self, file: BinaryIO) -> int:
        waiting, size = bytearray(), 0
        async for line in export_lines(self._storage.database, self._storage.place, lambda _done, _total: None):
            waiting += line
            size += len(line)
            if len(waiting) >= _PIECE:
                await _put(file, bytes(waiting))
                waiting.clear()
        await _put(file, bytes(waiting))
        await asyncio.to_thread(file.seek, 0)
        return size


async def _replace_content(work: Work, read: Incoming) -> Imported:
    if await work.of(Transfer).is_in_use():
        raise Conflict("this server already has content, which an import would delete: import into a new server")
    present = (await work.of(Users).page(Query(limit=_MOST_FIRST_USERS))).items
    chain = (await work.of(Audit).ends()).head
    await work.of(Transfer).replace_everything(read)
    # Revisions continue after those of the export.
    await work.take_revision()
    kept = [user.id for user in present if await _save(work, user)]
    summary = {"rows": read.total, "keptUsers": kept, "auditBefore": str(chain)}
    work.journal.noted(Kind.SERVER, "*", Action.IMPORTED, after=summary)
    for kind in (EventKind.APPS, EventKind.LAYOUTS, EventKind.PREFS, EventKind.SYSTEM_CONFIG):
        work.journal.announce(kind)
    for user in present:
        work.journal.announce(EventKind.ACCESS, user.id)
    return Imported(rows=read.counts, kept_users=tuple(kept))


async def _save(work: Work, user: User) -> bool:
    """Keep a user of this server in the same groups, so that administrators are not locked out.

    Return whether the user was added because the export does not contain it.
    """
    await work.of(Groups).add_missing(user.groups, work.stamp(), as_stored=True)
    known = await work.of(Users).get(user.id)
    if known is None:
        await work.of(Users).add(replace(user, epoch=work.revision, stamp=work.stamp()))
        return True
    groups = tuple(sorted({*user.groups, *known.groups}))
    if groups != known.groups:
        await work.of(Users).put(replace(known, groups=groups, stamp=work.stamp(known.stamp)))
    return False


def _temporary() -> BinaryIO:
    # An unnamed file: no other process can open it, and it is deleted automatically.
    return tempfile.TemporaryFile()


async def _put(file: BinaryIO, piece: bytes) -> None:
    await asyncio.to_thread(file.write, piece)


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece
