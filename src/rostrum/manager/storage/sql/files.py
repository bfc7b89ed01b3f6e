"""Files kept beside the rows that name them, in pieces so that no statement holds a whole one."""

from collections.abc import AsyncIterator, Iterable

from sqlalchemy import Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.storage.records import StoredFile
from rostrum.manager.storage.sql import tables

__all__ = ["CHUNK", "Files"]

CHUNK = 1024 * 1024

_FILE = tables.files.c
_PIECE = tables.file_chunks.c


class Files:
    """The kept files of one transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def add(self, file: StoredFile, pieces: AsyncIterator[bytes]) -> StoredFile:
        """Keep a file, and say how large it was."""
        size = 0
        number = 0
        async for piece in pieces:
            for start in range(0, len(piece), CHUNK):
                data = piece[start : start + CHUNK]
                await self._connection.execute(
                    insert(tables.file_chunks).values(file_id=file.id, number=number, data=data)
                )
                size += len(data)
                number += 1
        kept = StoredFile(id=file.id, name=file.name, media_type=file.media_type, size=size)
        await self._connection.execute(
            insert(tables.files).values(id=kept.id, name=kept.name, media_type=kept.media_type, size=kept.size)
        )
        return kept

    async def piece(self, file_id: str, number: int) -> bytes | None:
        """Read one piece of a file; ``None`` past its end."""
        statement = select(_PIECE.data).where(_PIECE.file_id == file_id, _PIECE.number == number)
        data: bytes | None = await self._connection.scalar(statement)
        return data

    async def remove(self, file_ids: Iterable[str] | Select[tuple[str]]) -> None:
        """Forget files."""
        wanted = file_ids if isinstance(file_ids, Select) else list(file_ids)
        await self._connection.execute(delete(tables.file_chunks).where(_PIECE.file_id.in_(wanted)))
        await self._connection.execute(delete(tables.files).where(_FILE.id.in_(wanted)))
