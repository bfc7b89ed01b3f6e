"""Files of reports: stored in pieces, so that none is completely in memory, or in another place."""

from collections.abc import AsyncIterator, Iterable

from sqlalchemy import Select, delete, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.database import tables
from rostrum.manager.database.transaction import Repository, Transaction
from rostrum.manager.errors import Unavailable
from rostrum.manager.files.model import StoredFile

CHUNK = 1024 * 1024

_FILE = tables.files.c
_PIECE = tables.file_chunks.c


class Files(Repository):
    """The stored files in one transaction."""

    def __init__(self, work: Transaction) -> None:
        super().__init__(work)
        self._place = work.place
        self._removed: list[str] = []

    async def add(self, file: StoredFile, pieces: AsyncIterator[bytes]) -> StoredFile:
        """Store a file, and return its size."""
        if self._place is None:
            size = await self._add_pieces(file.id, pieces)
        else:
            size = await self._place.save(file.id, pieces)
        kept = StoredFile(id=file.id, name=file.name, media_type=file.media_type, size=size)
        await self._connection.execute(
            insert(tables.files).values(id=kept.id, name=kept.name, media_type=kept.media_type, size=kept.size)
        )
        return kept

    async def register(self, file: StoredFile) -> None:
        """Register a file whose content was stored before this transaction."""
        await self._connection.execute(
            insert(tables.files).values(id=file.id, name=file.name, media_type=file.media_type, size=file.size)
        )
        if self._place is None:
            stored = select(func.coalesce(func.sum(func.length(_PIECE.data)), 0)).where(_PIECE.file_id == file.id)
            if await self._connection.scalar(stored) != file.size:
                # The purge of another node has deleted the pieces as those of an aborted upload.
                raise Unavailable("the file was cleaned up while it was stored")

    async def piece(self, file_id: str, number: int) -> bytes | None:
        """Read one piece of a file; ``None`` past its end."""
        statement = select(_PIECE.data).where(_PIECE.file_id == file_id, _PIECE.number == number)
        data: bytes | None = await self._connection.scalar(statement)
        if data is None and self._place is not None:
            # Files from before the other place was configured remain in the database.
            data = await self._place.piece(file_id, number * CHUNK, CHUNK)
        return data or None

    async def remove(self, file_ids: Iterable[str] | Select[tuple[str]]) -> None:
        wanted = file_ids if isinstance(file_ids, Select) else list(file_ids)
        await self._connection.execute(delete(tables.file_chunks).where(_PIECE.file_id.in_(wanted)))
        gone = await self._connection.execute(delete(tables.files).where(_FILE.id.in_(wanted)).returning(_FILE.id))
        self._removed += gone.scalars()

    async def finish(self) -> None:
        """Delete files from the other place that the transaction has removed; call it after the commit."""
        if self._place is not None:
            await self._place.remove(self._removed)

    async def sweep(self) -> int:
        """Delete files of aborted transactions from the other place, and return their number."""
        return 0 if self._place is None else await self._place.sweep(self._known)

    async def sweep_pieces(self) -> int:
        """Delete pieces of aborted uploads from the database, and return their number."""
        unknown = ~exists().where(_FILE.id == _PIECE.file_id)
        return (await self._connection.execute(delete(tables.file_chunks).where(unknown))).rowcount

    async def _known(self, file_ids: list[str]) -> set[str]:
        return set((await self._connection.execute(select(_FILE.id).where(_FILE.id.in_(file_ids)))).scalars())

    async def _add_pieces(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        size = 0
        async for number, data in numbered(pieces):
            await add_piece(self._connection, file_id, number, data)
            size += len(data)
        return size


async def numbered(pieces: AsyncIterator[bytes]) -> AsyncIterator[tuple[int, bytes]]:
    """Split a file into the pieces that the database stores."""
    number = 0
    async for piece in pieces:
        for start in range(0, len(piece), CHUNK):
            yield number, piece[start : start + CHUNK]
            number += 1


async def add_piece(connection: AsyncConnection, file_id: str, number: int, data: bytes) -> None:
    await connection.execute(insert(tables.file_chunks).values(file_id=file_id, number=number, data=data))


async def remove_pieces(connection: AsyncConnection, file_id: str) -> None:
    """Delete the pieces of an aborted upload."""
    await connection.execute(delete(tables.file_chunks).where(_PIECE.file_id == file_id))
