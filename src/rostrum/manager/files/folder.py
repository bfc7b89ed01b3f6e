"""Folder: stores files of reports in a folder that all nodes share."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from rostrum.base.ids import new_id
from rostrum.manager.errors import NoRoom, Unavailable

_UNFINISHED = ".part"
_YOUNG = timedelta(days=1)
_BATCH = 500


class Folder:
    """A folder on this machine or on a file server; each file has the same ID as in the database."""

    def __init__(self, path: Path, *, young: timedelta = _YOUNG) -> None:
        self._path = path
        self._young = young.total_seconds()

    async def save(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Write a file completely or not at all, and return its size."""
        place = self._place(file_id)
        beside = place.with_name(f"{place.name}.{new_id()}{_UNFINISHED}")
        size = 0
        try:
            file = await asyncio.to_thread(_open, beside)
            try:
                async for piece in pieces:
                    size += len(piece)
                    await asyncio.to_thread(file.write, piece)
            finally:
                await asyncio.to_thread(_flush, file)
            await asyncio.to_thread(beside.replace, place)
        except BaseException as error:
            await self._unlink(beside)
            if isinstance(error, OSError):
                if NoRoom.is_cause(error):
                    raise NoRoom(
                        f"the disk of the folder for files is full; nothing was changed: {error.strerror}"
                    ) from error
                raise Unavailable(f"a file cannot be written to the folder for files: {error.strerror}") from error
            raise
        return size

    async def piece(self, file_id: str, offset: int, size: int) -> bytes | None:
        """Read a part of a file; ``None`` if the file does not exist."""
        try:
            return await asyncio.to_thread(_read, self._place(file_id), offset, size)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unavailable(f"the folder for files cannot be read: {error.strerror}") from error

    async def remove(self, file_ids: Iterable[str]) -> None:
        """Delete files; ``sweep`` finds files that remain."""
        for file_id in file_ids:
            await self._unlink(self._place(file_id))

    async def sweep(self, known: Callable[[list[str]], Awaitable[set[str]]]) -> int:
        """Delete files older than a day that the database does not know; return their number."""
        gone = 0
        old = await asyncio.to_thread(self._older_files)
        for start in range(0, len(old), _BATCH):
            batch = old[start : start + _BATCH]
            kept = await known([path.name for path in batch])
            for path in batch:
                if path.name not in kept:
                    await self._unlink(path)
                    gone += 1
        return gone

    def _place(self, file_id: str) -> Path:
        # Some file servers are slow with many files in one folder.
        return self._path / file_id[-2:].lower() / file_id

    def _older_files(self) -> list[Path]:
        before = time.time() - self._young
        found = []
        for path in self._path.glob("*/*"):
            with suppress(OSError):
                if path.stat().st_mtime < before:
                    found.append(path)
        return found

    async def _unlink(self, path: Path) -> None:
        with suppress(OSError):
            await asyncio.to_thread(path.unlink, missing_ok=True)


def _open(path: Path) -> BinaryIO:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _flush(file: BinaryIO) -> None:
    with file:
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path, offset: int, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(size)
