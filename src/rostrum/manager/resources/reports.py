"""What crash reports and feedback share: keeping the file, reviewing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from rostrum.base.ids import new_id
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.resources.uploads import Upload, safe_name
from rostrum.manager.storage import NotFound, Storage, StoredFile, Work

__all__ = ["keep_file", "open_file", "review_values"]

_PIECE = 1024 * 1024


async def keep_file(work: Work, upload: Upload | None, fallback: str) -> StoredFile | None:
    """Keep a file that came with a report."""
    if upload is None:
        return None
    name = safe_name(upload.filename, fallback)
    # What the sender calls it is never served as such: a browser must not run it.
    file = StoredFile(id=new_id(), name=name, media_type="application/octet-stream", size=0)
    return await work.files.add(file, _pieces(upload))


@asynccontextmanager
async def open_file(
    storage: Storage, file: StoredFile | None, kind: str, key: str
) -> AsyncIterator[AsyncIterator[bytes]]:
    """Read the file of a report piece by piece."""
    if file is None:
        raise NotFound(kind, key)
    async with storage.read() as work:
        yield work.files.read(file.id)


def review_values(
    identity: Identity, given: dict[str, Any], *, reviewed: bool, by: str | None, comment: str
) -> dict[str, Any]:
    """Work out what a review leaves: whoever sets the mark is named, taking it away clears the name."""
    mark = given.get("reviewed", reviewed)
    reviewer = by if mark == reviewed else identity.user if mark else None
    return {"reviewed": mark, "reviewed_by": reviewer, "comment": given.get("comment", comment)}


async def _pieces(upload: Upload) -> AsyncIterator[bytes]:
    while piece := await upload.read(_PIECE):
        yield piece
