"""History: earlier states of documents, for users who may read the documents."""

from itertools import islice
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.json_diff import Edit, diff
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import NotFound, NotKept
from rostrum.manager.history.model import Revision, moment
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.storage import Storage, Work

_MOST_EDITS = 10_000
# Each edit repeats the names in its path, which can be long.
_LONGEST_PATHS = 4 * 1024 * 1024


class Comparison(Struct, frozen=True, kw_only=True):
    """The changes between two revisions of a document; ``None`` means "did not exist".

    Attributes:
        edits: The first edits, up to a limit.
        omitted: The number of further edits.

    """

    before: Revision | None
    after: Revision | None
    edits: list[Edit]
    omitted: int

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as the body of a response."""
        sides = {
            name: None if side is None else side.as_json()
            for name, side in (("before", self.before), ("after", self.after))
        }
        return {**sides, "diff": [edit.as_json() for edit in self.edits], "omitted": self.omitted}


class HistoryService:
    """The revisions of documents, including deleted ones."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, kind: Kind, key: str, query: Query) -> Page[Revision]:
        """List the revisions of one document, newest first."""
        require(identity, DOCUMENT_KINDS[kind].read)
        async with self._storage.read() as work:
            page = await work.of(History).page(kind, key, limit=query.limit, offset=query.offset)
        if not page.total:
            raise NotFound(DOCUMENT_KINDS[kind].noun, key)
        return page

    async def as_of(self, identity: Identity, kind: Kind, key: str, point: str) -> Revision:
        """Read the state of a document at a time or at a revision, which can belong to another document."""
        require(identity, DOCUMENT_KINDS[kind].read)
        async with self._storage.read() as work:
            try:
                revision = await revision_of(work, point)
            except Invalid:
                raise NotFound(f"revision of the {DOCUMENT_KINDS[kind].noun} {key!r}", point) from None
            found = await as_of(work, kind, key, revision)
        if found is None:
            raise NotFound(f"{DOCUMENT_KINDS[kind].noun} that existed at revision {revision}", key)
        return found

    async def compare(
        self, identity: Identity, kind: Kind, key: str, *, before: str | None = None, after: str | None = None
    ) -> Comparison:
        """Compare two revisions; by default the newest one and its predecessor."""
        require(identity, DOCUMENT_KINDS[kind].read)
        async with self._storage.read() as work:
            newest = await work.of(History).last_change(kind, key)
            if newest is None:
                raise NotFound(DOCUMENT_KINDS[kind].noun, key)
            new = newest if after is None else await as_of(work, kind, key, await revision_of(work, after, "to"))
            if before is not None:
                old = await as_of(work, kind, key, await revision_of(work, before, "from"))
            elif new is None or new.previous is None:
                old = None
            else:
                old = await as_of(work, kind, key, new.previous)
        texts = [side.body or "" if side else "" for side in (old, new)]
        edits, omitted = await offload(sum(map(len, texts)), _compared, *texts)
        return Comparison(before=old, after=new, edits=edits, omitted=omitted)


def _compared(before: str, after: str) -> tuple[list[Edit], int]:
    """List the edits up to the limits, and count the others."""
    edits = diff(*(json_text.parse(text) if text else {} for text in (before, after)))
    kept: list[Edit] = []
    room = _LONGEST_PATHS
    for edit in islice(edits, _MOST_EDITS):
        room -= len(edit.path)
        if room < 0:
            return kept, 1 + sum(1 for _ in edits)
        kept.append(edit)
    return kept, sum(1 for _ in edits)


async def revision_of(work: Work, point: str, name: str = "revision") -> int:
    """Convert a revision or a time into the number of an existing revision."""
    newest = await work.of(History).newest()
    if point.isascii() and point.isdigit():
        if len(point) < 19 and int(point) <= newest:
            return int(point)
        message = f"there is no revision {point[:40]} yet; the newest is {newest}"
    else:
        try:
            return await work.of(History).revision_at(moment(point))
        except ValueError as error:
            message = f"must be the number of a revision or a time: {error}"
    raise Invalid("no such revision", [Problem(path=name, message=message)])


async def as_of(work: Work, kind: Kind, key: str, revision: int) -> Revision | None:
    """Read the state of a document; ``None`` if it did not exist. Raise an error if it is no longer known."""
    found = await work.of(History).as_of(kind, key, revision)
    if found is not None:
        return found
    oldest = await work.of(History).oldest(kind, key)
    if oldest is None:
        raise NotFound(DOCUMENT_KINDS[kind].noun, key)
    if oldest.previous is not None:
        raise NotKept(DOCUMENT_KINDS[kind].noun, key, revision, oldest.revision)
    return None
