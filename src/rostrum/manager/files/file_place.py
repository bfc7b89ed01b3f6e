"""Where files that come with reports are kept when they are not kept in the database."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Protocol

from rostrum.manager.files.bucket import Bucket
from rostrum.manager.files.folder import Folder


class FilePlace(Protocol):
    """A place that every node sees; each file has the id that the database knows it by."""

    async def save(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Write a file completely or not at all, and say how large it is."""
        ...

    async def piece(self, file_id: str, offset: int, size: int) -> bytes | None:
        """Read a part of a file, nothing past its end; ``None`` when there is no such file here."""
        ...

    async def remove(self, file_ids: Iterable[str]) -> None:
        """Delete files; one that stays behind is found by ``sweep``."""
        ...

    async def sweep(self, known: Callable[[list[str]], Awaitable[set[str]]]) -> int:
        """Delete what a crash left behind: files of yesterday or older that the database does not know; count them."""
        ...


def file_place(folder: Path | None, bucket: str | None) -> FilePlace | None:
    """Return the place that is set; ``None`` stands for the database."""
    if bucket is not None:
        return Bucket(bucket)
    return None if folder is None else Folder(folder)
