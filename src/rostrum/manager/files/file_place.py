"""The interface of places for files outside the database."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Protocol

from rostrum.manager.files.bucket import Bucket
from rostrum.manager.files.folder import Folder


class FilePlace(Protocol):
    """A place that all nodes share; each file has the same ID as in the database."""

    async def save(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Write a file completely or not at all, and return its size."""
        ...

    async def piece(self, file_id: str, offset: int, size: int) -> bytes | None:
        """Read a part of a file, empty after its end; ``None`` if the file does not exist."""
        ...

    async def remove(self, file_ids: Iterable[str]) -> None:
        """Delete files; ``sweep`` finds files that remain."""
        ...

    async def sweep(self, known: Callable[[list[str]], Awaitable[set[str]]]) -> int:
        """Delete files older than a day that the database does not know; return their number."""
        ...


def file_place(folder: Path | None, bucket: str | None) -> FilePlace | None:
    """Return the configured place; ``None`` for the database."""
    if bucket is not None:
        return Bucket(bucket)
    return None if folder is None else Folder(folder)
