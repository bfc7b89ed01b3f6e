"""What crash reports and feedback share: keeping the file, reviewing."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

from rostrum.base.ids import new_id
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.resources.uploads import Upload, safe_name
from rostrum.manager.storage import Storage, StoredFile, Work

__all__ = ["keep_file", "read_file", "review_values"]

_PIECE = 1024 * 1024


async def keep_file(work: Work, upload: Upload | None, fallback: str) -> StoredFile | None:
    """Keep a file that came with a report."""
    if upload is None:
        return None
    name = safe_name(upload.filename, fallback)
    # What the sender calls it is never served as such: a browser must not run it.
    file = StoredFile(id=new_id(), name=name, media_type="application/octet-stream", size=0)
    return await work.files.add(file, _pieces(upload))


async def read_file(storage: Storage, file: StoredFile) -> AsyncIterator[bytes]:
    """Read a kept file piece by piece; no connection is held while a slow reader takes its time."""
    sent = 0
    for number in count():
        if sent >= file.size:
            return
        # A reader who goes away cancels us; a query must not be torn in the middle.
        piece = await asyncio.shield(_piece(storage, file.id, number))
        if piece is None:
            return
        sent += len(piece)
        yield piece


def review_values(
    identity: Identity, given: dict[str, Any], *, reviewed: bool, by: str | None, comment: str
) -> dict[str, Any]:
    """Work out what a review leaves: whoever sets the mark is named, taking it away clears the name."""
    mark = given.get("reviewed", reviewed)
    reviewer = by if mark == reviewed else identity.user if mark else None
    return {"reviewed": mark, "reviewed_by": reviewer, "comment": given.get("comment", comment)}


async def _piece(storage: Storage, file_id: str, number: int) -> bytes | None:
    async with storage.read() as work:
        return await work.files.piece(file_id, number)


async def _pieces(upload: Upload) -> AsyncIterator[bytes]:
    while piece := await upload.read(_PIECE):
        yield piece
